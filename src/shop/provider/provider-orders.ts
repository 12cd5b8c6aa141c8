import {randomBytes} from 'node:crypto'
import type {RouteResponse} from '../http/route.js'
import {type Parameters, type RuleDeps, readParameter} from '../runtime/runtime.js'
import {findPaymentOfOrder, type UnreportedPayment} from '../store/provider-events.js'
import {addMovement, findProviderOrder, findProviderPayment} from '../store/provider-payments.js'
import type {ProviderOrderRow, ProviderPaymentRow, ShopConnection} from '../store/schema/schema.js'
import {derivePayments} from './payment-events.js'
import {createJsonAnswer, createProviderErrorAnswer} from './sign-in.js'

/** An order at the provider, with its movements. */
interface KnownOrder {
  readonly order: ProviderOrderRow
  readonly payments: readonly ProviderPaymentRow[]
}

/** `GET /v2/checkout/orders/{id}`. @see https://developer.paypal.com/docs/api/orders/v2/ */
export async function showProviderOrder(id: string, {db: {reads}}: RuleDeps): Promise<RouteResponse> {
  const known = await findKnownOrder(reads, id)
  return known ? createJsonAnswer(describeOrder(known)) : createNotFoundAnswer()
}

/** `GET /v2/payments/captures/{id}`. @see https://developer.paypal.com/docs/api/payments/v2/ */
export async function showCapture(id: string, {db: {reads}}: RuleDeps): Promise<RouteResponse> {
  const capture = await findProviderPayment(reads, id)
  const known = capture?.kind === 'capture' ? await findKnownOrder(reads, capture.order_id) : undefined
  return capture && known ? createJsonAnswer(describeCapture(capture, known)) : createNotFoundAnswer()
}

/** `POST /v2/payments/captures/{id}/refund`: in full, or the amount in the body. */
export async function refundCapture(
  id: string,
  parameters: Parameters,
  {db: {reads, writes}, now}: RuleDeps,
): Promise<RouteResponse> {
  const capture = await findProviderPayment(reads, id)
  const known = capture?.kind === 'capture' ? await findKnownOrder(reads, capture.order_id) : undefined
  if (!capture || !known) return createNotFoundAnswer()
  const {value} = (readParameter(parameters, 'amount') ?? {}) as {value?: string}
  const refund: ProviderPaymentRow = {
    ...{id: randomBytes(9).toString('hex').slice(0, 17).toUpperCase(), order_id: capture.order_id},
    ...{kind: 'refund', capture_id: id, amount: value ?? capture.amount, currency: capture.currency},
    ...{status: 'COMPLETED', final: 0, created_at: now().toISOString()},
  }
  const outcome = deriveOutcome(known, refund)
  await writes.run(db => addMovement(db, refund, outcome))
  return createJsonAnswer({id: refund.id, status: 'COMPLETED'}, {status: 201})
}

function deriveOutcome({order, payments}: KnownOrder, refund: ProviderPaymentRow): string {
  const all = [...payments, refund]
  const captured = sumPayments(all.filter(({kind, status}) => kind === 'capture' && status === 'COMPLETED'))
  const refunded = sumPayments(all.filter(({kind, status}) => kind === 'refund' && status === 'COMPLETED'))
  const left = captured - refunded
  if (left <= HALF_A_UNIT) return 'refunded'
  return Math.abs(left - Number(order.amount)) <= HALF_A_UNIT ? 'paid' : 'refunded_partially'
}

/** Tolerance for sums of doubles. */
const HALF_A_UNIT = 0.0005

function sumPayments(payments: readonly ProviderPaymentRow[]): number {
  return payments.reduce((sum, {amount}) => sum + Number(amount), 0)
}

/** The provider's own order, or one derived from the state of the shop's payment. */
async function findKnownOrder(reads: ShopConnection, id: string): Promise<KnownOrder | undefined> {
  const own = await findProviderOrder(reads, id)
  if (own) return own.order.status === 'ABSENT' ? undefined : own
  const payment = await findPaymentOfOrder(reads, id)
  return payment && {order: deriveOrder(payment), payments: derivePayments(payment)}
}

function deriveOrder(payment: UnreportedPayment): ProviderOrderRow {
  const {id, orderNumber, state, currency, providerOrderId} = payment
  return {
    ...{id: providerOrderId, custom_id: id, invoice_id: orderNumber, amount: String(payment.amountTotal)},
    ...{currency, status: 'COMPLETED', outcome: state, created_at: payment.at},
  }
}

function describeOrder(known: KnownOrder) {
  const {order, payments} = known
  const select = (kind: ProviderPaymentRow['kind']) => payments.filter(payment => payment.kind === kind)
  const movements = {
    captures: select('capture').map(capture => describeCapture(capture, known)),
    refunds: select('refund').map(payment => describePayment(payment, order)),
    authorizations: select('authorization').map(payment => describePayment(payment, order)),
  }
  const parts = Object.entries(movements).filter(([, list]) => list.length > 0)
  return {
    id: order.id,
    intent: movements.authorizations.length > 0 ? 'AUTHORIZE' : 'CAPTURE',
    status: order.status,
    purchase_units: [
      {
        reference_id: 'default',
        amount: {currency_code: order.currency, value: order.amount},
        custom_id: order.custom_id,
        invoice_id: order.invoice_id,
        ...(parts.length > 0 ? {payments: Object.fromEntries(parts)} : {}),
      },
    ],
    create_time: order.created_at,
  }
}

function describePayment(payment: ProviderPaymentRow, {custom_id, invoice_id}: ProviderOrderRow) {
  const {id, status, amount, currency, created_at, capture_id} = payment
  const seconds = `${created_at.slice(0, 19)}Z`
  const parent =
    capture_id === null ? `checkout/orders/${payment.order_id}` : `payments/captures/${capture_id}`
  const up = [{href: `/v2/${parent}`, rel: 'up', method: 'GET'}]
  return {
    ...{id, status, amount: {currency_code: currency, value: amount}, custom_id, invoice_id},
    ...{create_time: seconds, update_time: seconds, links: up},
    ...(payment.kind === 'authorization' ? {expiration_time: findExpiry(created_at)} : {}),
  }
}

/** @see provider.md §5 */
function findExpiry(createdAt: string): string {
  return `${new Date(Date.parse(createdAt) + 29 * 86_400_000).toISOString().slice(0, 19)}Z`
}

function describeCapture(capture: ProviderPaymentRow, {order, payments}: KnownOrder) {
  const refunds = payments.filter(({kind, status}) => kind === 'refund' && status === 'COMPLETED')
  const refunded = sumPayments(refunds.filter(({capture_id}) => capture_id === capture.id))
  const isWhole = refunded >= Number(capture.amount) - HALF_A_UNIT
  const status = refunded === 0 ? capture.status : isWhole ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
  return {
    ...describePayment(capture, order),
    status,
    ...(status === 'PENDING' ? {status_details: {reason: 'PENDING_REVIEW'}} : {}),
    final_capture: capture.final === 1,
    supplementary_data: {related_ids: {order_id: order.id}},
  }
}

function createNotFoundAnswer(): RouteResponse {
  return createProviderErrorAnswer(404, 'RESOURCE_NOT_FOUND', 'The specified resource does not exist.')
}
