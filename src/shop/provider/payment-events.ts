import type {UnreportedPayment} from '../store/provider-events.js'
import type {ProviderPaymentRow} from '../store/schema/schema.js'

/** What the provider would report about a payment, by the shop's state. */
type Kind = 'completed' | 'partly-completed' | 'denied' | 'refunded' | 'partly-refunded' | 'authorized'

/** The last letter of such an event's id stands for its kind. */
const KINDS: readonly (readonly [letter: string, kind: Kind])[] = [
  ['C', 'completed'],
  ['D', 'denied'],
  ['F', 'refunded'],
  ['P', 'partly-refunded'],
  ['A', 'authorized'],
  ['Q', 'partly-completed'],
]

/** Length of a transaction id in base 36. */
const DIGITS = 25
const ID = /^WH-([0-9A-Z]{17})-([0-9A-Z]{16})([A-Z])$/

const TYPES: Readonly<Record<Kind, string>> = {
  completed: 'PAYMENT.CAPTURE.COMPLETED',
  'partly-completed': 'PAYMENT.CAPTURE.COMPLETED',
  denied: 'PAYMENT.CAPTURE.DENIED',
  refunded: 'PAYMENT.CAPTURE.REFUNDED',
  'partly-refunded': 'PAYMENT.CAPTURE.REFUNDED',
  authorized: 'PAYMENT.AUTHORIZATION.CREATED',
}

/** The provider's view of the payment; a shop without any notification still shows it as open. */
function classifyPayment({state}: Pick<UnreportedPayment, 'state'>): Kind {
  if (state === 'cancelled' || state === 'failed') return 'denied'
  if (state === 'refunded') return 'refunded'
  if (state === 'refunded_partially') return 'partly-refunded'
  if (state === 'paid_partially') return 'partly-completed'
  return state === 'authorized' ? 'authorized' : 'completed'
}

/** The id of the event about a payment; it sorts like the transaction's id. */
export function deriveEventId(payment: Pick<UnreportedPayment, 'id' | 'state'>): string {
  const digits = BigInt(`0x${payment.id}`).toString(36).toUpperCase().padStart(DIGITS, '0')
  const [letter] = KINDS.find(([, kind]) => kind === classifyPayment(payment)) ?? ['C']
  const all = `${digits}${letter}`.padStart(34, '0')
  return `WH-${all.slice(0, 17)}-${all.slice(17)}`
}

/** The transaction of such an event; `undefined` for the id of any other event. */
export function findTransactionOfEvent(eventId: string): string | undefined {
  const [, first = '', second = '', letter] = ID.exec(eventId) ?? []
  if (!KINDS.some(([known]) => known === letter)) return undefined
  let value = 0n
  for (const digit of first + second) value = value * 36n + BigInt(Number.parseInt(digit, 36))
  const hex = value.toString(16).padStart(32, '0')
  return hex.length === 32 ? hex : undefined
}

/**
 * The provider's notification about a payment; the same payment gives the same bytes.
 *
 * @param api base URL of the provider's API, for links
 * @see protocol.md §4.7
 */
export function buildPaymentEvent(payment: UnreportedPayment, api: string): Record<string, unknown> {
  const kind = classifyPayment(payment)
  const id = deriveEventId(payment)
  const type = TYPES[kind]
  return {
    id,
    event_version: '1.0',
    create_time: payment.at,
    resource_type: kind === 'authorized' ? 'authorization' : kind.includes('refunded') ? 'refund' : 'capture',
    resource_version: '2.0',
    event_type: type,
    summary: `${SUMMARIES[kind]} ${computeAmount(payment, kind)} ${payment.currency}`,
    resource: buildResource(payment, kind),
    links: [
      {href: `${api}/v1/notifications/webhooks-events/${id}`, rel: 'self', method: 'GET'},
      {href: `${api}/v1/notifications/webhooks-events/${id}/resend`, rel: 'resend', method: 'POST'},
    ],
  }
}

const SUMMARIES: Readonly<Record<Kind, string>> = {
  completed: 'Payment completed for',
  'partly-completed': 'A part of the payment completed for',
  denied: 'Payment denied for',
  refunded: 'A refund of',
  'partly-refunded': 'A refund of',
  authorized: 'A payment was authorized for',
}

function buildResource(payment: UnreportedPayment, kind: Kind): Record<string, unknown> {
  const {id, orderNumber, currency, providerOrderId} = payment
  const seconds = `${payment.at.slice(0, 19)}Z`
  const amount = {currency_code: currency, value: computeAmount(payment, kind)}
  const isRefund = kind.includes('refunded')
  return {
    id: deriveResourceId(id, kind),
    amount,
    ...(isRefund ? {seller_payable_breakdown: {gross_amount: amount, total_refunded_amount: amount}} : {}),
    ...(kind === 'completed' || kind === 'denied' ? {final_capture: true} : {}),
    ...(kind === 'partly-completed' ? {final_capture: false} : {}),
    custom_id: id,
    invoice_id: orderNumber,
    supplementary_data: {related_ids: {order_id: providerOrderId}},
    status: kind === 'denied' ? 'DECLINED' : kind === 'authorized' ? 'CREATED' : 'COMPLETED',
    create_time: seconds,
    update_time: seconds,
  }
}

/** Half of the amount for a partial capture or refund. */
function computeAmount({amountTotal}: UnreportedPayment, kind: Kind): string {
  return (kind.startsWith('partly') ? amountTotal / 2 : amountTotal).toFixed(2)
}

/** The provider's data of a payment without records of its own, derived from its events. */
export function derivePayments(payment: UnreportedPayment): ProviderPaymentRow[] {
  const kind = classifyPayment(payment)
  const {id, currency, providerOrderId, at} = payment
  const base = {order_id: providerOrderId, currency, status: 'COMPLETED', created_at: at}
  const amount = computeAmount(payment, 'completed')
  const build = (row: Pick<ProviderPaymentRow, 'kind' | 'capture_id'> & Partial<ProviderPaymentRow>) => {
    return {...base, id: deriveResourceId(id, 'completed'), amount, final: 1, ...row}
  }
  if (kind === 'authorized') {
    const authorizationId = deriveResourceId(id, kind)
    return [build({kind: 'authorization', capture_id: null, id: authorizationId, status: 'CREATED'})]
  }
  const capture = build({
    ...{kind: 'capture', capture_id: null},
    ...(kind === 'denied' ? {status: 'DECLINED'} : {}),
    ...(kind === 'partly-completed' ? {amount: computeAmount(payment, kind), final: 0} : {}),
  })
  if (!kind.includes('refunded')) return [capture]
  const refund = {id: deriveResourceId(id, kind), amount: computeAmount(payment, kind), final: 0}
  return [capture, build({...refund, kind: 'refund', capture_id: capture.id})]
}

/** 17 digits and capital letters, like the provider's own ids. */
function deriveResourceId(id: string, kind: Kind): string {
  return (id.slice(-16) + (kind === 'authorized' ? 'a' : kind.includes('refunded') ? 'b' : 'c')).toUpperCase()
}
