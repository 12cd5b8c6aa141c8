import {createHash} from 'node:crypto'
import type {Notification} from '../../src/wire/schemas/webhook.js'

/** What a notification is to be about; everything has a default that looks real. */
export interface EventOptions {
  /** Makes ids, times and amounts: the same seed gives the same bytes. Default 1. */
  seed?: number
  /** The order transaction that the notification names. */
  transactionId?: string
  /** Instead of the bare id: JSON with the id in it, as newer shops send it. */
  customId?: string
  /** The order's id at the provider. */
  providerOrderId?: string
  /** The v1 payment that the shop knows the transaction by. */
  parentPayment?: string
  saleId?: string
  captureId?: string
  /** Decimal string. Default 100.00. */
  amount?: string
  /** Of refunds: what was given back in total so far. Default: the amount. */
  totalRefunded?: string
  currency?: string
  /** Default true. */
  finalCapture?: boolean
  /** ISO 8601 with milliseconds. */
  createTime?: string
}

/** A notification on its way: what the provider would put on the wire. */
export interface ProviderEvent {
  readonly id: string
  readonly type: string
  /** The bytes of the body. */
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly payload: Notification
}

type Build = (seen: Required<EventOptions>) => Pick<
  Notification,
  'resource_type' | 'summary' | 'resource'
> & {
  resource_version?: string
}

/** Every state of a payment in the shop. */
export const PAYMENT_STATES = [
  ...['open', 'in_progress', 'authorized', 'reminded', 'paid_partially', 'paid', 'refunded_partially'],
  ...['refunded', 'cancelled', 'failed', 'chargeback', 'unconfirmed'],
]

/** The ten types that a shop acts on, and some of the many that it does not. */
export const EVENT_TYPES = {
  handled: [
    'PAYMENT.CAPTURE.COMPLETED',
    'PAYMENT.CAPTURE.DENIED',
    'PAYMENT.CAPTURE.REFUNDED',
    'PAYMENT.CAPTURE.REVERSED',
    'PAYMENT.AUTHORIZATION.VOIDED',
    'PAYMENT.SALE.COMPLETED',
    'PAYMENT.SALE.DENIED',
    'PAYMENT.SALE.REFUNDED',
    'VAULT.PAYMENT-TOKEN.CREATED',
    'VAULT.PAYMENT-TOKEN.DELETED',
  ],
  unhandled: [
    'CHECKOUT.ORDER.APPROVED',
    'CHECKOUT.ORDER.COMPLETED',
    'PAYMENT.CAPTURE.PENDING',
    'PAYMENT.AUTHORIZATION.CREATED',
    'CUSTOMER.DISPUTE.CREATED',
  ],
} as const

/**
 * A real-shaped notification of a type, with the provider's headers.
 *
 * @param type any event type; one that is not in `EVENT_TYPES` gets the shape of an approved order
 * @see protocol.md §4.7
 */
export function providerEvent(type: string, options: EventOptions = {}): ProviderEvent {
  const seen = withDefaults(options)
  const id = eventId(type, seen)
  const payload: Notification = {
    id,
    event_version: '1.0',
    create_time: seen.createTime,
    ...(SHAPES[type] ?? approvedOrder)(seen),
    event_type: type,
    links: links(`https://api.paypal.com/v1/notifications/webhooks-events/${id}`, {
      self: 'GET',
      resend: 'POST',
    }),
  }
  return {id, type, payload, body: JSON.stringify(payload), headers: headers(id, seen)}
}

/** A v2 capture that went through. */
export function captureCompleted(options: EventOptions = {}): ProviderEvent {
  return providerEvent('PAYMENT.CAPTURE.COMPLETED', options)
}

const FIRST_EVENT = Date.parse('2026-11-20T08:00:00.000Z')

function withDefaults(options: EventOptions): Required<EventOptions> {
  const seed = options.seed ?? 1
  const transactionId = options.transactionId ?? hex(`transaction ${seed}`, 32)
  const amount = options.amount ?? '100.00'
  return {
    seed,
    transactionId,
    customId: options.customId ?? transactionId,
    providerOrderId: options.providerOrderId ?? code(`order ${seed}`, 17),
    parentPayment: options.parentPayment ?? `PAYID-${code(`payment ${seed}`, 24)}`,
    saleId: options.saleId ?? code(`sale ${seed}`, 17),
    captureId: options.captureId ?? code(`capture ${seed}`, 17),
    amount,
    totalRefunded: options.totalRefunded ?? amount,
    currency: options.currency ?? 'EUR',
    finalCapture: options.finalCapture ?? true,
    createTime: options.createTime ?? new Date(FIRST_EVENT + seed * 1000).toISOString(),
  }
}

function eventId(type: string, seen: Required<EventOptions>): string {
  const key = `${type} ${JSON.stringify(seen)}`
  return `WH-${code(`${key} a`, 17)}-${code(`${key} b`, 17)}`
}

function money({currency}: Required<EventOptions>, value: string) {
  return {currency_code: currency, value}
}

function breakdown(seen: Required<EventOptions>) {
  const fee = (Number(seen.amount) * 0.0249 + 0.35).toFixed(2)
  return {
    gross_amount: money(seen, seen.amount),
    paypal_fee: money(seen, fee),
    net_amount: money(seen, (Number(seen.amount) - Number(fee)).toFixed(2)),
  }
}

function capture(seen: Required<EventOptions>, status: string) {
  return {
    id: seen.captureId,
    amount: money(seen, seen.amount),
    final_capture: seen.finalCapture,
    seller_protection: {
      status: 'ELIGIBLE',
      dispute_categories: ['ITEM_NOT_RECEIVED', 'UNAUTHORIZED_TRANSACTION'],
    },
    seller_receivable_breakdown: breakdown(seen),
    custom_id: seen.customId,
    invoice_id: `SW-${seen.seed}`,
    supplementary_data: {related_ids: {order_id: seen.providerOrderId}},
    status,
    ...times(seen),
    links: links(`https://api.paypal.com/v2/payments/captures/${seen.captureId}`, {
      self: 'GET',
      refund: 'POST',
    }),
  }
}

const captured =
  (status: string, summary: string): Build =>
  seen => ({
    resource_type: 'capture',
    resource_version: '2.0',
    summary: `${summary} for ${seen.amount} ${seen.currency}`,
    resource: capture(seen, status),
  })

const refunded =
  (summary: string): Build =>
  seen => {
    const id = code(`refund ${seen.seed} ${seen.totalRefunded}`, 17)
    const self = `https://api.paypal.com/v2/payments/refunds/${id}`
    const up = `https://api.paypal.com/v2/payments/captures/${seen.captureId}`
    return {
      resource_type: 'refund',
      resource_version: '2.0',
      summary: `${summary} of ${seen.amount} ${seen.currency}`,
      resource: {
        id,
        amount: money(seen, seen.amount),
        seller_payable_breakdown: {
          ...breakdown(seen),
          total_refunded_amount: money(seen, seen.totalRefunded),
        },
        custom_id: seen.customId,
        invoice_id: `SW-${seen.seed}`,
        status: 'COMPLETED',
        ...times(seen),
        links: [...links(self, {self: 'GET'}), ...links(up, {up: 'GET'})],
      },
    }
  }

const voided: Build = seen => ({
  resource_type: 'authorization',
  resource_version: '2.0',
  summary: 'A payment authorization was voided',
  resource: {
    id: code(`authorization ${seen.seed}`, 17),
    status: 'VOIDED',
    amount: money(seen, seen.amount),
    custom_id: seen.customId,
    invoice_id: `SW-${seen.seed}`,
    supplementary_data: {related_ids: {order_id: seen.providerOrderId}},
    ...times(seen),
  },
})

/** v1 resources carry neither `resource_version` nor a custom id that the shop reads. */
const sale =
  (state: string, summary: string): Build =>
  seen => ({
    resource_type: state === 'refunded' ? 'refund' : 'sale',
    summary: `${summary} for ${seen.amount} ${seen.currency}`,
    resource: {
      id: state === 'refunded' ? code(`sale refund ${seen.seed} ${seen.amount}`, 17) : seen.saleId,
      ...(state === 'refunded' ? {sale_id: seen.saleId} : {}),
      parent_payment: seen.parentPayment,
      state,
      amount: {total: seen.amount, currency: seen.currency, details: {subtotal: seen.amount}},
      payment_mode: 'INSTANT_TRANSFER',
      protection_eligibility: 'ELIGIBLE',
      ...times(seen),
      links: links(`https://api.paypal.com/v1/payments/sale/${seen.saleId}`, {self: 'GET'}),
    },
  })

const paymentToken =
  (summary: string): Build =>
  seen => ({
    resource_type: 'payment_token',
    resource_version: '3.0',
    summary,
    resource: {
      id: code(`token ${seen.seed}`, 17).toLowerCase(),
      customer: {id: code(`payer ${seen.seed}`, 10)},
      metadata: {order_id: seen.providerOrderId},
      payment_source: {card: {last_digits: '1111', brand: 'VISA'}},
      ...times(seen),
    },
  })

const approvedOrder: Build = seen => ({
  resource_type: 'checkout-order',
  resource_version: '2.0',
  summary: 'An order has been approved by buyer',
  resource: {
    id: seen.providerOrderId,
    intent: 'CAPTURE',
    status: 'APPROVED',
    purchase_units: [{reference_id: 'default', amount: money(seen, seen.amount), custom_id: seen.customId}],
    ...times(seen),
  },
})

const SHAPES: Readonly<Record<string, Build>> = {
  'PAYMENT.CAPTURE.COMPLETED': captured('COMPLETED', 'Payment completed'),
  'PAYMENT.CAPTURE.DENIED': captured('DECLINED', 'Payment denied'),
  'PAYMENT.CAPTURE.PENDING': captured('PENDING', 'Payment pending'),
  'PAYMENT.CAPTURE.REFUNDED': refunded('A refund'),
  'PAYMENT.CAPTURE.REVERSED': refunded('A reversal'),
  'PAYMENT.AUTHORIZATION.VOIDED': voided,
  'PAYMENT.SALE.COMPLETED': sale('completed', 'Payment completed'),
  'PAYMENT.SALE.DENIED': sale('denied', 'Payment denied'),
  'PAYMENT.SALE.REFUNDED': sale('refunded', 'A refund'),
  'VAULT.PAYMENT-TOKEN.CREATED': paymentToken('A payment token has been created.'),
  'VAULT.PAYMENT-TOKEN.DELETED': paymentToken('A payment token has been deleted.'),
}

function headers(id: string, {createTime, seed}: Required<EventOptions>): Record<string, string> {
  const digits = hex(`transmission ${id} ${seed}`, 32)
  const certificate = `CERT-${hex(`certificate ${seed % 3}`, 8)}-${hex('certificate', 8)}`
  return {
    accept: '*/*',
    'content-type': 'application/json',
    'user-agent': 'PayPal/AUHD-214.0-58843665',
    'correlation-id': hex(`correlation ${id}`, 13),
    'paypal-auth-algo': 'SHA256withRSA',
    'paypal-auth-version': 'v2',
    'paypal-cert-url': `https://api.sandbox.paypal.com/v1/notifications/certs/${certificate}`,
    'paypal-transmission-id': digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    'paypal-transmission-sig': Buffer.from(hex(`signature ${id}`, 128)).toString('base64'),
    'paypal-transmission-time': `${createTime.slice(0, 19)}Z`,
  }
}

function times({createTime}: Required<EventOptions>) {
  const seconds = `${createTime.slice(0, 19)}Z`
  return {create_time: seconds, update_time: seconds}
}

function links(href: string, methods: Record<string, string>) {
  const target = (rel: string) => (rel === 'self' || rel === 'up' ? href : `${href}/${rel}`)
  return Object.entries(methods).map(([rel, method]) => ({href: target(rel), rel, method}))
}

/** Hex digits that depend on the key alone. */
function hex(key: string, length: number): string {
  return createHash('sha512').update(key).digest('hex').slice(0, length)
}

const LETTERS = 'ABCDEFGHJKLMNPRSTUVWXYZ0123456789'

/** Upper-case letters and digits, as the provider's ids are made of. */
function code(key: string, length: number): string {
  const bytes = createHash('sha512').update(key).digest()
  return Array.from({length}, (_, index) => LETTERS[(bytes[index] as number) % LETTERS.length]).join('')
}
