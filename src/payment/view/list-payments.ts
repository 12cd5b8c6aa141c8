import {type ListOrder, sortRows} from '../../language/list-order.js'
import type {ShopPayment} from '../drift/payment-facts.js'
import {PAYMENT_FIELDS} from '../reconcile/payment-fields.js'
import {countShopPayments, listShopPayments, type PaymentQuery} from '../reconcile/shop-payments.js'
import type {PaymentShop} from '../search-rows.js'
import {toPaymentRow} from './payment-row.js'

/** Which payments are listed; all that is given has to hold. */
export interface PaymentListQuery extends PaymentQuery {
  /** Technical names; `undefined` for all. */
  readonly states?: readonly string[] | undefined
  readonly matches?: ((payment: ShopPayment) => boolean) | undefined
  /** Absent for the newest first. */
  readonly order?: ListOrder<SortedBy> | undefined
  /** `undefined` for all. */
  readonly limit: number | undefined
}

/** Fields that a list of payments can be in the order of. */
export const SORTED_BY = [
  ...(['createdAt', 'amount', 'currency', 'orderNumber', 'state', 'orderState'] as const),
]

type SortedBy = (typeof SORTED_BY)[number]

type PaymentRow = ReturnType<typeof toPaymentRow>

/**
 * Payments of the shop, the newest first or in the order that is asked for, in batches.
 *
 * @throws StorectlError as `listShopPayments` and `sortRows` do
 */
export async function* listPayments(
  query: PaymentListQuery,
  shop: PaymentShop,
  signal: AbortSignal,
): AsyncGenerator<readonly PaymentRow[], void, void> {
  const {order} = query
  if (order) {
    const read = PAYMENT_FIELDS[order.field]?.read ?? (() => null)
    const sorted = await sortRows(flatten(listMeant(query, shop, signal)), order, read, query.limit)
    yield sorted.map(toPaymentRow)
    return
  }
  let {limit = Number.POSITIVE_INFINITY} = query
  for await (const meant of listMeant(query, shop, signal)) {
    const some = meant.slice(0, limit)
    if (some.length > 0) yield some.map(toPaymentRow)
    limit -= some.length
    if (limit <= 0) return
  }
}

async function* listMeant(query: PaymentListQuery, shop: PaymentShop, signal: AbortSignal) {
  const {states, matches = () => true} = query
  const isMeant = (payment: ShopPayment) => (states?.includes(payment.live.state) ?? true) && matches(payment)
  for await (const {payments} of listShopPayments({...query, newestFirst: true}, shop, signal))
    yield payments.filter(isMeant)
}

async function* flatten<Row>(batches: AsyncIterable<readonly Row[]>): AsyncGenerator<Row, void, void> {
  for await (const batch of batches) yield* batch
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
