import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {openRecords} from '../../../src/records/index.js'
import {currentTime, SkippingClock} from '../../support/clock.js'
import type {Reply} from '../../support/endpoint.js'
import {event, eventId, file, GENERIC, ndjson, refusal, replay, testShop, transactionId} from '../support.js'

/** A second partial refund of a payment that was partially refunded before: its state does not change. */
const SECOND_REFUND = event(0, {type: 'PAYMENT.CAPTURE.REFUNDED', refunded: '5.00'})

const NO_CANARY = ['--canary', '0']

describe('an event whose response is lost', () => {
  test('is unknown, held and sent with --include-unknown, where its state was there before', async () => {
    const shop = await testShop({[transactionId(0)]: 'refunded_partially'})
    shop.intercept = (_, count) => (count === 1 ? {reset: true} : undefined)
    const path = file(ndjson([SECOND_REFUND]))
    const first = await replay(shop, [path, ...NO_CANARY])
    expect(first.rows[0]).toMatchObject({result: 'unknown', before: 'refunded_partially', attempts: 1})
    const {home} = first
    const plan = await replay(shop, ['--dry-run'], {home})
    expect(plan.rows[0]).toMatchObject({action: 'hold', reason: 'unknown-result'})
    expect((await replay(shop, [], {home})).rows[0]).toMatchObject({result: 'held', attempts: 0})
    expect(shop.received).toHaveLength(1)
    const sent = await replay(shop, ['--include-unknown'], {home})
    expect(sent.rows[0]).toMatchObject({result: 'unchanged', attempts: 1})
    expect(shop.received).toHaveLength(2)
  })
})

describe.each<[string, Reply]>([
  ['503', {status: 503}],
  ['429', {status: 429}],
  ['an opaque 400', refusal(GENERIC)],
])('an event that was applied and answered %s', (_, reply) => {
  test('is not sent again', async () => {
    const shop = await testShop({[transactionId(0)]: 'open'})
    shop.intercept = () => {
      shop.states.set(transactionId(0), 'paid')
      return reply
    }
    const {rows, exit} = await replay(shop, [file(ndjson([event(0)]))])
    expect(rows[0]).toMatchObject({
      result: 'applied',
      before: 'open',
      after: 'paid',
      attempts: 1,
      status: reply.status,
    })
    expect([exit, shop.received.length]).toEqual([0, 1])
  })

  test('is not sent again where the state changes after the response', async () => {
    const shop = await testShop({[transactionId(0)]: 'open'})
    shop.intercept = () => reply
    let looks = 0
    shop.searched = () => {
      if (shop.received.length === 1 && ++looks === 2) shop.states.set(transactionId(0), 'paid')
    }
    const {rows} = await replay(shop, [file(ndjson([event(0)]))])
    expect(rows[0]).toMatchObject({result: 'applied', before: 'open', after: 'paid', attempts: 1})
    expect(shop.received).toHaveLength(1)
  })
})

test('a state that changed to another one after an attempt that failed makes the result unknown', async () => {
  const shop = await testShop({[transactionId(0)]: 'open'})
  shop.intercept = () => {
    shop.states.set(transactionId(0), 'refunded')
    return {status: 503}
  }
  const {rows} = await replay(shop, [file(ndjson([event(0)])), ...NO_CANARY])
  expect(rows[0]).toMatchObject({result: 'unknown', attempts: 1})
  expect(shop.received).toHaveLength(1)
})

describe('without the state check, an unknown result holds the rest of its payment', () => {
  const capture = event(0)
  const refund = event(1, {transaction: 0, type: 'PAYMENT.CAPTURE.REFUNDED'})

  test.each([
    ['in the same file', [capture, refund], ['held', 'held']],
    ['in the inbox alone', [refund], ['held']],
  ])('%s', async (_, events, outcomes) => {
    const shop = await testShop({[transactionId(0)]: 'open'})
    shop.intercept = (_, count) => (count === 1 ? {reset: true} : undefined)
    const first = await replay(shop, [file(ndjson([capture])), '--no-check-state', ...NO_CANARY])
    expect(first.rows[0]).toMatchObject({result: 'unknown'})
    const {home} = first
    const second = await replay(shop, [file(ndjson(events)), '--no-check-state'], {home})
    expect(second.rows.map(({result}) => result)).toEqual(outcomes)
    expect(second.rows.at(-1).detail).toBe(
      `blocked: the result of ${eventId(0)}, an earlier event, is unknown`,
    )
    expect(shop.arrived()).toEqual([eventId(0)])
    const all = await replay(shop, [file(ndjson(events)), '--no-check-state', '--include-unknown'], {home})
    expect(all.rows.every(({attempts}) => attempts > 0)).toBe(true)
  })

  test('and counts as held in the plan', async () => {
    const shop = await testShop({[transactionId(0)]: 'open'})
    shop.intercept = () => ({reset: true})
    const {home} = await replay(shop, [file(ndjson([capture])), '--no-check-state', ...NO_CANARY])
    const path = file(ndjson([capture, refund, event(2)]))
    const {stderr} = await replay(shop, [path, '--no-check-state', '--dry-run'], {home})
    expect(stderr).toContain('1 to send, 1 held (blocked), 1 held (unknown-result); nothing was sent')
  })
})

describe('with the state check, an unknown result holds the rest of its payment', () => {
  const capture = event(0)
  const later = event(1, {transaction: 0, type: 'PAYMENT.CAPTURE.REFUNDED', refunded: '7.00'})
  const isBlocked = {
    result: 'held',
    detail: `blocked: the result of ${eventId(0)}, an earlier event, is unknown`,
  }

  /** A shop, and a home where the result of the event is unknown. */
  const lose = async (first: object, state: string) => {
    const shop = await testShop({[transactionId(0)]: state})
    shop.intercept = (_, count) => (count === 1 ? {reset: true} : undefined)
    const {rows, home} = await replay(shop, [file(ndjson([first])), '--no-check-state', ...NO_CANARY])
    expect(rows[0]).toMatchObject({result: 'unknown'})
    return {shop, home}
  }

  test.each([
    ['in the selection', [SECOND_REFUND, later]],
    ['outside of it', [later]],
  ])('%s', async (_, events) => {
    const {shop, home} = await lose(SECOND_REFUND, 'refunded_partially')
    const path = file(ndjson(events))
    expect((await replay(shop, [path], {home})).rows.at(-1)).toMatchObject(isBlocked)
    expect(shop.arrived()).toEqual([eventId(0)])
    const all = await replay(shop, [path, '--include-unknown'], {home})
    expect(all.rows.every(({attempts}) => attempts > 0)).toBe(true)
  })

  test('held as out-of-order itself', async () => {
    const {shop, home} = await lose(capture, 'refunded_partially')
    const {rows, stderr} = await replay(shop, [file(ndjson([capture, later])), '--dry-run'], {home})
    expect(rows[0]).toMatchObject({action: 'hold', reason: 'out-of-order'})
    expect(rows[1]).toMatchObject({action: 'hold', reason: 'blocked'})
    expect(stderr).toContain('0 to send, 1 held (blocked), 1 held (out-of-order)')
  })

  test('but not where the state shows what came of it, ten minutes later', async () => {
    const {shop, home} = await lose(capture, 'open')
    const path = file(ndjson([event(1, {transaction: 0})]))
    expect((await replay(shop, [path], {home})).rows[0]).toMatchObject(isBlocked)
    const {rows} = await replay(shop, [path], {home, clock: new SkippingClock(660_000)})
    expect(rows[0]).toMatchObject({result: 'applied', before: 'open', after: 'paid'})
  })
})

test('a failed event is unknown once a redelivery of the provider got no response', async () => {
  const shop = await testShop({[transactionId(0)]: 'refunded_partially'})
  shop.intercept = () => ({status: 413})
  const {home, rows} = await replay(shop, [file(ndjson([SECOND_REFUND])), '--no-check-state', ...NO_CANARY])
  expect(rows[0]).toMatchObject({result: 'rejected'})
  const records = await openRecords(join(home, 'records.db'), currentTime)
  await records.captures.storeResult(shop.url, {
    ...{id: eventId(0), status: 'unknown', answer: null, message: 'no answer', at: currentTime()},
    ...{arrivedWith: 'token' as const, inFlightUntilMs: null},
  })
  await records.close()
  for (const flags of [[], ['--no-check-state']]) {
    const plan = await replay(shop, ['--dry-run', ...flags], {home})
    expect(plan.rows[0]).toMatchObject({action: 'hold', reason: 'unknown-result'})
  }
})
