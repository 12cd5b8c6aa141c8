import type {PaymentRow} from '../../contract/payment-rows.js'
import {arrangeRows, type ListOrder} from '../../language/list-order.js'
import type {ShopPayment} from '../drift/payment-facts.js'
import {PAYMENT_FIELDS, type PAYMENTS_SORTED_BY} from '../reconcile/payment-fields.js'
import {countShopPayments, listShopPayments, type PaymentQuery} from '../reconcile/shop-payments.js'
import type {PaymentShop} from '../search-rows.js'
import {toPaymentRow} from './payment-row.js'

/** Which payments to list; all conditions must hold. */
export interface PaymentListQuery extends PaymentQuery {
  /** Technical names; `undefined` for all. */
  readonly states?: readonly string[] | undefined
  readonly matches?: ((payment: ShopPayment) => boolean) | undefined
  /** Absent for the newest first. */
  readonly order?: ListOrder<(typeof PAYMENTS_SORTED_BY)[number]> | undefined
  /** `undefined` for all. */
  readonly limit: number | undefined
}

/**
 * Payments of the shop, the newest first or sorted as requested.
 *
 * @throws StorectlError as `listShopPayments` and `arrangeRows` do
 */
export async function* listPayments(
  query: PaymentListQuery,
  shop: PaymentShop,
  signal: AbortSignal,
): AsyncGenerator<PaymentRow, void, void> {
  const {states, order, limit, matches = () => true} = query
  const isMeant = (payment: ShopPayment) => (states?.includes(payment.live.state) ?? true) && matches(payment)
  const read = (payment: ShopPayment, field: string) => PAYMENT_FIELDS[field]?.read(payment) ?? null
  const payments = arrangeRows(readPayments(query, shop, signal), {matches: isMeant, order, limit}, read)
  for await (const payment of payments) yield toPaymentRow(payment)
}

async function* readPayments(query: PaymentListQuery, shop: PaymentShop, signal: AbortSignal) {
  for await (const {payments} of listShopPayments({...query, newestFirst: true}, shop, signal))
    yield* payments
}

/**
 * How many payments a query finds, in one request; `undefined` if only listing them would tell: by state, by condition
 * or up to a time.
 *
 * @throws StorectlError as `countShopPayments` does
 */
export async function countPayments(
  query: PaymentListQuery & {readonly isOpenEnded: boolean},
  shop: PaymentShop,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (query.states || query.matches || !query.isOpenEnded) return undefined
  return countShopPayments(query, shop, signal)
}
