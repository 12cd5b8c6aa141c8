import type {Money} from '../../../src/language/amount-totals.js'
import type {Item, Result} from '../../../src/runs/journal/item.js'
import type {DeliveryTransport} from '../../../src/webhook/delivery/delivery.js'
import {readEvent} from '../../../src/webhook/event/read-event.js'
import type {PaymentEvent} from '../../../src/webhook/inbox/inbox.js'
import {createActivityLookup} from '../../../src/webhook/inbox/payment-activity.js'
import {createReplayOperation, type PlannedDelivery} from '../../../src/webhook/replay/replay-operation.js'
import {captureCompleted} from '../../support/events.js'

export const NOW = new Date('2026-11-20T12:00:00Z')
const PAYMENT = 'a'.repeat(32)
const TOTAL = {currency: 'EUR', payUponInvoice: false} as const

/** A capture of the payment, planned to be sent. */
export function plannedCapture(more: Partial<PlannedDelivery> = {}): Item<PlannedDelivery> {
  const {id, body} = captureCompleted({transactionId: PAYMENT})
  const event = readEvent(Buffer.from(body), 'file', NOW, [])
  if ('unusable' in event) throw new Error(event.unusable)
  const stored = {
    ...({status: 'failed', attempts: 1, answer: 400, message: null, changedAt: NOW} as const),
    ...{hasConflict: false, isInFlight: false, sender: 'token' as const},
    ...({verification: 'not-checked', verificationReason: null, orderNumber: null, cause: null} as const),
  }
  const value: PlannedDelivery = {
    event: {...event, ...stored},
    ...{orderingKey: PAYMENT, action: 'send', reason: null, detail: null, state: 'open'},
    ...{isUnsure: false, isNamed: false, content: {headers: [], body: event.body}},
    ...more,
  }
  return {key: id, orderingKey: PAYMENT, contentHash: event.sha256, value}
}

/** Another event of the payment, as the inbox has it. */
export const otherEvent = (
  status: PaymentEvent['status'],
  more: Partial<PaymentEvent> = {},
): PaymentEvent => ({
  ...{id: 'WH-OTHER', createdAt: NOW, changedAtMs: NOW.getTime(), status, attempts: 1},
  ...{isInFlight: false, movesPayment: true, hasConflict: false, sender: 'token' as const},
  ...{sha256: plannedCapture().value.event.sha256, ...more},
})

/**
 * A shop whose payment is in a state, an inbox with events of the payment, and the states in which one was sent.
 *
 * @param mayStillArrive whether the provider delivers what it was asked for
 * @param total what the payment is over
 * @param ordered what the provider's order has captured; absent where the provider is not asked
 */
export function openPayment(
  result: Result,
  beforeLookup: () => void = () => undefined,
  {
    includeUnknown = false,
    mayStillArrive = false,
    total = 100,
    ordered,
  }: {includeUnknown?: boolean; mayStillArrive?: boolean; total?: number; ordered?: readonly Money[]} = {},
) {
  const payment = {
    ...{state: 'open', nowMs: NOW.getTime()},
    events: [] as PaymentEvent[],
    sentIn: [] as string[],
  }
  const transport: DeliveryTransport = {
    deliver: async (_delivery, _before, onAnswered) => {
      payment.sentIn.push(payment.state)
      onAnswered()
      return result
    },
    mayStillArrive: () => mayStillArrive,
    ...(mayStillArrive && ({via: 'provider'} as const)),
  }
  const find = async () => {
    beforeLookup()
    return {id: PAYMENT, orderId: 'O1', state: payment.state, ...TOTAL, amountTotal: total} as const
  }
  const inbox = {findPaymentEvents: async () => new Map([[`id:${PAYMENT}`, [...payment.events]]])}
  const operation = createReplayOperation({
    ...{run: '1', transport, now: () => new Date(payment.nowMs)},
    transactions: {find, findSoon: find, askNow: () => undefined},
    findOrdered: ordered && (async () => ordered),
    findActivity: createActivityLookup(inbox, 'shop', Number.NEGATIVE_INFINITY),
    rules: {
      ...{maxAgeMs: undefined, presumeLostAfterMs: 600_000, checkState: true, includeDelivered: false},
      ...{includeUnknown, includeOutOfOrder: false, includeUnverified: false},
    },
  })
  return {payment, operation}
}
