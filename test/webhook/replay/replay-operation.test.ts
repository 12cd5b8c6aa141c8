import {expect, test} from 'vitest'
import type {Item, Result} from '../../../src/runs/journal/item.js'
import type {DeliveryTransport} from '../../../src/webhook/delivery/delivery.js'
import {readEvent} from '../../../src/webhook/event/event.js'
import type {PaymentEvent} from '../../../src/webhook/inbox/inbox.js'
import {createActivityLookup} from '../../../src/webhook/inbox/payment-activity.js'
import {createReplayOperation, type PlannedDelivery} from '../../../src/webhook/replay/replay-operation.js'
import {captureCompleted} from '../../support/events.js'

const NOW = new Date('2026-11-20T12:00:00Z')
const PAYMENT = 'a'.repeat(32)
const LOST: Result = {resultClass: 'unknown', result: 'unknown'}

function plannedCapture(more: Partial<PlannedDelivery> = {}): Item<PlannedDelivery> {
  const {id, body} = captureCompleted({transactionId: PAYMENT})
  const event = readEvent(Buffer.from(body), 'file', NOW, [])
  if ('unusable' in event) throw new Error(event.unusable)
  const stored = {status: 'failed', attempts: 1, answer: 400, cause: null, changedAt: NOW} as const
  const inbox = {
    ...event,
    ...stored,
    hasConflict: false,
    isInFlight: false,
    isUnverified: false,
    verification: 'not-checked',
    verificationReason: null,
  } as const
  const plan = {orderingKey: PAYMENT, action: 'send', reason: null, detail: null, state: 'open'} as const
  const value = {
    event: inbox,
    ...plan,
    isUnsure: false,
    isNamed: false,
    content: {headers: [], body: event.body},
  }
  return {key: id, orderingKey: PAYMENT, contentHash: event.sha256, value: {...value, ...more}}
}

const otherEvent = (status: PaymentEvent['status'], more: Partial<PaymentEvent> = {}): PaymentEvent => ({
  ...{id: 'WH-OTHER', createdAt: NOW, changedAtMs: NOW.getTime(), status, attempts: 1},
  ...{isInFlight: false, movesPayment: true, ...more},
})

/** A shop whose payment is in a state, an inbox with events of the payment, and what was sent. */
function replaying(deliver: () => Result = () => LOST) {
  const payment = {state: 'open', events: [] as PaymentEvent[], sent: 0}
  const transport: DeliveryTransport = {
    deliver: async () => {
      payment.sent++
      return deliver()
    },
    mayStillArrive: () => false,
  }
  const inbox = {findPaymentEvents: async () => new Map([[`id:${PAYMENT}`, payment.events]])}
  const find = async () =>
    ({id: PAYMENT, state: payment.state, amountTotal: 100, payUponInvoice: false}) as const
  const operation = createReplayOperation({
    ...{run: '1', transport, now: () => NOW},
    transactions: {find, findSoon: find, askNow: () => undefined},
    findActivity: async () =>
      (await createActivityLookup(inbox, 'shop', Number.NEGATIVE_INFINITY))(`id:${PAYMENT}`),
    rules: {
      ...{
        maxAgeMs: undefined,
        checkState: true,
        includeDelivered: false,
        ...{includeUnknown: false, includeOutOfOrder: false, includeUnverified: false},
      },
    },
  })
  return {payment, operation}
}

test('an event that a capture has delivered since the plan is not sent, though a newer one was delivered too', async () => {
  const {payment, operation} = replaying()
  const item = plannedCapture()
  payment.state = 'paid'
  payment.events = [otherEvent('delivered', {id: item.key, createdAt: new Date(0)}), otherEvent('delivered')]
  expect(await operation.prepare(item)).toMatchObject({result: 'skipped'})
})

test('an event is not sent when a capture has handed on another of its payment since its state was checked', async () => {
  const {payment, operation} = replaying()
  const item = plannedCapture()
  expect(await operation.prepare(item)).toBe('send')
  payment.events = [otherEvent('failed')]
  expect(await operation.execute(item, 1, () => undefined)).toMatchObject({resultClass: 'held'})
  payment.events = [otherEvent('unknown', {isInFlight: true})]
  expect(await operation.execute(item, 1, () => undefined)).toMatchObject({resultClass: 'held'})
  expect(payment.sent).toBe(0)
})

test.each(['open', 'paid'])('the state %s proves nothing once another event was delivered', async state => {
  const {payment, operation} = replaying()
  const item = plannedCapture()
  expect(await operation.prepare(item)).toBe('send')
  expect(await operation.execute(item, 1, () => undefined)).toMatchObject({resultClass: 'unknown'})
  payment.state = state
  payment.events = [otherEvent('delivered')]
  expect(await operation.probe(item)).toBe('cannot-tell')
  expect(await operation.prepare(item)).toMatchObject({resultClass: 'unknown'})
})

test('what was stored with an attempt of an earlier run tells whether others were delivered since', async () => {
  const {payment, operation} = replaying()
  payment.state = 'paid'
  payment.events = [otherEvent('delivered')]
  const stored = {stateBefore: 'open', attemptsBefore: {all: 2, delivered: 2}}
  expect(await operation.probe(plannedCapture(stored))).toMatchObject({result: 'applied'})
  const before = {...stored, attemptsBefore: {all: 1, delivered: 0}}
  expect(await operation.probe(plannedCapture(before))).toBe('cannot-tell')
})
