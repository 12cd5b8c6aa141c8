import {join} from 'node:path'
import {expect, test} from 'vitest'
import {openRecords, type Records} from '../../src/records/index.js'
import type {WebhookEvent} from '../../src/webhook/event/event.js'
import {readEvent} from '../../src/webhook/event/read-event.js'
import {openMarking} from '../runs/support.js'
import {currentTime, timeAgo} from '../support/clock.js'
import {temporaryFolder} from '../support/home.js'
import {event, eventId, file, ndjson, replay, type TestShop, testShop, transactionId} from './support.js'

const minute = (minutes: number) => timeAgo(minutes * 60_000)
const OLD = event(1, {transaction: 7, createdAt: minute(20)})
const DENIED = {transaction: 7, type: 'PAYMENT.CAPTURE.DENIED'}

const arrived = (value: object) => ({
  ...(readEvent(Buffer.from(JSON.stringify(value)), 'file', currentTime()) as WebhookEvent),
  arrivedWith: 'token' as const,
})

/** Somebody else delivers an event while a replay is between its plan and its sending. */
async function deliveredMeanwhile(shop: TestShop, home: string, delivered: object): Promise<void> {
  const records = await openRecords(join(home, 'records.db'), currentTime)
  const now = currentTime()
  const read = readEvent(Buffer.from(JSON.stringify(delivered)), 'gateway', now) as WebhookEvent
  await records.inbox.addObserved(shop.url, {source: 'gateway', from: undefined, to: '1'}, [
    {event: {...read, arrivedWith: 'token'}, answer: 200, message: null, at: now},
  ])
  await records.close()
}

/** Replays an event; after the plan has looked at its transaction, `meanwhile` happens. */
async function between(meanwhile: (shop: TestShop, home: string) => Promise<void>, words: string[] = []) {
  const shop = await testShop({[transactionId(7)]: 'open', [transactionId(8)]: 'open'})
  // The first one is slow, so that what happens meanwhile is over when the second one's turn comes.
  const first = event(0, {transaction: 8, createdAt: minute(30)})
  let home = ''
  shop.intercept = async (_, count) => {
    if (count === 1) await meanwhile(shop, home)
    return undefined
  }
  home = temporaryFolder()
  const ended = await replay(shop, [file(ndjson([first, OLD])), '--concurrency', '1', ...words], {home})
  return {...ended, shop, of: (index: number) => ended.rows.find(row => row.id === eventId(index))}
}

test('an event that is older than one that was delivered since the plan was made is held', async () => {
  const {shop, of} = await between((shop, home) =>
    deliveredMeanwhile(shop, home, event(2, {...DENIED, createdAt: minute(10)})),
  )
  expect(of(1)).toMatchObject({result: 'held', attempts: 0})
  expect(of(1).detail).toContain(`${eventId(2)}, a newer event, was delivered already`)
  expect(shop.arrived()).toEqual([eventId(0)])
})

test('also where states are not looked at', async () => {
  const {of} = await between(
    (shop, home) => deliveredMeanwhile(shop, home, event(2, {...DENIED, createdAt: minute(10)})),
    ['--no-check-state'],
  )
  expect(of(1)).toMatchObject({result: 'held', attempts: 0})
})

test('an older one that was delivered holds nothing back', async () => {
  const {of} = await between((shop, home) =>
    deliveredMeanwhile(shop, home, event(2, {...DENIED, createdAt: minute(40)})),
  )
  expect(of(1)).toMatchObject({result: 'applied', attempts: 1})
})

test('a last capture that does not add up with one that was delivered since the plan is held', async () => {
  const {shop, of} = await between((shop, home) =>
    deliveredMeanwhile(
      shop,
      home,
      event(2, {transaction: 7, final: false, amount: '4.00', createdAt: minute(40)}),
    ),
  )
  expect(of(1)).toMatchObject({
    ...{result: 'held', attempts: 0},
    detail: 'amount-differs: 10.00 EUR captured, and 4.00 EUR before; the payment is over 10.00 EUR',
  })
  expect(shop.arrived()).toEqual([eventId(0)])
})

test('an event that somebody else delivered since the plan was made is not sent', async () => {
  const {shop, of} = await between((shop, home) => deliveredMeanwhile(shop, home, OLD))
  expect(of(1)).toMatchObject({result: 'skipped', attempts: 0})
  expect(shop.arrived()).toEqual([eventId(0)])
})

/** What becomes known of an event, or is done with it, in another terminal while a replay is under way. */
const CHANGES: Readonly<Record<string, (records: Records, target: string) => Promise<unknown>>> = {
  'was resolved': async ({inbox, runs}, target) =>
    inbox.resolve(target, [eventId(1)], await openMarking(runs, target, {reason: 'by hand'})),
  'got a second body': ({inbox}, target) => inbox.add(target, [arrived({...OLD, summary: 'another'})]),
  "got the provider's own body in its place": ({inbox}, target) =>
    inbox.add(target, [{...arrived({...OLD, summary: 'genuine'}), isListed: true}]),
  'turned out to be forged': ({signatures}, target) => {
    const {id, sha256, headers, body} = arrived(OLD)
    const forged = {result: 'forged', reason: 'not-signed'} as const
    return signatures.store(target, [{id, sha256, headers, body, transmissionId: 'T-1', ...forged}])
  },
}

test.each([
  ['was resolved', 'skipped', 'resolved: resolved by hand since the plan'],
  ['got a second body', 'invalid', 'invalid: several bodies have this id by now'],
  ["got the provider's own body in its place", 'held', 'hold: it has another body than when it was planned'],
  ['turned out to be forged', 'held', 'forged: the provider did not send it'],
] as const)('an event that %s since the plan was made is not sent', async (change, result, detail) => {
  const {shop, of} = await between(async (shop, home) => {
    const records = await openRecords(join(home, 'records.db'), currentTime)
    await CHANGES[change]?.(records, shop.url)
    await records.close()
  })
  expect(of(1)).toMatchObject({result, detail, attempts: 0})
  expect(shop.arrived()).toEqual([eventId(0)])
})
