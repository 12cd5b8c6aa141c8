import {generateAlphanumeric} from '../oauth/secrets.js'
import type {TriggeredPayment} from '../store/provider-events.js'
import {buildPaymentEvent} from './payment-events.js'

/** How to build an event type for a payment. */
interface Recipe {
  /** States of payments to which it applies. */
  readonly states: readonly string[]
  /** State of a payment about which the provider sends a similar event. */
  readonly as: string
  /** Members that differ from the event of such a payment. */
  readonly change?: (payment: TriggeredPayment, at: string) => Record<string, unknown>
}

const WAITING = ['open', 'in_progress', 'unconfirmed', 'authorized']
const PAID = ['paid']

const RECIPES: Readonly<Record<string, Recipe>> = {
  'PAYMENT.CAPTURE.COMPLETED': {states: WAITING, as: 'paid'},
  'PAYMENT.CAPTURE.DENIED': {states: WAITING, as: 'failed'},
  'PAYMENT.CAPTURE.REFUNDED': {states: PAID, as: 'refunded'},
  'PAYMENT.CAPTURE.REVERSED': {states: PAID, as: 'refunded'},
  'PAYMENT.AUTHORIZATION.VOIDED': {states: WAITING, as: 'authorized'},
  'PAYMENT.SALE.COMPLETED': {states: WAITING, as: 'paid', change: buildSale},
  'PAYMENT.SALE.DENIED': {states: WAITING, as: 'failed', change: buildSale},
  'PAYMENT.SALE.REFUNDED': {states: PAID, as: 'refunded', change: buildSale},
  'VAULT.PAYMENT-TOKEN.CREATED': {states: PAID, as: 'paid', change: buildPaymentToken},
  'VAULT.PAYMENT-TOKEN.DELETED': {states: PAID, as: 'paid', change: buildPaymentToken},
}

function findRecipe(type: string): Recipe {
  const recipe = RECIPES[type]
  if (!recipe) throw new Error(`no recipe for ${type}`)
  return recipe
}

/** The payments to which an event type applies. @returns `isV1`: only those with a v1 payment */
export function findPayable(type: string): {readonly states: readonly string[]; readonly isV1: boolean} {
  const {states, change} = findRecipe(type)
  return {states, isV1: change === buildSale}
}

/**
 * A new event of a type about a payment, as the provider would send it now.
 *
 * @param api base URL of the provider's API, for links
 * @see protocol.md §4.3, §4.4
 */
export function buildTriggeredEvent(
  type: string,
  payment: TriggeredPayment,
  {api, now}: {readonly api: string; readonly now: Date},
): Record<string, unknown> & {readonly id: string} {
  const {as, change} = findRecipe(type)
  const id = `WH-${generateCode()}-${generateCode()}`
  const at = now.toISOString()
  const {links: _, ...event} = buildPaymentEvent({...payment, state: as, at}, api)
  const href = `${api}/v1/notifications/webhooks-events/${id}`
  return {
    ...event,
    ...change?.(payment, at),
    id,
    event_type: type,
    links: [{href, rel: 'self', method: 'GET'}],
  }
}

/** 17 digits and capital letters, like the provider's own ids. */
function generateCode(): string {
  return generateAlphanumeric(17).toUpperCase()
}

/** A v1 sale or its refund. */
function buildSale(payment: TriggeredPayment, at: string): Record<string, unknown> {
  const {amountTotal, currency, providerPaymentId, id, orderNumber} = payment
  const resource = {
    ...{id: generateCode(), sale_id: id.slice(-17).toUpperCase(), parent_payment: providerPaymentId},
    ...{amount: {total: amountTotal.toFixed(2), currency}, state: 'completed', invoice_number: orderNumber},
    ...{create_time: at, update_time: at},
  }
  return {resource_type: 'sale', resource_version: '1.0', resource}
}

/** A stored payment method, created with the order of a payment. */
function buildPaymentToken({id, providerOrderId}: TriggeredPayment): Record<string, unknown> {
  const resource = {
    ...{id: id.slice(-17), customer: {id: id.slice(-12)}, metadata: {order_id: providerOrderId}},
    payment_source: {paypal: {email_address: 'payer@example.org'}},
  }
  return {resource_type: 'payment_token', resource_version: '3.0', summary: 'A payment token', resource}
}
