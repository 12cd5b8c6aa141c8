import type {TransactionKey} from '../../traits.js'
import {parseCustomId} from '../../traits.js'

/** The class of a notification's `resource`; `none` where no class fits. @see protocol.md §4.3 */
export type ResourceKind = 'capture' | 'authorization' | 'refund' | 'v1' | 'payment-token' | 'none'

/** The rule of the shop that a notification triggers. */
export type HandlerRule =
  | 'capture'
  | 'cancel'
  | 'refund'
  | 'sale-paid'
  | 'sale-refund'
  | 'token-save'
  | 'token-delete'

/** What the shop does with one type of notification, as data. */
export interface WebhookHandler {
  readonly eventType: string
  readonly rule: HandlerRule
  /** The resource classes that it accepts; it refuses any other. */
  readonly resources: readonly ResourceKind[]
  /** Paths of the body's required members; for people. */
  readonly needs: readonly string[]
  /** What it requests from the payment provider before it checks the state. */
  readonly asks: 'nothing' | 'order' | 'sale'
}

const V2_CAPTURE = ['resource_version = "2.0"', 'resource_type = "capture"', 'resource.custom_id']
const V2_REFUND = [
  'resource_version = "2.0"',
  'resource_type = "refund"',
  'resource.custom_id',
  'resource.seller_payable_breakdown.total_refunded_amount',
]
const V1_SALE = ['resource.parent_payment']
const VAULT = ['resource_version = "3.0"', 'resource_type = "payment_token"', 'resource.metadata.order_id']

function defineHandler(
  eventType: string,
  rule: HandlerRule,
  {resources, needs, asks = 'nothing'}: Pick<WebhookHandler, 'resources' | 'needs'> & Partial<WebhookHandler>,
): WebhookHandler {
  return {eventType, rule, resources, needs, asks}
}

const REFUND = {resources: ['refund'], needs: V2_REFUND, asks: 'order'} as const

/** The ten types that a shop handles. For others it responds 200 and changes nothing. @see protocol.md §4.4 */
export const WEBHOOK_HANDLERS: readonly WebhookHandler[] = [
  defineHandler('PAYMENT.CAPTURE.COMPLETED', 'capture', {
    resources: ['capture'],
    needs: [...V2_CAPTURE, 'resource.final_capture'],
  }),
  defineHandler('PAYMENT.CAPTURE.DENIED', 'cancel', {resources: ['capture'], needs: V2_CAPTURE}),
  defineHandler('PAYMENT.CAPTURE.REFUNDED', 'refund', REFUND),
  defineHandler('PAYMENT.CAPTURE.REVERSED', 'refund', REFUND),
  defineHandler('PAYMENT.AUTHORIZATION.VOIDED', 'cancel', {
    resources: ['v1', 'authorization'],
    needs: [
      'resource.parent_payment, or resource_version = "2.0", resource_type = "authorization" and resource.custom_id',
    ],
  }),
  defineHandler('PAYMENT.SALE.COMPLETED', 'sale-paid', {resources: ['v1'], needs: V1_SALE}),
  defineHandler('PAYMENT.SALE.DENIED', 'cancel', {resources: ['v1'], needs: V1_SALE}),
  defineHandler('PAYMENT.SALE.REFUNDED', 'sale-refund', {
    resources: ['v1'],
    needs: [...V1_SALE, 'resource.sale_id'],
    asks: 'sale',
  }),
  defineHandler('VAULT.PAYMENT-TOKEN.CREATED', 'token-save', {resources: ['payment-token'], needs: VAULT}),
  defineHandler('VAULT.PAYMENT-TOKEN.DELETED', 'token-delete', {
    resources: ['payment-token'],
    needs: VAULT.slice(0, 2),
  }),
]

const BY_TYPE = new Map(WEBHOOK_HANDLERS.map(handler => [handler.eventType, handler]))

/** The handler of an event type, case-sensitive; `undefined` for the types a shop ignores. */
export function findHandler(eventType: string): WebhookHandler | undefined {
  return BY_TYPE.get(eventType)
}

/** Custom field of an order transaction that holds the provider's order id. */
export const PROVIDER_ORDER_FIELD = 'swag_paypal_order_id'

/** Custom field of an order transaction that holds the provider's v1 payment id (`PAY-…`). */
export const PROVIDER_PAYMENT_FIELD = 'swag_paypal_transaction_id'

/** The members that identify a transaction. */
interface LookupMembers {
  readonly kind: ResourceKind
  readonly customId?: string | undefined
  readonly parentPayment?: string | undefined
  readonly orderId?: string | undefined
}

/**
 * The transaction a handler would look for.
 *
 * v2 resources name it in `custom_id`: the bare id, or JSON with `orderTransactionId`. v1 resources name the
 * payment. Vault notifications name the provider's order, or nothing.
 *
 * @returns `fault` where the shop refuses the notification (400) without looking anything up
 * @see protocol.md §4.4
 */
export function findTransactionKey(handler: WebhookHandler, resource: LookupMembers): TransactionKey {
  if (!handler.resources.includes(resource.kind)) return {by: 'fault', fault: 'wrong-resource'}
  if (resource.kind === 'payment-token') {
    return resource.orderId ? {by: 'provider-order', order: resource.orderId} : {by: 'nothing'}
  }
  if (resource.kind === 'v1') {
    const payment = resource.parentPayment
    return payment === undefined ? {by: 'fault', fault: 'no-parent-payment'} : {by: 'parent-payment', payment}
  }
  return parseCustomId(resource.customId)
}
