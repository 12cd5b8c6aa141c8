import type {ShopPayment} from '../drift/payment-facts.js'
import {countShopPayments, listShopPayments, type PaymentQuery} from '../reconcile/shop-payments.js'
import type {PaymentShop} from '../search-rows.js'
import {toPaymentRow} from './payment-row.js'

/** Which payments are listed; all that is given has to hold. */
export interface PaymentListQuery extends PaymentQuery {
  /** Technical names; `undefined` for all. */
  readonly states?: readonly string[] | undefined
  readonly matches?: ((payment: ShopPayment) => boolean) | undefined
  /** `undefined` for all. */
  readonly limit: number | undefined
}

type PaymentRow = ReturnType<typeof toPaymentRow>

/**
 * Payments of the shop, the newest first, in batches.
 *
 * @throws StorectlError as `listShopPayments` does
 */
export async function* listPayments(
  query: PaymentListQuery,
  shop: PaymentShop,
  signal: AbortSignal,
): AsyncGenerator<readonly PaymentRow[], void, void> {
  const {states, matches = () => true} = query
  let {limit = Number.POSITIVE_INFINITY} = query
  for await (const {payments} of listShopPayments({...query, newestFirst: true}, shop, signal)) {
    const meant = payments.filter(
      payment => (states?.includes(payment.live.state) ?? true) && matches(payment),
    )
    const some = meant.slice(0, limit)
    if (some.length > 0) yield some.map(toPaymentRow)
    limit -= some.length
    if (limit <= 0) return
  }
}

/**
 * How many payments a query finds, in one request; `undefined` where only listing them would tell: by state, by condition
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
