import {expect, test} from 'vitest'
import {temporaryFolder} from '../support/home.js'
import {storectl} from '../support/storectl.js'
import {event, eventId, file, GENERIC, ndjson, refusal, replay, testShop, transactionId} from './support.js'

/** A shop with two payments that are paid already, one that is open, and two events of payments that it does not know. */
async function inbox() {
  const shop = await testShop({
    [transactionId(1)]: 'paid',
    [transactionId(2)]: 'paid',
    [transactionId(3)]: 'open',
  })
  const home = temporaryFolder()
  const run = (words: string[]) => storectl(['webhook', ...words], {home, env: shop.env})
  await run(['import', file(ndjson([1, 2, 3, 4, 5].map(index => event(index))))])
  return {shop, home, run}
}

test('diagnose groups by cause: count, amount, times, an example in full and one command for all', async () => {
  const {run} = await inbox()
  const groups = JSON.parse((await run(['diagnose', '--since', '1d', '-o', 'json'])).stdout)
  expect(
    groups.map(({cause, count, amount, next}: Record<string, unknown>) => [cause, count, amount, next]),
  ).toEqual([
    [
      'unknown-transaction',
      2,
      '20.00 EUR',
      'storectl webhook resolve --since 1d --cause unknown-transaction --reason TEXT',
    ],
    [
      'already-applied',
      2,
      '20.00 EUR',
      'storectl webhook resolve --since 1d --cause already-applied --reason TEXT',
    ],
    ['not-sent', 1, '10.00 EUR', 'storectl webhook replay --since 1d --cause not-sent'],
  ])
  expect(groups[0].firstAt < groups[0].lastAt).toBe(true)
  expect(groups[2].example).toMatchObject({
    id: eventId(3),
    evidence: expect.arrayContaining(['state now: open']),
  })
})

test('on a narrow terminal no command is cut', async () => {
  const {run} = await inbox()
  const {stdout} = await run(['diagnose', '--cause', 'unknown-transaction', '-o', 'table'])
  expect(stdout).toMatch(/Cause +unknown-transaction\nEvents +2\nAmount +20\.00 EUR\n/)
  expect(stdout).toMatch(/^Next +storectl webhook resolve --cause unknown-transaction --reason TEXT$/m)
  expect(stdout).not.toContain('already-applied')
})

test('--cause and --where choose the same events in list, replay and resolve', async () => {
  const {shop, home, run} = await inbox()
  const chosen = ['--cause', 'unknown-transaction', '--where', `id = "${eventId(5)}"`]
  expect((await run(['list', ...chosen, '-o', 'id'])).stdout.trim()).toBe(eventId(5))
  const planned = await replay(shop, [...chosen, '--dry-run'], {home})
  expect(planned.rows.map(({id}) => id)).toEqual([eventId(5)])
  const resolved = await run(['resolve', ...chosen, '--reason', 'another shop', '-o', 'tsv'])
  expect(resolved.stdout).toContain(`resolved\t${eventId(5)}`)
  expect((await run(['list', '--cause', 'unknown-transaction', '-o', 'id'])).stdout.trim()).toBe(eventId(4))
  const sent = await replay(shop, ['--cause', 'not-sent'], {home})
  expect([sent.outcomes, shop.arrived()]).toEqual([[[eventId(3), 'applied']], [eventId(3)]])
})

test('resolve wants ids or filters, and not both', async () => {
  const {run} = await inbox()
  for (const words of [[], [eventId(1), '--cause', 'not-sent']]) {
    expect((await run(['resolve', ...words, '--reason', 'by hand', '--yes'])).exit).toBe(2)
  }
})

test('a partial refund in its target state is not to be resolved as applied', async () => {
  const shop = await testShop({[transactionId(1)]: 'refunded_partially'})
  shop.intercept = () => refusal(GENERIC)
  const home = temporaryFolder()
  const refund = event(1, {type: 'PAYMENT.CAPTURE.REFUNDED', refunded: '4.00'})
  await storectl(['webhook', 'import', file(ndjson([refund]))], {home, env: shop.env})
  const {stdout} = await storectl(['webhook', 'diagnose', eventId(1), '-o', 'json'], {home, env: shop.env})
  expect(JSON.parse(stdout)).toMatchObject({next: `storectl webhook replay ${eventId(1)}`})
})
