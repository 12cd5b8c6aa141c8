import type {ShopPayment} from '../drift/payment-facts.js'
import {createOtherAnswerError} from '../other-answer.js'
import {type PaymentShop, searchRowPage} from '../search-rows.js'
import {
  getOrderField,
  type SearchedTransaction,
  searchTransactions,
  toLivePayment,
  toPayment,
  toTransaction,
} from './read-payments.js'

/** Payments from before a span of time that wait for a capture, or whose order ended without a sale. */
interface OlderPayments {
  readonly since: Date
  /** Later ones need not be captured yet. */
  readonly authorizedUntil: Date
}

/** Which payments are read. */
export interface PaymentQuery {
  /** Begun at or after. */
  readonly since: Date
  /** Begun at or before. */
  readonly until: Date
  /** Older payments to read, too; absent for none. */
  readonly older?: OlderPayments
  /** By id. */
  readonly salesChannel?: string | undefined
  /** Default: the oldest first. */
  readonly newestFirst?: boolean
}

/** Transactions per request: the most that a shop returns. @see protocol.md §6.2 */
export const PAGE_SIZE = 500

/** Where a page of payments begins. */
export interface PagePosition {
  /** ISO 8601, UTC. */
  readonly edge: string
  /** Of those at the edge, from 1. */
  readonly page: number
  /** Ids of the transactions at the edge that an earlier page had. */
  readonly seen: readonly string[]
}

/** A page of payments. */
export interface PaymentPage {
  readonly payments: ShopPayment[]
  /** `undefined` for the last one. */
  readonly next: PagePosition | undefined
}

/**
 * The payments that began in a span of time, one per order, page by page. Payments added meanwhile shift no page: each
 * page begins at the time of the last payment before it.
 *
 * @param start of the first page; by default the first of all
 * @throws StorectlError as `HttpClient` and `refusal` do
 * @see protocol.md §6.1, §6.3
 */
export async function* listShopPayments(
  {since, until, older, salesChannel, newestFirst = false}: PaymentQuery,
  shop: PaymentShop,
  signal: AbortSignal,
  start?: PagePosition,
): AsyncGenerator<PaymentPage, void, void> {
  const channel = {type: 'equals', field: 'order.salesChannelId', value: salesChannel}
  const order = newestFirst ? 'DESC' : 'ASC'
  let position = start ?? {
    edge: (newestFirst ? until : (older?.since ?? since)).toISOString(),
    page: 1,
    seen: [],
  }
  while (!signal.aborted) {
    const {edge, page} = position
    const parameters = newestFirst
      ? {gte: since.toISOString(), lte: edge}
      : {gte: edge, lte: until.toISOString()}
    const rows = await searchTransactions(shop, signal, isDeliveryRead => ({
      filter: [
        {type: 'range', field: 'createdAt', parameters},
        ...(salesChannel === undefined ? [] : [channel]),
        ...(older ? [addOlder(since, older, isDeliveryRead)] : []),
      ],
      sort: ['createdAt', 'id'].map(field => ({field, order})),
      ...{page, limit: PAGE_SIZE},
    }))
    const seen = new Set(position.seen)
    checkPage(rows, {seen: page > 1 ? seen : NONE, parameters})
    const payments = rows.filter(({id}) => !seen.has(id)).flatMap(toLivePayment)
    const next = findNextPage(rows, position)
    yield {payments, next}
    if (!next) return
    position = next
  }
}

/** Payments from a time on, and the older ones. */
function addOlder(since: Date, {authorizedUntil}: OlderPayments, isDeliveryRead: boolean) {
  const matchAny = (field: string, ...value: string[]) => ({type: 'equalsAny', field, value})
  const matchBegun = (parameters: object) => ({type: 'range', field: 'createdAt', parameters})
  const join = (operator: 'or' | 'and', ...queries: object[]) => ({type: 'multi', operator, queries})
  const state = 'stateMachineState.technicalName'
  const returned = isDeliveryRead ? [matchAny(`order.deliveries.${state}`, 'returned')] : []
  return join(
    'or',
    matchBegun({gte: since.toISOString()}),
    join(
      'and',
      matchAny(state, 'authorized', 'paid_partially'),
      matchBegun({lte: authorizedUntil.toISOString()}),
    ),
    join(
      'and',
      matchAny(state, 'paid', 'paid_partially', 'refunded_partially'),
      join('or', matchAny(`order.${state}`, 'cancelled'), ...returned),
    ),
  )
}

const NONE: ReadonlySet<string> = new Set()

/** A page outside the requested time, or with rows of the previous page, would be followed by the same one forever. */
function checkPage(
  rows: readonly SearchedTransaction[],
  {seen, parameters: {gte, lte}}: {seen: ReadonlySet<string>; parameters: {gte: string; lte: string}},
): void {
  const [from, to] = [Date.parse(gte), Date.parse(lte)]
  const isInside = ({createdAt}: SearchedTransaction) => {
    const atMs = Date.parse(createdAt ?? '')
    return atMs >= from && atMs <= to
  }
  if (!rows.every(isInside)) throw createOtherAnswerError('payments from outside the requested time')
  if (rows.length >= PAGE_SIZE && rows.every(({id}) => seen.has(id)))
    throw createOtherAnswerError('the same page again and again')
}

function findNextPage(
  rows: readonly SearchedTransaction[],
  {edge, page}: PagePosition,
): PagePosition | undefined {
  const last = rows.at(-1)?.createdAt
  if (rows.length < PAGE_SIZE || last === undefined) return undefined
  const moment = new Date(last).toISOString()
  const atEdge = rows.filter(({createdAt}) => new Date(createdAt ?? 0).toISOString() === moment)
  // A page of one moment is followed by the next page of it.
  return {edge: moment, page: moment === edge ? page + 1 : 1, seen: atEdge.map(({id}) => id)}
}

/**
 * The payments that own these transactions, each once, as they are now.
 *
 * @param ids 500 at most
 */
export async function findPaymentsById(
  ids: readonly string[],
  shop: PaymentShop,
  signal?: AbortSignal,
): Promise<ShopPayment[]> {
  if (ids.length === 0) return []
  const filter = [{type: 'equalsAny', field: 'id', value: ids}]
  const rows = await searchTransactions(shop, signal, () => ({filter, limit: PAGE_SIZE}))
  requireAsked(rows, ids, ({id}) => id)
  return listDistinctPayments(rows)
}

/**
 * The payments of these orders of the provider, each once, as they are now. Shops have no index for them: ask by id where
 * an id is known.
 *
 * @param orderIds 500 at most
 */
export async function findPaymentsByProviderOrder(
  orderIds: readonly string[],
  shop: PaymentShop,
  signal?: AbortSignal,
): Promise<ShopPayment[]> {
  if (orderIds.length === 0) return []
  const found: SearchedTransaction[] = []
  const filter = [{type: 'equalsAny', field: `customFields.${getOrderField()}`, value: orderIds}]
  const seen = new Set<string>()
  for (let page = 1; found.length === (page - 1) * PAGE_SIZE; page++) {
    const criteria = {filter, sort: [{field: 'id'}], page, limit: PAGE_SIZE}
    const rows = await searchTransactions(shop, signal, () => criteria)
    requireAsked(rows, orderIds, row => toTransaction(row).providerOrderId)
    if (rows.some(({id}) => seen.has(id))) throw createOtherAnswerError('the same page again and again')
    for (const {id} of rows) seen.add(id)
    found.push(...rows)
  }
  return listDistinctPayments(found)
}

/** Refuses rows that were not requested. @throws StorectlError `unavailable.other_answer` */
function requireAsked(
  rows: readonly SearchedTransaction[],
  keys: readonly string[],
  readKey: (row: SearchedTransaction) => string | null,
): void {
  const asked = new Set(keys.map(key => key.toLowerCase()))
  if (!rows.every(row => asked.has(readKey(row)?.toLowerCase() ?? '')))
    throw createOtherAnswerError('transactions that were not asked for')
}

function listDistinctPayments(rows: readonly SearchedTransaction[]): ShopPayment[] {
  const payments = rows.flatMap(row => toPayment(row) ?? [])
  return [...new Map(payments.map(payment => [payment.orderId, payment])).values()]
}

/**
 * How many payments began at or after `since`; earlier attempts of an order count once with it.
 *
 * @throws StorectlError as `HttpClient` and `refusal` do
 */
export async function countShopPayments(
  {since, salesChannel}: Pick<PaymentQuery, 'since' | 'salesChannel'>,
  shop: PaymentShop,
  signal: AbortSignal,
): Promise<number | undefined> {
  const begun = {type: 'range', field: 'transactions.createdAt', parameters: {gte: since.toISOString()}}
  const channel = {type: 'equals', field: 'salesChannelId', value: salesChannel}
  const {total} = await searchRowPage('order', shop, signal, {
    filter: salesChannel === undefined ? [begun] : [begun, channel],
    // With a limit of 1 a shop counts the joined transactions. See protocol.md §6.2.
    ...{limit: 2, 'total-count-mode': 1, includes: {order: ['id']}},
  })
  return total
}
