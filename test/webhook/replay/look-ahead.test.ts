import fc from 'fast-check'
import {expect, test} from 'vitest'
import {createTransactions} from '../../../src/payment/transactions.js'
import type {Item} from '../../../src/runs/journal/item.js'
import type {DeliveryTransport} from '../../../src/webhook/delivery/delivery.js'
import {readEvent} from '../../../src/webhook/event/event.js'
import type {PaymentEvent} from '../../../src/webhook/inbox/inbox.js'
import {createActivityLookup} from '../../../src/webhook/inbox/payment-activity.js'
import {createReplayOperation, type PlannedDelivery} from '../../../src/webhook/replay/replay-operation.js'
import {captureCompleted} from '../../support/events.js'

const NOW = new Date('2026-11-20T12:00:00Z')
const PAYMENT = 'a'.repeat(32)

/** A payment, what its shop says of it, an inbox with its events, and in which state an event of it was sent. */
function openPayment() {
  const {id, body} = captureCompleted({transactionId: PAYMENT})
  const event = readEvent(Buffer.from(body), 'file', NOW, [])
  if ('unusable' in event) throw new Error(event.unusable)
  const payment = {
    state: 'open',
    events: [] as PaymentEvent[],
    nowMs: NOW.getTime(),
    sentIn: undefined as string | undefined,
  }
  const transport: DeliveryTransport = {
    deliver: async () => {
      payment.sentIn = payment.state
      return {resultClass: 'done', result: 'applied'}
    },
    mayStillArrive: () => false,
  }
  const find = async () =>
    ({id: PAYMENT, state: payment.state, amountTotal: 100, payUponInvoice: false}) as const
  const inbox = {findPaymentEvents: async () => new Map([[`id:${PAYMENT}`, [...payment.events]]])}
  const operation = createReplayOperation({
    ...{run: '1', transport, now: () => new Date(payment.nowMs)},
    transactions: {find, findSoon: find, askNow: () => undefined},
    findActivity: createActivityLookup(inbox, 'shop', Number.NEGATIVE_INFINITY),
    rules: {
      ...{maxAgeMs: undefined, checkState: true, includeDelivered: false},
      ...{includeUnknown: false, includeOutOfOrder: false, includeUnverified: false},
    },
  })
  const stored = {status: 'failed', attempts: 1, answer: 400, cause: null, changedAt: NOW} as const
  const value = {
    event: {
      ...event,
      ...stored,
      hasConflict: false,
      isInFlight: false,
      isUnverified: false,
      verification: 'not-checked',
      verificationReason: null,
    },
    ...{orderingKey: PAYMENT, action: 'send' as const, reason: null, detail: null, state: 'open'},
    ...{isUnsure: false, isNamed: false, content: {headers: [], body: event.body}},
  } as const
  const item: Item<PlannedDelivery> = {key: id, orderingKey: PAYMENT, contentHash: event.sha256, value}
  return {payment, operation, item}
}

const delivered: PaymentEvent = {
  ...{id: 'WH-OTHER', createdAt: NOW, changedAtMs: NOW.getTime(), status: 'delivered', attempts: 1},
  ...{isInFlight: false, movesPayment: true},
}

/** Who refunds the payment after it was looked at, and how long after. */
const change = fc.record({
  by: fc.constantFrom('the shop', 'another replay', 'the provider through a capture'),
  waitMs: fc.integer({min: 0, max: 4000}),
})

test('an event is not sent to a payment that another delivery has changed since it was looked at', async () => {
  await fc.assert(
    fc.asyncProperty(fc.option(change), fc.option(change), async (beforePrepare, beforeSend) => {
      const {payment, operation, item} = openPayment()
      const refund = (by: string) => {
        payment.state = 'refunded'
        if (by !== 'the shop') payment.events = [delivered]
      }
      operation.lookAhead?.(item)
      await new Promise(resolve => setImmediate(() => setImmediate(resolve)))
      if (beforePrepare) {
        refund(beforePrepare.by)
        payment.nowMs += beforePrepare.waitMs
      }
      const isOld = payment.nowMs - NOW.getTime() >= 2000
      if ((await operation.prepare(item)) === 'send') {
        if (beforeSend) refund(beforeSend.by)
        await operation.execute(item, 1, () => undefined)
      }
      const byShop = (isOld ? [beforeSend] : [beforePrepare, beforeSend]).filter(
        one => one?.by === 'the shop',
      )
      if (byShop.length === 0) expect(payment.sentIn).not.toBe('refunded')
      if (!beforePrepare && !beforeSend) expect(payment.sentIn).toBe('open')
    }),
    {numRuns: 300},
  )
})

test('look-ups that nothing waits for share a call with others; the first that somebody waits for takes them along', async () => {
  const calls: string[][] = []
  const transactions = createTransactions({
    search: {
      baseUrl: new URL('https://shop.example'),
      call: async ({body}) => {
        const {ids} = JSON.parse(String(body)) as {ids: string[]}
        calls.push(ids)
        const data = ids.map(id => ({
          id,
          stateMachineState: {technicalName: 'open'},
          amount: {totalPrice: 1},
        }))
        return {status: 200, headers: {}, body: Buffer.from(JSON.stringify({data}))} as never
      },
    },
    refusal: () => new Error('refused') as never,
  })
  const find = (digit: string, how: 'find' | 'findSoon') =>
    transactions[how]({by: 'id', id: digit.repeat(32)})
  const soon = [...'0123'].map(digit => find(digit, 'findSoon'))
  await new Promise(resolve => setImmediate(() => setImmediate(resolve)))
  expect(calls).toEqual([])
  expect(await find('4', 'find')).toMatchObject({state: 'open'})
  expect(await Promise.all(soon)).toHaveLength(4)
  expect(calls.map(ids => ids.length)).toEqual([5])
})
