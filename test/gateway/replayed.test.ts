import {expect, test} from 'vitest'
import {until} from '../support/until.js'
import {event, eventId, file, ndjson} from '../webhook/support.js'
import {rawShop, runCapture} from './support.js'

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
