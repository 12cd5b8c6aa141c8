import {describe, expect, test} from 'vitest'
import {SkippingClock} from '../../support/clock.js'
import type {Reply} from '../../support/endpoint.js'
import {
  apply,
  event,
  eventId,
  file,
  GENERIC,
  ndjson,
  refusal,
  replay,
  SHOP_ERROR,
  type TestShop,
  testShop,
  transactionId,
} from '../support.js'

const NO_CANARY = ['--canary', '0']
const LATER_MS = 720_000

/** A shop that is at work on an event after it was given up, and has done it by the third look from then on. */
async function slowShop(reply: Reply, tookMs = 0) {
  const shop = await testShop({[transactionId(0)]: 'open'})
  const clock = new SkippingClock()
  let handled = 0
  let looks = 0
  const work: (() => void)[] = []
  shop.searched = () => {
    if (work.length > 0 && ++looks === 3) for (const end of work.splice(0)) end()
  }
  shop.intercept = async request => {
    if (tookMs > 0) await clock.sleep(tookMs)
    work.push(() => {
      handled++
      apply(request, shop.states)
    })
    return reply
  }
  return {shop, clock, countHandled: () => handled}
}

describe.each<[string, Reply, number]>([
  ['408', {status: 408}, 0],
  ['504', {status: 504}, 0],
  ['501', {status: 501}, 0],
  ['a 500 of something else', {status: 500, body: '<html>'}, 0],
  ['520', {status: 520}, 0],
  ['a slow 502', {status: 502}, 2500],
  ['a slow 503', {status: 503, headers: {'retry-after': '1'}}, 2500],
  ['a cut connection', {reset: true}, 0],
])('an event that the shop is still at work on after %s', (_, reply, tookMs) => {
  test('is handled once, and applied as soon as that shows', async () => {
    const {shop, clock, countHandled} = await slowShop(reply, tookMs)
    const {rows, exit, stderr} = await replay(shop, [file(ndjson([event(0)])), ...NO_CANARY], {clock})
    expect(rows[0]).toMatchObject({result: 'applied', before: 'open', after: 'paid', attempts: 1})
    expect(stderr.match(/^calls in doubt: 1, since \S+; given up, .* until \S+Z$/gm)).toHaveLength(1)
    expect([exit, shop.received.length, countHandled()]).toEqual([0, 1, 1])
  })
})

test('a fast 503 without effect is sent again, after two looks that show no change', async () => {
  const shop = await testShop({[transactionId(0)]: 'open'})
  shop.intercept = (_, count) => (count === 1 ? {status: 503} : undefined)
  let looks = 0
  shop.searched = () => {
    if (shop.received.length === 1) looks++
  }
  const {rows} = await replay(shop, [file(ndjson([event(0)]))])
  expect(rows[0]).toMatchObject({result: 'applied', attempts: 2})
  expect(looks).toBeGreaterThanOrEqual(3)
})

test('--grace-period 0 makes it unknown at once, and the run does not send it again', async () => {
  const shop = await testShop({[transactionId(0)]: 'open'})
  shop.intercept = () => ({status: 504})
  let looks = 0
  shop.searched = () => {
    if (shop.received.length === 1) looks++
  }
  const {rows} = await replay(shop, [file(ndjson([event(0)])), '--grace-period', '0', ...NO_CANARY])
  expect(rows[0]).toMatchObject({result: 'unknown', status: 504, attempts: 1})
  expect(looks).toBe(1)
})

describe('a second partial refund', () => {
  const refund = event(0, {type: 'PAYMENT.CAPTURE.REFUNDED', refunded: '5.00'})

  test.each<[string, Reply]>([
    ['503', {status: 503}],
    ['502', {status: 502}],
    ['504', {status: 504}],
    ['429', {status: 429}],
    ['404', {status: 404}],
    ['413', {status: 413}],
    ['a 500 of the shop', SHOP_ERROR],
    ['the one text for everything', refusal(GENERIC)],
    ['no data', refusal('No webhook data sent')],
  ])('is unknown after %s, and held', async (_, reply) => {
    const shop = await testShop({[transactionId(0)]: 'refunded_partially'})
    shop.intercept = () => reply
    const {rows, home} = await replay(shop, [file(ndjson([refund])), ...NO_CANARY])
    expect(rows[0]).toMatchObject({result: 'unknown', attempts: 1})
    const later = await replay(shop, ['--dry-run'], {home, clock: new SkippingClock(LATER_MS)})
    expect(later.rows[0]).toMatchObject({action: 'hold', reason: 'unknown-result'})
    expect(shop.received).toHaveLength(1)
  })

  test.each<[string, Reply, string]>([
    ['a refused token', refusal('Shopware token is invalid'), 'failed'],
    ['403', {status: 403}, 'failed'],
  ])('failed after %s: that came before the event', async (_, reply, result) => {
    const shop = await testShop({[transactionId(0)]: 'refunded_partially'})
    shop.intercept = () => reply
    const {rows} = await replay(shop, [file(ndjson([refund])), ...NO_CANARY])
    expect(rows[0]).toMatchObject({result, attempts: 1})
  })

  test.each<[string, Reply]>([
    ['400', refusal(GENERIC)],
    ['429', {status: 429}],
    ['503', {status: 503}],
  ])('failed after %s without the state check', async (_, reply) => {
    const shop = await testShop()
    shop.intercept = () => reply
    const {rows} = await replay(shop, [file(ndjson([refund])), '--no-check-state', ...NO_CANARY])
    expect(rows[0]).toMatchObject({result: 'failed', attempts: 4})
  })
})

describe('what the shop itself answers with 500', () => {
  const answered = async (state?: string) => {
    const shop = await testShop({[transactionId(0)]: 'open'})
    shop.intercept = () => {
      if (state !== undefined) shop.states.set(transactionId(0), state)
      return SHOP_ERROR
    }
    const {rows} = await replay(shop, [file(ndjson([event(0)])), ...NO_CANARY])
    expect(shop.received).toHaveLength(1)
    return rows[0]
  }

  test('is applied where the state changed', async () => {
    expect(await answered('paid')).toMatchObject({result: 'applied', status: 500})
  })

  test('is rejected where it would have, and did not', async () => {
    expect(await answered()).toMatchObject({result: 'rejected', status: 500})
  })

  test('is unknown where the state is another one', async () => {
    expect(await answered('refunded')).toMatchObject({result: 'unknown', status: 500})
  })
})

describe('an answer that somebody else got', () => {
  /** A line of nginx with an event, answered so long ago. */
  const line = (status: number, agoMs: number) => {
    const at = new Date(new SkippingClock(-agoMs).now()).toISOString()
    return JSON.stringify({
      time_iso8601: at,
      request: 'POST /api/_action/paypal/webhook/execute HTTP/1.1',
      status: String(status),
      request_body: JSON.stringify(event(0)),
    })
  }

  const planned = async (shop: TestShop, status: number, agoMs: number) => {
    const {rows} = await replay(shop, [
      file(line(status, agoMs), 'access.log'),
      ...['--dry-run', '--include-unverified'],
    ])
    return rows[0]
  }

  test.each([408, 499, 502, 504, 520])('%i holds the event for ten minutes', async status => {
    const shop = await testShop({[transactionId(0)]: 'open'})
    expect(await planned(shop, status, 120_000)).toMatchObject({
      action: 'hold',
      reason: 'unknown-result',
      detail: expect.stringContaining('counts as not applied from'),
    })
    expect(await planned(shop, status, LATER_MS)).toMatchObject({action: 'send'})
  })

  test('503 does not', async () => {
    const shop = await testShop({[transactionId(0)]: 'open'})
    expect(await planned(shop, 503, 120_000)).toMatchObject({action: 'send'})
  })
})

test('nothing of a payment is sent while the shop may be at work on one of its events', async () => {
  const shop = await testShop({[transactionId(0)]: 'open'})
  shop.intercept = (_, count) => (count === 1 ? {status: 504} : undefined)
  const [older, newer] = [event(1, {transaction: 0}), event(2, {transaction: 0})]
  const first = await replay(shop, [file(ndjson([newer])), ...NO_CANARY])
  expect(first.rows[0]).toMatchObject({result: 'unknown'})
  const path = file(ndjson([older]))
  const soon = await replay(shop, [path], {home: first.home})
  expect(soon.rows[0]).toMatchObject({
    result: 'held',
    detail: `blocked: the shop may still be at work on ${eventId(2)}, another event of its payment`,
  })
  const later = await replay(shop, [path], {
    home: first.home,
    clock: new SkippingClock(LATER_MS),
  })
  expect(later.rows[0]).toMatchObject({result: 'applied'})
})
