import {expect, test} from 'vitest'
import {SkippingClock} from '../support/clock.js'
import type {Received} from '../support/endpoint.js'
import {until} from '../support/until.js'
import {
  apply,
  event,
  eventId,
  file,
  GENERIC,
  ndjson,
  refusal,
  replay,
  testShop,
  transactionId,
} from '../webhook/support.js'
import {type RunningCapture, rawShop, runCapture} from './support.js'

/** A capture, and a replay of event 1 whose response the shop holds back until it is released. */
async function replayHeld() {
  const shop = await rawShop()
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  let [inShop, most] = [0, 0]
  shop.answer = async (_, response) => {
    most = Math.max(most, ++inShop)
    if (shop.arrived.length === 1) await released
    inShop--
    response.end()
  }
  const capture = await runCapture(shop.url)
  const held = event(1)
  const words = ['webhook', 'replay', file(ndjson([held])), '--no-check-state', '--yes']
  const replay = capture.run(...words, '-o', 'ndjson')
  await until('the replay has sent it', () => shop.arrived.length === 1)
  const isStored = (id: string) =>
    until('the capture has stored it', async () => (await capture.inbox()).get(id)?.status === 'unknown')
  return {shop, capture, held, replay, release, isStored, countMost: () => most}
}

test('a redelivery of an event that a replay has in flight is not sent once more', async () => {
  const {shop, capture, held, replay, release, isStored} = await replayHeld()
  const redelivered = capture.send(held)
  await isStored(eventId(1))
  release()
  expect(JSON.parse((await replay).stdout)).toMatchObject({result: 'accepted'})
  expect((await redelivered).status).toBe(200)
  expect(shop.arrived).toHaveLength(1)
  expect((await capture.inbox()).get(eventId(1))).toMatchObject({status: 'delivered'})
})

test('a call waits while a replay has another event of its payment in flight', async () => {
  const {shop, capture, replay, release, isStored, countMost} = await replayHeld()
  const called = capture.send(event(2, {transaction: 1}))
  await isStored(eventId(2))
  release()
  expect((await called).status).toBe(200)
  await replay
  expect([shop.arrived.length, countMost()]).toEqual([2, 1])
})

/** A capture, and what a replay of a file gives where something happens while its first call is in doubt. */
async function replayInDoubt(
  events: readonly object[],
  during: (capture: RunningCapture) => Promise<unknown>,
) {
  const shop = await testShop({[transactionId(1)]: 'open'})
  const capture = await runCapture(shop.url)
  const clock = new SkippingClock()
  const skip = clock.sleep.bind(clock)
  let happening: Promise<unknown> | undefined
  clock.sleep = async (ms, signal) => {
    if (shop.received.some(isReplayed)) {
      happening ??= during(capture)
      await happening
    }
    await skip(ms, signal)
  }
  const words = [file(ndjson(events)), '--canary', '0']
  return {shop, capture, replayed: () => replay(shop, words, {home: capture.home, clock})}
}

const isReplayed = ({headers}: Received) => headers['x-replay-run'] !== undefined

test('a state that a call of the provider may be changing does not show that a replay’s event was applied', async () => {
  const other = event(2, {transaction: 1})
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  let called: Promise<unknown> = Promise.resolve()
  const {shop, capture, replayed} = await replayInDoubt([event(1)], async ({send}) => {
    called = send(other)
    await until('the shop is at work on it', () => shop.received.length === 3)
  })
  shop.intercept = async (request, count) => {
    if (count === 1) return refusal(GENERIC)
    if (count === 2) return {status: 504}
    apply(request, shop.states)
    await released
    return {status: 200}
  }
  expect((await capture.send(other)).status).toBe(400)
  const {rows} = await replayed()
  release()
  await called
  expect(shop.states.get(transactionId(1))).toBe('paid')
  expect(rows[0]).toMatchObject({result: 'unknown', attempts: 1})
})

test('what the provider delivers again itself does not show that the call of a replay is over', async () => {
  const refund = event(3, {transaction: 1, type: 'PAYMENT.CAPTURE.REFUNDED', refunded: '5.00'})
  const captured = event(1)
  const {shop, replayed} = await replayInDoubt([captured, refund], ({send}) => send(captured))
  shop.intercept = request => (isReplayed(request) ? {status: 504} : undefined)
  const {rows} = await replayed()
  expect(rows).toMatchObject([
    {result: 'unknown', attempts: 1},
    {result: 'held', attempts: 0},
  ])
  expect([shop.received.length, shop.states.get(transactionId(1))]).toEqual([2, 'paid'])
})

test('a later replay holds the payment, too, while the call of an earlier one may be at work', async () => {
  const shop = await testShop({[transactionId(1)]: 'open'})
  const {home, send} = await runCapture(shop.url)
  const captured = event(1)
  shop.intercept = request => (isReplayed(request) ? {status: 504} : undefined)
  const lost = await replay(shop, [file(ndjson([captured])), '--grace-period', '0'], {home})
  expect(lost.rows).toMatchObject([{result: 'unknown'}])
  expect((await send(captured)).status).toBe(200)
  const refund = event(3, {transaction: 1, type: 'PAYMENT.CAPTURE.REFUNDED', refunded: '5.00'})
  const later = await replay(shop, [file(ndjson([refund]))], {home})
  expect(later.rows).toMatchObject([{result: 'held', detail: expect.stringContaining(eventId(1))}])
  expect(shop.received).toHaveLength(2)
})
