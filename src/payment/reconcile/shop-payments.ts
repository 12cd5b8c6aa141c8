import {findProvider} from '../../providers/providers.js'
import {isCurrency, parseUnits} from '../drift/money.js'
import type {ShopPayment, ShopTransaction} from '../drift/payment-facts.js'
import {createOtherAnswerError} from '../other-answer.js'
import {type PaymentShop, searchRowPage, searchRows} from '../search-rows.js'

/** Custom field with the provider's order id. Only the default provider's payments are compared. */
function getOrderField(): string {
  return findProvider().payment?.orderField ?? 'none'
}

/** Which payments are read. */
export interface PaymentQuery {
  /** Begun at or after. */
  readonly since: Date
  /** Begun at or before. */
  readonly until: Date
  /** By id. */
  readonly salesChannel?: string | undefined
  /** Default: the oldest first. */
  readonly newestFirst?: boolean
}

/** Transactions of a request: as many as a shop gives at most. @see protocol.md §6.2 */
export const PAGE_SIZE = 500

const STATE = {stateMachineState: {}}
const ASSOCIATIONS = {
  ...STATE,
  order: {associations: {...STATE, currency: {}, transactions: {associations: STATE}}},
}

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
 * The payments that began in a span of time, one an order, page by page. Payments that are added meanwhile shift no page:
 * each begins at the time of the last one before it.
 *
 * @param start of the first page; by default the first of all
 * @throws StorectlError as `HttpClient` and `refusal` do
 * @see protocol.md §6.1, §6.3
 */
export async function* listShopPayments(
  {since, until, salesChannel, newestFirst = false}: PaymentQuery,
  shop: PaymentShop,
  signal: AbortSignal,
  start?: PagePosition,
): AsyncGenerator<PaymentPage, void, void> {
  const channel = {type: 'equals', field: 'order.salesChannelId', value: salesChannel}
  const order = newestFirst ? 'DESC' : 'ASC'
  let position = start ?? {edge: (newestFirst ? until : since).toISOString(), page: 1, seen: []}
  while (!signal.aborted) {
    const {edge, page} = position
    const parameters = newestFirst
      ? {gte: since.toISOString(), lte: edge}
      : {gte: edge, lte: until.toISOString()}
    const rows = await searchTransactions(shop, signal, {
      filter: [
        {type: 'range', field: 'createdAt', parameters},
        ...(salesChannel === undefined ? [] : [channel]),
      ],
      sort: ['createdAt', 'id'].map(field => ({field, order})),
      ...{page, limit: PAGE_SIZE},
    })
    const seen = new Set(position.seen)
    checkPage(rows, {seen: page > 1 ? seen : NONE, parameters})
    const payments = rows.filter(({id}) => !seen.has(id)).flatMap(toLivePayment)
    const next = findNextPage(rows, position)
    yield {payments, next}
    if (!next) return
    position = next
  }
}

const NONE: ReadonlySet<string> = new Set()

/**
 * A page outside of the time that was asked for, or of rows that the page before had, would be followed by the same one for
 * ever.
 */
function checkPage(
  rows: readonly TransactionRow[],
  {seen, parameters: {gte, lte}}: {seen: ReadonlySet<string>; parameters: {gte: string; lte: string}},
): void {
  const [from, to] = [Date.parse(gte), Date.parse(lte)]
  const isInside = ({createdAt}: TransactionRow) => {
    const atMs = Date.parse(createdAt ?? '')
    return atMs >= from && atMs <= to
  }
  if (!rows.every(isInside)) throw createOtherAnswerError('payments from outside the requested time')
  if (rows.length >= PAGE_SIZE && rows.every(({id}) => seen.has(id)))
    throw createOtherAnswerError('the same page again and again')
}

function findNextPage(rows: readonly TransactionRow[], {edge, page}: PagePosition): PagePosition | undefined {
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
  const rows = await searchTransactions(shop, signal, {filter, limit: PAGE_SIZE})
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
  const found: TransactionRow[] = []
  const filter = [{type: 'equalsAny', field: `customFields.${getOrderField()}`, value: orderIds}]
  const seen = new Set<string>()
  for (let page = 1; found.length === (page - 1) * PAGE_SIZE; page++) {
    const criteria = {filter, sort: [{field: 'id'}], page, limit: PAGE_SIZE}
    const rows = await searchTransactions(shop, signal, criteria)
    requireAsked(rows, orderIds, row => toTransaction(row).providerOrderId)
    if (rows.some(({id}) => seen.has(id))) throw createOtherAnswerError('the same page again and again')
    for (const {id} of rows) seen.add(id)
    found.push(...rows)
  }
  return listDistinctPayments(found)
}

/** What was not asked for is no answer. @throws StorectlError `unavailable.other_answer` */
function requireAsked(
  rows: readonly TransactionRow[],
  keys: readonly string[],
  readKey: (row: TransactionRow) => string | null,
): void {
  const asked = new Set(keys.map(key => key.toLowerCase()))
  if (!rows.every(row => asked.has(readKey(row)?.toLowerCase() ?? '')))
    throw createOtherAnswerError('transactions that were not asked for')
}

function listDistinctPayments(rows: readonly TransactionRow[]): ShopPayment[] {
  const payments = rows.flatMap(row => toPayment(row) ?? [])
  return [...new Map(payments.map(payment => [payment.orderId, payment])).values()]
}

/** What is read of a transaction. */
interface TransactionRow {
  readonly id: string
  readonly createdAt?: string
  readonly stateMachineState?: {readonly technicalName?: string} | null
  readonly amount?: {readonly totalPrice?: number} | null
  readonly customFields?: Readonly<Record<string, unknown>> | null
  readonly order?: {
    readonly id?: string
    readonly orderNumber?: string
    readonly salesChannelId?: string | null
    readonly amountTotal?: number
    readonly currency?: {readonly isoCode?: string} | null
    readonly stateMachineState?: {readonly technicalName?: string} | null
    readonly transactions?: readonly Omit<TransactionRow, 'order'>[] | null
  } | null
}

async function searchTransactions(
  shop: PaymentShop,
  signal: AbortSignal | undefined,
  criteria: object,
): Promise<TransactionRow[]> {
  const query = {...criteria, associations: ASSOCIATIONS}
  const rows = await searchRows<TransactionRow | null>('order-transaction', shop, signal, query)
  return rows.map(row => {
    if (typeof row?.id === 'string') return row
    throw createOtherAnswerError('rows without an id')
  })
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

/** Earlier attempts come with the live one. */
function toLivePayment(row: TransactionRow): ShopPayment[] {
  const payment = toPayment(row)
  return payment?.live.id === row.id ? [payment] : []
}

function toPayment(row: TransactionRow): ShopPayment | undefined {
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
    ...(units === undefined
      ? {doubt: `shop: the amount of order ${order.orderNumber ?? row.id} cannot be read`}
      : {}),
    live: toTransaction(live),
    earlier: sorted.slice(0, -1).map(toTransaction),
  }
}

type Aged = Pick<TransactionRow, 'id' | 'createdAt'>

function compareByAge(one: Aged, other: Aged): number {
  const ageMs = Date.parse(one.createdAt ?? '') - Date.parse(other.createdAt ?? '')
  return ageMs || (one.id < other.id ? -1 : 1)
}

function toTransaction({id, stateMachineState, createdAt, customFields}: TransactionRow): ShopTransaction {
  const providerOrderId = customFields?.[getOrderField()]
  return {
    ...{id, state: stateMachineState?.technicalName ?? ''},
    createdAt: new Date(Date.parse(createdAt ?? '') || 0),
    providerOrderId: typeof providerOrderId === 'string' && providerOrderId !== '' ? providerOrderId : null,
  }
}
