import {expect, test} from 'vitest'
import {currentTime, StoppedClock, timeAgo} from '../support/clock.js'
import {testContext} from '../support/context.js'
import {storectl} from '../support/storectl.js'
import {event, eventId, FAST, file, ndjson, openPayments, replay, testShop, transactionId} from './support.js'

/** A shop of payments that were all paid by a replay, and are open again, as after a backup. */
async function restored(count: number) {
  const {states, events} = openPayments(count)
  const shop = await testShop(states)
  const path = file(ndjson(events))
  const {home} = await replay(shop, [path])
  expect(shop.received).toHaveLength(count)
  shop.received.splice(0)
  const restore = () => {
    for (const [id, state] of Object.entries(states)) shop.states.set(id, state)
  }
  restore()
  return {shop, home, restore, events}
}

const AGAIN = ['--include-delivered']

test('after a shop was restored, what was delivered is sent again, in the order of each transaction', async () => {
  const shop = await testShop({[transactionId(7)]: 'open'})
  const minute = (minutes: number) => timeAgo(minutes * 60_000)
  const events = [
    event(1, {transaction: 7, createdAt: minute(20)}),
    event(2, {transaction: 7, type: 'PAYMENT.CAPTURE.REFUNDED', createdAt: minute(10)}),
  ]
  const {home} = await replay(shop, [file(ndjson(events))])
  expect(shop.states.get(transactionId(7))).toBe('refunded')
  shop.states.set(transactionId(7), 'open')
  const {outcomes, exit} = await replay(shop, AGAIN, {home})
  expect(exit).toBe(0)
  expect(outcomes.map(([, result]) => result)).toEqual(['applied', 'applied'])
  expect(shop.states.get(transactionId(7))).toBe('refunded')
})

test('given again after an interruption it carries on, and once it is done it sends nothing', async () => {
  const {shop, home} = await restored(20)
  const interrupted = testContext({env: shop.env, home})
  shop.intercept = (_, count) => {
    if (count === 8) interrupted.interruption.stop('SIGINT')
    return undefined
  }
  const first = await storectl(['webhook', 'replay', ...AGAIN, ...FAST], interrupted)
  const sent = shop.received.length
  expect(sent).toBeLessThan(20)
  expect(first.stderr).toMatch(
    new RegExp(`interrupted; ${20 - sent} not sent; to resume: storectl run resume \\w{16}`),
  )
  shop.intercept = () => undefined
  expect((await replay(shop, AGAIN, {home})).exit).toBe(0)
  expect(shop.received).toHaveLength(20)
  expect(new Set(shop.arrived()).size).toBe(20)

  const again = await replay(shop, AGAIN, {home})
  expect(again.exit).toBe(0)
  expect(shop.received).toHaveLength(20)
  expect(again.rows[0]).toMatchObject({result: 'skipped'})
  expect(again.rows[0].detail).toContain('--restart')
})

test('--restart, or other words, are another purpose', async () => {
  const {shop, home, restore} = await restored(3)
  await replay(shop, [...AGAIN, '--since', '2d'], {home})
  expect(shop.received).toHaveLength(3)
  restore()
  await replay(shop, [...AGAIN, '--since', '2d'], {home})
  expect(shop.received).toHaveLength(3)
  await replay(shop, [...AGAIN, '--since', '2d', '--restart'], {home})
  expect(shop.received).toHaveLength(6)
  restore()
  await replay(shop, [...AGAIN, '--since', '3d'], {home})
  expect(shop.received).toHaveLength(9)
})

test('what got no answer when it was sent again is looked up before it is sent once more', async () => {
  const {shop, home} = await restored(1)
  shop.intercept = () => {
    shop.states.set(transactionId(0), 'paid')
    return {reset: true}
  }
  shop.failsToFind = () => shop.received.length > 0
  const lost = await replay(shop, [...AGAIN, '--retries', '0', '--canary', '0'], {home})
  expect(lost.outcomes).toEqual([[eventId(0), 'unknown']])
  shop.failsToFind = () => false
  const {rows} = await replay(shop, AGAIN, {home})
  expect(rows).toMatchObject([{result: 'applied', attempts: 0}])
  expect(rows[0].detail).toContain('looked up')
  expect(shop.received).toHaveLength(1)
})

test('what a machine delivered whose clock is behind is not sent once more', async () => {
  const {shop, home, restore} = await restored(4)
  const clockAt = (ms: number) => new StoppedClock(new Date(currentTime().getTime() + ms).toISOString())
  const interrupted = testContext({env: shop.env, home, clock: clockAt(0)})
  shop.intercept = () => {
    interrupted.interruption.stop('SIGINT')
    return undefined
  }
  await storectl(['webhook', 'replay', ...AGAIN, ...FAST, '--concurrency', '1'], interrupted)
  shop.intercept = () => undefined
  const sent = shop.received.length
  expect(sent).toBeLessThan(4)
  await replay(shop, AGAIN, {home, clock: clockAt(-600_000)})
  expect(shop.received).toHaveLength(4)
  restore()
  await replay(shop, AGAIN, {home, clock: clockAt(60_000)})
  expect(shop.received).toHaveLength(4)
})
