import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {readJsonLines} from '../../support/json-lines.js'
import {putShop} from '../../support/prepared-shop.js'
import {storectl} from '../../support/storectl.js'

interface Row {
  readonly kind: string
  readonly transaction: string
  readonly orderNumber: string
  readonly state: string
  readonly createdAt: string
  readonly amount: {readonly value: string}
}

const home = mkdtempSync(join(tmpdir(), 'storectl-'))
afterAll(() => rmSync(home, {recursive: true, force: true}))
beforeAll(async () => {
  await putShop(home)
  const counts = ['--orders', '0', '--customers', '5', '--payments', '60', '--drift', '50%']
  await storectl(['server', 'seed', ...counts], {home})
})

const read = async (...words: string[]) => {
  const {stdout} = await storectl([...words, '-o', 'ndjson'], {home})
  return readJsonLines<Row>(stdout)
}

test('a list is the newest first, and filters hold together', async () => {
  const all = await read('payment', 'list', '--all')
  expect(all.length).toBe(57)
  expect(all.map(({createdAt}) => createdAt)).toEqual(
    all
      .map(({createdAt}) => createdAt)
      .sort()
      .reverse(),
  )
  const words = ['--state', 'open', '--state', 'unconfirmed', '--where', 'amount > 20', '--limit', '3']
  const some = await read('payment', 'list', ...words)
  expect(some.length).toBeLessThanOrEqual(3)
  expect(new Set(some.map(({state}) => state === 'open' || state === 'unconfirmed'))).toEqual(new Set([true]))
  const byAmount = await read('payment', 'list', '--sort', 'amount:desc', '--limit', '5')
  const amounts = all.map(({amount}) => Number(amount.value)).sort((one, other) => other - one)
  expect(byAmount.map(({amount}) => Number(amount.value))).toEqual(amounts.slice(0, 5))
  const none = await storectl(['payment', 'list', '--state', 'chargeback', '--fail-if-empty'], {home})
  expect(none).toMatchObject({exit: 9, stderr: expect.stringContaining('No such payments from ')})
})

test('a payment is shown with both sides, its attempts and its history, whatever names it', async () => {
  const found = await read('payment', 'reconcile')
  const missed = found.find(({kind}) => kind === 'capture-missed') as Row
  await storectl(
    [
      'api',
      'POST',
      `/api/_action/order_transaction/${missed.transaction}/state/cancel`,
      '--yes',
      '--profile',
      'local',
    ],
    {home},
  )
  for (const word of [missed.transaction, missed.orderNumber]) {
    const {stdout} = await storectl(['payment', 'show', word, '-o', 'json'], {home})
    expect(JSON.parse(stdout)).toMatchObject({
      ...{
        transaction: missed.transaction,
        state: 'cancelled',
        difference: 'cancelled-late',
        expected: 'paid',
      },
      movements: [{kind: 'capture', status: 'done', amount: {currency: 'EUR'}}],
      history: [{from: missed.state, to: 'cancelled', action: 'cancel'}],
    })
  }
  const shown = await storectl(['payment', 'show', missed.orderNumber], {home, terminal: true})
  expect(shown.stdout.match(/^\S.*?(?= {2})/gm)).toEqual([
    ...['Difference', 'Detail', 'Transaction', 'Order', 'State', 'Order state', 'Amount'],
    ...['Created', 'Provider order', 'Provider', 'History'],
  ])
  expect(shown.stdout).toMatch(/Difference +cancelled-late/)
  expect(shown.stdout).toMatch(/History +\S+Z: \w+ → cancelled \(cancel\)/)
  const twice = found.filter(({kind}) => kind === 'captured-twice').at(-1) as Row
  const {stdout} = await storectl(['payment', 'show', twice.transaction, '-o', 'json'], {home})
  expect(JSON.parse(stdout).movements.length).toBe(2)
})

test('a payment that the shop does not have is exit 9', async () => {
  const {exit, stderr} = await storectl(['payment', 'show', 'NOPE'], {home})
  expect([exit, stderr]).toEqual([
    9,
    expect.stringContaining('local (the bundled shop) has no payment NOPE.'),
  ])
})
