import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {addProviderPayments} from '../../../src/shop/store/provider-payments.js'
import {captureCompleted} from '../../support/events.js'
import {countBy, type PaymentRow, seedPaymentShop} from '../../support/payment-shop.js'
import {stateOf} from '../../support/shop.js'
import {storectl} from '../../support/storectl.js'
import {ndjson} from '../../webhook/support.js'

const HOUR_MS = 3_600_000

test('a plan repairs what a run can, and what is left to a person is gone once they have acted', async () => {
  const {reconcile, apply, plan, refund, run} = await seedPaymentShop(200, 0.1)
  const found = await reconcile('--plan', plan)
  expect([found.exit, found.rows.length]).toEqual([3, 20])
  expect(found.stderr).toMatch(/repair\.plan: plan [0-9a-f]{12} of 20 payments, 12 of them to repair\n/)
  expect(found.stderr).toMatch(/^Would move money back in the shop: 2, held without --allow-backwards$/m)
  expect(found.stderr).toContain(`To repair: storectl payment reconcile --apply ${plan}`)

  const unknown = await apply('--yes', '--fields', 'transactoin')
  expect([unknown.exit, unknown.stderr]).toEqual([2, expect.stringContaining('unknown field')])
  const repaired = await apply('--yes')
  expect(repaired.exit).toBe(3)
  expect(countBy(repaired.rows, 'result')).toEqual({applied: 10, held: 10})
  for (const row of repaired.rows.filter(({kind}) => kind === 'unknown-in-shop')) {
    const seen = found.rows.find(({orderNumber}) => orderNumber === row.orderNumber)
    expect(seen?.kind).toBe('unknown-in-shop')
    expect(row.detail).toBe(
      `by hand: find the customer by the order number, or refund at the provider (${seen?.detail})`,
    )
  }
  const back = await apply('--yes', '--allow-backwards')
  expect([back.exit, back.rows]).toEqual([7, []])
  expect(back.stderr).toContain('Repairs that move money back need a typed confirmation.')
  const allowed = await apply('--allow-backwards', '--confirm', 'url')
  expect(countBy(allowed.rows, 'result')).toEqual({applied: 2, held: 8, skipped: 10})
  expect((await run('run', 'verify', 'last')).exit).toBe(0)

  const left = await reconcile()
  expect(countBy(left.rows, 'kind')).toEqual({
    ...{'amount-differs': 2, 'captured-twice': 2, pending: 2, 'unknown-in-shop': 2},
  })
  for (const {kind, movements} of left.rows) if (kind !== 'pending') await refund(movements.at(-1) as string)
  const rest = await reconcile('--pending-after', '30d', '--plan', plan, '--force')
  expect(countBy(rest.rows, 'kind')).toEqual({'refund-missed': 2})
  expect((await apply('--yes')).exit).toBe(0)
  expect(await reconcile('--pending-after', '30d')).toMatchObject({exit: 0, rows: []})
})

test('a stored event goes before one of the provider, and the inbox knows that it was delivered', async () => {
  const {reconcile, apply, plan, run, home, shop} = await seedPaymentShop(10, 0.1)
  const [missed] = (await reconcile()).rows
  expect(missed?.kind).toBe('capture-missed')
  const transactionId = missed?.transaction as string
  const createTime = new Date(shop.clock.now().getTime() - HOUR_MS).toISOString()
  const event = captureCompleted({transactionId, createTime, amount: missed?.amount?.value as string})
  // Newer, and over another amount: it is passed over.
  const other = captureCompleted({transactionId, seed: 2, createTime: shop.clock.now().toISOString()})
  const bodies = [event, other].map(({body}) => ({body}))
  writeFileSync(join(home, 'event.json'), ndjson(bodies, shop.credentials.webhookToken))
  await run('webhook', 'import', join(home, 'event.json'))
  await run('webhook', 'list')
  const [planned] = (await reconcile('--plan', plan)).rows
  expect(planned?.repair).toBe(`replay ${event.id}`)
  const {rows} = await apply('--yes')
  expect(rows).toMatchObject([{result: 'applied', before: 'open', after: 'paid', detail: 'open → paid'}])
  expect((await run('webhook', 'list', '--status', 'delivered', '-o', 'id')).stdout.trim()).toBe(event.id)
})

test('what was repaired meanwhile, or differs in another way now, is left as it is', async () => {
  const {reconcile, apply, plan, shop} = await seedPaymentShop(20, 0.1)
  const found = await reconcile('--plan', plan)
  expect(found.rows.map(({kind}) => kind).sort()).toEqual(['capture-missed', 'refund-missed'])
  const move = (kind: string, action: string) => {
    const {transaction} = found.rows.find(row => row.kind === kind) as PaymentRow
    return shop.call(`/api/_action/order_transaction/${transaction}/state/${action}`)
  }
  await move('capture-missed', 'paid')
  await move('refund-missed', 'refund_partially')
  const {rows, exit} = await apply('--yes')
  expect(exit).toBe(7)
  expect(countBy(rows, 'result')).toEqual({held: 1, skipped: 1})
})

test.each(['6.5', '6.7'] as const)(
  'a shop of version %s is asked which transitions it allows',
  async version => {
    const {reconcile, apply, plan, shop} = await seedPaymentShop(190, 0.1, {shopVersion: version})
    const found = await reconcile('--plan', plan, '--where', 'state = "authorized"')
    const voided = found.rows.find(({repair}) => repair === 'transition cancel') as PaymentRow
    expect(voided.kind).toBe('cancelled-at-provider')
    await apply('--yes')
    expect(await stateOf(shop, voided.transaction as string)).toBe('cancelled')
  },
)

test('a plan that was edited, or is for another shop, is refused', async () => {
  const {reconcile, apply, plan} = await seedPaymentShop(10, 0.1)
  await reconcile('--plan', plan)
  const text = readFileSync(plan, 'utf8')
  writeFileSync(plan, text.replace('"paid"', '"refunded"'))
  expect(await apply('--yes')).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('was edited or cut off'),
  })
  writeFileSync(plan, text)
  const elsewhere = await storectl(['payment', 'reconcile', '--apply', plan, '--yes', '--profile', 'local'])
  expect(elsewhere).toMatchObject({exit: 2, stderr: expect.stringContaining('The plan is for http')})
})

test('a payment in dispute is reported with the day by which an answer is due, and never repaired', async () => {
  const {reconcile, apply, plan, shop, clock} = await seedPaymentShop(10, 0.1)
  const [missed] = (await reconcile('--plan', plan)).rows
  expect(missed?.kind).toBe('capture-missed')
  const captureId = missed?.movements[0] as string
  const {order_id} = await shop.db.reads
    .selectFrom('provider_payment')
    .select('order_id')
    .where('id', '=', captureId)
    .executeTakeFirstOrThrow()
  const hold = {
    ...({
      id: 'HOLD',
      order_id,
      kind: 'T1110',
      capture_id: captureId,
      amount: '1.00',
      currency: 'EUR',
    } as const),
    ...{status: 'COMPLETED', final: 1, created_at: new Date(clock.now().getTime() - HOUR_MS).toISOString()},
  }
  await shop.db.writes.run(db => addProviderPayments(db, [], [hold]))
  const applied = await apply('--yes')
  expect(applied.rows).toMatchObject([
    {result: 'held', detail: expect.stringContaining('it differs in another way now: disputed')},
  ])
  const [disputed] = (await reconcile('--plan', plan, '--force')).rows
  expect(disputed).toMatchObject({
    ...{kind: 'disputed', repair: 'by hand: answer the dispute at the provider'},
    detail: expect.stringMatching(/in dispute PP-D-HOLD \(REQUIRED_ACTION\), an answer is due by \d{4}-/),
  })
  await apply('--yes', '--allow-backwards', '--confirm', 'url')
  expect(await stateOf(shop, missed?.transaction as string)).toBe('open')
})

test('a capture whose payment names no order of the provider is repaired by the order of the plan', async () => {
  const {reconcile, apply, plan, shop} = await seedPaymentShop(10, 0.1)
  const [known] = (await reconcile()).rows
  await shop.db.writes.run(db =>
    db
      .updateTable('order_transaction')
      .set({custom_fields: null})
      .where('id', '=', known?.transaction as string)
      .execute(),
  )
  const [missed] = (await reconcile('--plan', plan)).rows
  expect(missed).toMatchObject({kind: 'capture-missed', transaction: known?.transaction})
  expect((await apply('--yes')).rows).toMatchObject([{result: 'applied'}])
  expect(await stateOf(shop, missed?.transaction as string)).toBe('paid')
})

test('the provider is asked for the sender of a stored event that nobody knows, which then is sent', async () => {
  const {reconcile, plan, apply, run, readEvent, home} = await seedPaymentShop(10, 0.1)
  const [missed] = (await reconcile('--plan', plan)).rows
  const [, id = ''] = /^resend (WH-\S+)$/.exec(missed?.repair ?? '') ?? []
  const own = JSON.parse(await readEvent(id))
  const made = {...own, id: 'WH-MADE-UP'}
  writeFileSync(join(home, 'bare.ndjson'), [made, own].map(each => `${JSON.stringify(each)}\n`).join(''))
  await run('webhook', 'import', join(home, 'bare.ndjson'))
  const senders = async () =>
    (await run('webhook', 'list', '--fields', 'id,sender', '-o', 'csv')).stdout.split(/\r?\n/).sort()
  expect(await senders()).toEqual(expect.arrayContaining([`${id},unverified`, 'WH-MADE-UP,unverified']))
  const [planned] = (await reconcile('--plan', plan, '--force')).rows
  expect(planned?.repair).toBe(`replay ${id}`)
  expect(await senders()).toEqual(expect.arrayContaining([`${id},verified`, 'WH-MADE-UP,unverified']))
  expect((await apply('--yes')).rows).toMatchObject([{result: 'applied', after: 'paid'}])
})
