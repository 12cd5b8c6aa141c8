import {findProvider} from '../../providers/providers.js'
import {isCurrency, parseUnits} from '../drift/money.js'
import type {ShopPayment, ShopTransaction} from '../drift/payment-facts.js'
import {createOtherAnswerError} from '../other-answer.js'
import {listMissingPrivileges, type PaymentShop, searchRows} from '../search-rows.js'

/** Custom field with the provider's order id. Only the default provider's payments are compared. */
export function getOrderField(): string {
  return findProvider().payment?.orderField ?? 'none'
}

const STATE = {stateMachineState: {}}
const OF_ORDER = {...STATE, currency: {}, transactions: {associations: STATE}}
const ASSOCIATIONS = {...STATE, order: {associations: OF_ORDER}}
const WITH_DELIVERIES = {
  ...STATE,
  order: {associations: {...OF_ORDER, deliveries: {associations: STATE}}},
}
const DELIVERIES = 'order_delivery:read'

/** The fields read of a transaction. */
export interface SearchedTransaction {
  readonly id: string
  readonly createdAt?: string
  readonly stateMachineState?: {readonly technicalName?: string} | null
  readonly amount?: {readonly totalPrice?: number} | null
  readonly customFields?: Readonly<Record<string, unknown>> | null
  readonly order?: {
    readonly id?: string
    readonly orderNumber?: string
    readonly salesChannelId?: string | null
    readonly createdAt?: string
    readonly updatedAt?: string | null
    readonly amountTotal?: number
    readonly currency?: {readonly isoCode?: string} | null
    readonly stateMachineState?: {readonly technicalName?: string} | null
    readonly deliveries?: readonly Changed[] | null
    readonly transactions?: readonly Omit<SearchedTransaction, 'order'>[] | null
  } | null
}

/** A row with a state. */
interface Changed {
  readonly createdAt?: string
  readonly updatedAt?: string | null
  readonly stateMachineState?: {readonly technicalName?: string} | null
}

/**
 * Transactions with their order. Deliveries are left out if the role may not read them.
 *
 * @param buildCriteria gets whether deliveries are read
 * @throws StorectlError as `HttpClient` and `refusal` do; `unavailable.other_answer` for rows without an id
 */
export async function searchTransactions(
  shop: PaymentShop,
  signal: AbortSignal | undefined,
  buildCriteria: (isDeliveryRead: boolean) => object,
): Promise<SearchedTransaction[]> {
  const {lacking} = shop
  const isDeliveryRead = lacking?.has(DELIVERIES) === false
  const query = {
    ...buildCriteria(isDeliveryRead),
    associations: isDeliveryRead ? WITH_DELIVERIES : ASSOCIATIONS,
  }
  const noteRefusal: PaymentShop['refusal'] = (answer, doing) => {
    if (isDeliveryRead && listMissingPrivileges(answer).join() === DELIVERIES) lacking?.add(DELIVERIES)
    return shop.refusal(answer, doing)
  }
  const search = searchRows<SearchedTransaction | null>(
    'order-transaction',
    {...shop, refusal: noteRefusal},
    signal,
    query,
  )
  const rows = await search.catch((error: unknown) => {
    if (isDeliveryRead && lacking?.has(DELIVERIES)) return searchTransactions(shop, signal, buildCriteria)
    throw error
  })
  return rows.map(row => {
    if (typeof row?.id === 'string') return row
    throw createOtherAnswerError('rows without an id')
  })
}

/** The payment of its live attempt, nothing for an earlier one: those come with the live one. */
export function toLivePayment(row: SearchedTransaction): ShopPayment[] {
  const payment = toPayment(row)
  return payment?.live.id === row.id ? [payment] : []
}

/** The payment of a transaction; `undefined` if its order is missing in the answer. */
export function toPayment(row: SearchedTransaction): ShopPayment | undefined {
  const {order} = row
  if (!order) return undefined
  const rows = order.transactions?.some(({id}) => id === row.id) ? order.transactions : [row]
  const sorted = [...rows].sort(compareByAge)
  const live = sorted.at(-1) ?? row
  const {isoCode} = order.currency ?? {}
  const currency = isCurrency(isoCode) ? isoCode : ''
  const amount = live.amount?.totalPrice ?? order.amountTotal
  const units = isCurrency(isoCode) && typeof amount === 'number' ? parseUnits(amount, currency) : undefined
  return {
    orderId: order.id ?? row.id,
    orderNumber: order.orderNumber ?? '',
    orderState: order.stateMachineState?.technicalName ?? '',
    salesChannelId: order.salesChannelId ?? null,
    ...{units: units ?? 0, currency},
    ...findEnding(order),
    ...(units === undefined
      ? {doubt: `shop: the amount of order ${order.orderNumber ?? row.id} cannot be read`}
      : {}),
    live: toTransaction(live),
    earlier: sorted.slice(0, -1).map(toTransaction),
  }
}

/** All of several deliveries must be returned: a partly returned order is partly sold. */
function findEnding(order: NonNullable<SearchedTransaction['order']>): Pick<ShopPayment, 'ending'> {
  const deliveries = order.deliveries ?? []
  const isCancelled = order.stateMachineState?.technicalName === 'cancelled'
  const isReturned =
    deliveries.length > 0 && deliveries.every(each => each.stateMachineState?.technicalName === 'returned')
  if (!isCancelled && !isReturned) return {}
  const times = (isCancelled ? [order] : deliveries).map(({updatedAt, createdAt}) =>
    Date.parse(updatedAt ?? createdAt ?? ''),
  )
  return {ending: {how: isCancelled ? 'cancelled' : 'returned', at: new Date(Math.max(...times) || 0)}}
}

type Aged = Pick<SearchedTransaction, 'id' | 'createdAt'>

function compareByAge(one: Aged, other: Aged): number {
  const ageMs = Date.parse(one.createdAt ?? '') - Date.parse(other.createdAt ?? '')
  return ageMs || (one.id < other.id ? -1 : 1)
}

/** One attempt; an unreadable time becomes 1970. */
export function toTransaction({
  id,
  stateMachineState,
  createdAt,
  customFields,
}: SearchedTransaction): ShopTransaction {
  const providerOrderId = customFields?.[getOrderField()]
  return {
    ...{id, state: stateMachineState?.technicalName ?? ''},
    createdAt: new Date(Date.parse(createdAt ?? '') || 0),
    providerOrderId: typeof providerOrderId === 'string' && providerOrderId !== '' ? providerOrderId : null,
  }
}
