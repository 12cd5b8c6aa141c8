import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import type {ShopVersionName} from '../../../src/shop/model/versions.js'
import {seedShop} from '../../../src/shop/seed/seed.js'
import {seedPayments} from '../../../src/shop/seed/seed-payments.js'
import {StoppedClock} from '../../support/clock.js'
import {captureCompleted} from '../../support/events.js'
import {temporaryFolder} from '../../support/home.js'
import {stateOf, type TestShop, testShop} from '../../support/shop.js'
import {storectl} from '../../support/storectl.js'

interface Row {
  readonly kind: string
  readonly transaction: string | null
  readonly movements: readonly string[]
  readonly repair: string
  readonly result: string
  readonly detail: string
}

const HOUR_MS = 3_600_000

/** A shop and its provider with payments of the last days, and an operator of both. */
async function seeded(count: number, drift: number, shopVersion?: ShopVersionName) {
  const clock = new StoppedClock(new Date().toISOString())
  const shop = await testShop({clock, ...(shopVersion && {shopVersion})})
  const {customers} = await seedShop({customers: 5, orders: 0}, {db: shop.db})
  const deps = {db: shop.db, signal: new AbortController().signal, onProgress: () => {}}
  await seedPayments({count, drift}, {seed: 1, customers, now: clock.now()}, deps)
  const home = temporaryFolder()
  const provider = `${shop.url}/provider/paypal`
  const {clientId, clientSecret, webhookToken, providerClientId, providerClientSecret} = shop.credentials
  const env = {
    ...{STORECTL_URL: shop.url, STORECTL_CLIENT_ID: clientId, STORECTL_CLIENT_SECRET: clientSecret},
    ...{STORECTL_WEBHOOK_TOKEN: webhookToken, STORECTL_PROVIDER_URL: provider},
    STORECTL_PROVIDER_CLIENT_ID: providerClientId,
    STORECTL_PROVIDER_CLIENT_SECRET: providerClientSecret,
  }
  const reconcile = async (...words: string[]) => {
    const ended = await storectl(['payment', 'reconcile', '-o', 'ndjson', ...words], {home, env})
    const rows = ended.stdout
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line) as Row)
    return {...ended, rows}
  }
  const plan = join(home, 'repair.plan')
  const apply = (...words: string[]) =>
    reconcile('--apply', plan, '--rate', 'none', '--max', 'none', ...words)
  const run = (...words: string[]) => storectl(words, {home, env})
  return {shop, home, plan, reconcile, apply, run, refund: await signIn(shop)}
}

/** Refunds captures at the provider, as a person would. */
async function signIn({url, credentials: {providerClientId, providerClientSecret}}: TestShop) {
  const base = `${url}/provider/paypal`
  const basic = Buffer.from(`${providerClientId}:${providerClientSecret}`).toString('base64')
  const headers = {authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded'}
  const granted = await fetch(`${base}/v1/oauth2/token`, {
    method: 'POST',
    headers,
    body: 'grant_type=client_credentials',
  })
  const {access_token: token} = (await granted.json()) as {access_token: string}
  return (capture: string) =>
    fetch(`${base}/v2/payments/captures/${capture}/refund`, {
      method: 'POST',
      headers: {authorization: `Bearer ${token}`},
    })
}

/** How many rows have each value, by its name. */
function countBy(rows: readonly Row[], key: 'kind' | 'result'): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const row of rows) counts[row[key]] = (counts[row[key]] ?? 0) + 1
  return counts
}

test('a plan repairs what a run can, and what is left to a person is gone once they have acted', async () => {
  const {reconcile, apply, plan, refund, run} = await seeded(200, 0.1)
  const found = await reconcile('--plan', plan)
  expect([found.exit, found.rows.length]).toEqual([3, 20])
  expect(found.stderr).toMatch(/repair\.plan: plan [0-9a-f]{12} of 20 payments/)

  const repaired = await apply('--yes')
  expect(repaired.exit).toBe(3)
  expect(countBy(repaired.rows, 'result')).toEqual({applied: 10, held: 10})
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
  const {reconcile, apply, plan, run, home, shop} = await seeded(10, 0.1)
  const [missed] = (await reconcile()).rows
  expect(missed?.kind).toBe('capture-missed')
  const transactionId = missed?.transaction as string
  const createTime = new Date(shop.clock.now().getTime() - HOUR_MS).toISOString()
  const event = captureCompleted({transactionId, createTime})
  writeFileSync(join(home, 'event.json'), event.body)
  await run('webhook', 'import', join(home, 'event.json'))
  await run('webhook', 'list')
  const [planned] = (await reconcile('--plan', plan)).rows
  expect(planned?.repair).toBe(`replay ${event.id}`)
  const {rows} = await apply('--yes')
  expect(rows).toMatchObject([{result: 'applied', before: 'open', after: 'paid', detail: 'open → paid'}])
  expect((await run('webhook', 'list', '--status', 'delivered', '-o', 'id')).stdout.trim()).toBe(event.id)
})

test('what was repaired meanwhile, or differs in another way now, is left as it is', async () => {
  const {reconcile, apply, plan, shop} = await seeded(20, 0.1)
  const found = await reconcile('--plan', plan)
  expect(found.rows.map(({kind}) => kind).sort()).toEqual(['capture-missed', 'refund-missed'])
  const move = (kind: string, action: string) => {
    const {transaction} = found.rows.find(row => row.kind === kind) as Row
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
    const {reconcile, apply, plan, shop} = await seeded(190, 0.1, version)
    const found = await reconcile('--plan', plan, '--where', 'state = "authorized"')
    const voided = found.rows.find(({repair}) => repair === 'transition cancel') as Row
    expect(voided.kind).toBe('cancelled-at-provider')
    await apply('--yes')
    expect(await stateOf(shop, voided.transaction as string)).toBe('cancelled')
  },
)

test('a plan that was edited, or is for another shop, is refused', async () => {
  const {reconcile, apply, plan} = await seeded(10, 0.1)
  await reconcile('--plan', plan)
  const text = readFileSync(plan, 'utf8')
  writeFileSync(plan, text.replace('"paid"', '"refunded"'))
  expect(await apply('--yes')).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('it was edited or cut off'),
  })
  writeFileSync(plan, text)
  const elsewhere = await storectl(['payment', 'reconcile', '--apply', plan, '--yes', '--profile', 'local'])
  expect(elsewhere).toMatchObject({exit: 2, stderr: expect.stringContaining('The plan is for http')})
})
