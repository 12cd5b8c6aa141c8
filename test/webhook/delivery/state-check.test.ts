import {expect, test} from 'vitest'
import {StoppedClock, timeAgo} from '../../support/clock.js'
import {
  event,
  eventId,
  file,
  GENERIC,
  ndjson,
  openPayments,
  refusal,
  replay,
  SHOP_ERROR,
  testShop,
  transactionId,
} from '../support.js'

const one = (state: string) => testShop({[transactionId(0)]: state})

test('200 without the effect that was to be expected says so', async () => {
  const shop = await one('open')
  shop.intercept = () => ({status: 200, body: '<html>under maintenance</html>'})
  const {rows} = await replay(shop, [file(ndjson([event(0)]))])
  expect(rows[0]).toMatchObject({
    result: 'unchanged',
    detail: 'is still open, expected paid',
    before: 'open',
    after: 'open',
  })
})

test('a refusal of a named event that moves backwards: sent again where the state has not changed', async () => {
  const shop = await one('paid')
  shop.intercept = (_, count) => (count === 1 ? {status: 503} : undefined)
  const denied = event(0, {type: 'PAYMENT.CAPTURE.DENIED'})
  const {rows} = await replay(shop, [file(ndjson([denied])), '--include-out-of-order'])
  expect(rows[0]).toMatchObject({result: 'applied', after: 'cancelled', attempts: 2})
})

test('a look that fails for a while is made again before anything is sent', async () => {
  const shop = await one('open')
  let isAway = false
  shop.intercept = (_, count) => {
    isAway = count === 1
    return isAway ? {status: 503} : undefined
  }
  let looks = 0
  shop.failsToFind = () => isAway && ++looks < 6
  const {rows} = await replay(shop, [file(ndjson([event(0)]))], {
    clock: new StoppedClock(timeAgo(0)),
  })
  expect(rows[0]).toMatchObject({result: 'applied', attempts: 2})
  expect(looks).toBeGreaterThan(5)
})

test('where it never comes back, nothing is sent again, and the event is unknown', async () => {
  const shop = await one('open')
  shop.intercept = () => ({reset: true})
  shop.failsToFind = () => shop.received.length > 0
  const clock = new StoppedClock(timeAgo(0))
  const {rows, exit, home} = await replay(shop, [file(ndjson([event(0)])), '--canary', '0'], {clock})
  expect(rows[0]).toMatchObject({result: 'unknown', attempts: 1})
  expect(exit).toBe(6)
  shop.failsToFind = () => false
  shop.states.set(transactionId(0), 'paid')
  const again = await replay(shop, [], {home})
  expect(again.rows[0]).toMatchObject({result: 'applied', attempts: 0})
  expect(shop.received).toHaveLength(1)
})

test('--include-unknown sends what may have been applied, where states are not looked at', async () => {
  const shop = await one('open')
  shop.intercept = () => ({reset: true})
  const path = file(ndjson([event(0)]))
  const {home} = await replay(shop, [path, '--no-check-state', '--canary', '0'])
  shop.intercept = () => undefined
  const words = [path, '--no-check-state', '--include-unknown']
  expect((await replay(shop, words, {home})).outcomes).toEqual([[eventId(0), 'accepted']])
})

test('what no state shows stays unknown until --include-unknown sends it', async () => {
  const shop = await one('open')
  shop.intercept = (_, count) => (count === 1 ? {reset: true} : {status: 200})
  const token = {
    id: eventId(1),
    create_time: timeAgo(0),
    resource_type: 'payment_token',
    event_type: 'VAULT.PAYMENT-TOKEN.CREATED',
    resource: {id: 'TOKEN1', metadata: {order_id: 'ORDER1'}},
    resource_version: '3.0',
  }
  const first = await replay(shop, [file(ndjson([token])), '--canary', '0'])
  expect([first.outcomes, first.exit]).toEqual([[[eventId(1), 'unknown']], 6])
  const again = await replay(shop, ['--canary', '0'], {home: first.home})
  expect(again.rows[0]).toMatchObject({result: 'held', attempts: 0})
  const sent = await replay(shop, ['--include-unknown'], {home: first.home})
  expect(sent.outcomes).toEqual([[eventId(1), 'accepted']])
  expect(shop.received).toHaveLength(2)
})

test('--no-check-state needs no sign-in, and says that it did not look', async () => {
  const shop = await one('open')
  const env = {STORECTL_TOKEN: undefined}
  const {rows, exit} = await replay(shop, [file(ndjson([event(0)])), '--no-check-state'], {env})
  expect(rows[0]).toMatchObject({result: 'accepted', before: null, after: null})
  expect(exit).toBe(0)
  const looking = await replay(shop, [file(ndjson([event(0)]))], {env})
  expect(looking.exit).toBe(4)
  expect(looking.stderr).toContain('--no-check-state')
})

test('what the shop found no data in is invalid, and not sent again until it is named', async () => {
  const shop = await one('open')
  shop.intercept = () => refusal('No webhook data sent')
  const path = file(ndjson([event(0)]))
  const {outcomes, home, exit} = await replay(shop, [path, '--canary', '0'])
  expect([outcomes, exit]).toEqual([[[eventId(0), 'invalid']], 5])
  expect((await replay(shop, [path], {home})).rows[0]).toMatchObject({result: 'invalid', attempts: 0})
  expect(shop.received).toHaveLength(1)
  await replay(shop, [eventId(0)], {home})
  expect(shop.received).toHaveLength(2)
})

test('a refusal of an event whose transaction is gone is told as unknown-transaction', async () => {
  const shop = await one('open')
  shop.intercept = () => {
    shop.states.clear()
    return refusal(GENERIC)
  }
  const {rows} = await replay(shop, [file(ndjson([event(0)]))])
  expect(rows[0]).toMatchObject({result: 'rejected', attempts: 1})
  expect(rows[0].detail).toContain('unknown-transaction')
})

test('a header that no request may have does not keep an event from being sent', async () => {
  const shop = await one('open')
  const headers = {'Paypal-Lines': 'a\nb', 'two words': 'x', 'Paypal-Wide': '€', 'Paypal-Good': 'ä'}
  const {rows} = await replay(shop, [file(ndjson([{headers, body: JSON.stringify(event(0))}]))])
  expect(rows[0].result).toBe('applied')
  expect(shop.received[0]?.headers['paypal-good']).toBeDefined()
})

test('a wrong base URL after something may have been applied is not a mistake of usage alone', async () => {
  const {states, events} = openPayments(2)
  const shop = await testShop(states)
  shop.intercept = (_, count) => (count === 1 ? {reset: true} : {status: 404})
  const words = [file(ndjson(events)), '--no-check-state', '--canary', '0', '--concurrency', '1']
  const {outcomes, exit} = await replay(shop, words)
  expect(outcomes.map(([, result]) => result)).toEqual(['unknown', 'failed'])
  expect(exit).toBe(6)
})

test('what is held just before it would be sent is no canary', async () => {
  const {states, events} = openPayments(30)
  const shop = await testShop(states)
  let looks = 0
  shop.searched = () => {
    if (++looks !== 2) return
    for (let index = 0; index < 5; index++) shop.states.set(transactionId(index), 'refunded')
  }
  shop.intercept = () => SHOP_ERROR
  const off = ['--concurrency', '1', '--breaker-failures', 'none', '--breaker-rate', 'none']
  const {exit, stderr} = await replay(shop, [file(ndjson(events)), ...off])
  expect(exit).toBe(7)
  expect(stderr).toContain('stopped.canary_failed')
  expect(shop.received).toHaveLength(1)
})
