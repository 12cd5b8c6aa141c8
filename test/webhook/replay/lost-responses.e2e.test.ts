import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {SkippingClock} from '../../support/clock.js'
import {warmHome} from '../../support/home.js'
import {ended, startProcess} from '../../support/process.js'
import {event, ndjson, replay, type TestShop, testShop, transactionId} from '../support.js'

/** A second partial refund of a payment that was partially refunded before: its state does not change. */
const SECOND_REFUND = event(0, {type: 'PAYMENT.CAPTURE.REFUNDED', refunded: '5.00'})

/** Replays in a process that is killed when the shop gets its first event. */
async function replayKilled(shop: TestShop, events: readonly object[], onArrival: () => void) {
  const home = warmHome()
  const path = join(home, 'events.ndjson')
  writeFileSync(path, ndjson(events))
  const child = startProcess(['webhook', 'replay', path, '--yes', '-o', 'ndjson', '--canary', '0'], {
    env: {...shop.env, STORECTL_HOME: home},
  })
  shop.intercept = () => {
    onArrival()
    child.kill('SIGKILL')
    return {reset: true}
  }
  await ended(child)
  shop.intercept = () => undefined
  return home
}

test('an event whose response is lost is unknown and held after kill -9 too, where its state was there before', async () => {
  const shop = await testShop({[transactionId(0)]: 'refunded_partially'})
  const home = await replayKilled(shop, [SECOND_REFUND], () => undefined)
  expect((await replay(shop, [], {home})).rows[0]).toMatchObject({result: 'held', attempts: 0})
  expect(shop.received).toHaveLength(1)
})

test('an event whose response is lost is applied after kill -9, where its state has changed since it was sent', async () => {
  const shop = await testShop({[transactionId(0)]: 'open'})
  const home = await replayKilled(shop, [event(0)], () => shop.states.set(transactionId(0), 'paid'))
  const {rows} = await replay(shop, [], {home})
  expect(rows[0]).toMatchObject({result: 'applied', before: 'open', after: 'paid', attempts: 0})
  expect(shop.received).toHaveLength(1)
})

test('an event whose response is lost is sent ten minutes after kill -9, where its state has not changed', async () => {
  const shop = await testShop({[transactionId(0)]: 'open'})
  const home = await replayKilled(shop, [event(0)], () => undefined)
  expect((await replay(shop, [], {home})).rows[0]).toMatchObject({result: 'held', attempts: 0})
  const later = await replay(shop, [], {home, clock: new SkippingClock(660_000)})
  expect(later.rows[0]).toMatchObject({result: 'applied', attempts: 1})
  expect(shop.received).toHaveLength(2)
})
