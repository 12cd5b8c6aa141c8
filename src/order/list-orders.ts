import {StorectlError} from '../errors.js'
import type {ListOrder} from '../language/list-order.js'
import {nameFields, parseRowCondition, type RowFields} from '../language/where/row-condition.js'
import type {Presenter} from '../output/presenter.js'
import type {Batch} from '../output/print.js'
import type {Row, View} from '../output/view.js'
import {countOrders, findOrders, type OrderShop, searchOrders} from './order-client.js'

/** How a list of orders is shown. */
export const ORDERS: View = {
  hasAnyField: true,
  noun: ['order', 'orders'],
  columns: [
    {path: 'reference'},
    {path: 'status'},
    {path: 'createdAt', header: 'CREATED', ageHeader: 'AGE', kind: 'time'},
    {path: 'orderNumber'},
    {path: 'shipTo.name', header: 'SHIP TO'},
    {path: 'shipTo.country', header: 'COUNTRY'},
    {path: 'id'},
  ],
  id: 'reference',
}

/** Which orders to list; all conditions must hold. */
export interface OrderQuery {
  /** The beginning of the reference. */
  readonly reference?: string | undefined
  readonly statuses?: readonly string[] | undefined
  /** The first moment. */
  readonly since?: Date | undefined
  /** The end, exclusive. */
  readonly until?: Date | undefined
  readonly matches?: ((order: Row) => boolean) | undefined
  /** Absent for the newest first. */
  readonly order?: ListOrder<(typeof ORDERS_SORTED_BY)[number]> | undefined
  /** `undefined` for all. */
  readonly limit: number | undefined
}

/** Fields by which a list of orders can be sorted. */
export const ORDERS_SORTED_BY = [
  ...(['createdAt', 'reference', 'orderNumber', 'orderDate'] as const),
  ...(['status', 'shippingMethod', 'shipNotBefore'] as const),
]

/** The fields of an order for `--where`. */
export const ORDER_ROW_FIELDS: RowFields<Row> = {
  ...nameFields('text', ['reference', 'orderNumber', 'status', 'shippingMethod', 'fillPolicy', 'note']),
  ...nameFields('text', ['shipTo.name', 'shipTo.company', 'shipTo.email', 'shipTo.postalCode']),
  ...nameFields('text', ['shipTo.city', 'shipTo.country']),
  ...nameFields('time', ['createdAt', 'orderDate']),
  ...nameFields('date', ['shipNotBefore']),
  ...nameFields('boolean', ['hold']),
}

/**
 * Reads a condition on orders.
 *
 * @throws StorectlError `usage.where`
 */
export function parseOrderCondition(text: string): (order: Row) => boolean {
  return parseRowCondition(text, ORDER_ROW_FIELDS, 'an order')
}

/** @see protocol.md §6.2 */
const LARGEST_PAGE = 500

const BY_ID = {field: 'id', order: 'DESC'}
const NEWEST_FIRST = [{field: 'createdAt', order: 'DESC'}, BY_ID]

/**
 * Submitted orders as the shop has them, the newest first, in batches. Orders submitted meanwhile are left out, so that
 * none is shown twice.
 *
 * @throws StorectlError `usage.no_such_route` for a shop without order search; and as `searchOrders` does
 */
export async function* listOrders(
  query: OrderQuery,
  shop: Pick<OrderShop, 'patient' | 'refusal'>,
  signal: AbortSignal,
): AsyncGenerator<Batch> {
  const {order, matches = () => true} = query
  const direction = order?.descending ? 'DESC' : 'ASC'
  const sort = order ? [{field: order.field, order: direction}, BY_ID] : NEWEST_FIRST
  let {limit = Number.POSITIVE_INFINITY} = query
  let newest = order && (await findNewest(query, shop))
  for (let page = 1; limit > 0 && !signal.aborted; page++) {
    const filter = [...buildFilters(query), ...(newest === undefined ? [] : [formatUpperBound(newest)])]
    // The size of a page stays the same, or the pages would not follow each other.
    const size = query.matches ? LARGEST_PAGE : Math.min(LARGEST_PAGE, query.limit ?? LARGEST_PAGE)
    const found = requireRoute(await searchOrders(shop, {filter, sort, page, limit: size}))
    newest ??= found[0]?.createdAt as string | undefined
    const some = found.filter(matches).slice(0, limit)
    if (some.length > 0) yield some
    limit -= some.length
    if (found.length < size) return
  }
}

async function findNewest(query: OrderQuery, shop: Pick<OrderShop, 'patient' | 'refusal'>) {
  const criteria = {filter: buildFilters(query), sort: NEWEST_FIRST, limit: 1}
  const [newest] = requireRoute(await searchOrders(shop, criteria))
  return newest?.createdAt as string | undefined
}

function requireRoute<T>(found: T | 'no-route'): T {
  if (found !== 'no-route') return found
  throw new StorectlError('usage.no_such_route', 'This shop cannot list submitted orders.')
}

/** How many orders a query finds without its limit; `undefined` if the shop does not count, or only listing would tell. */
export function countListedOrders(
  query: Omit<OrderQuery, 'limit'>,
  shop: Pick<OrderShop, 'patient' | 'refusal'>,
): Promise<number | undefined> {
  return query.matches ? Promise.resolve(undefined) : countOrders(shop, buildFilters(query))
}

function formatUpperBound(moment: string) {
  return {type: 'range', field: 'createdAt', parameters: {lte: moment}}
}

function buildFilters({reference, statuses, since, until}: Omit<OrderQuery, 'limit'>): object[] {
  const parameters = {...(since && {gte: since.toISOString()}), ...(until && {lt: until.toISOString()})}
  return [
    ...(reference === undefined ? [] : [{type: 'prefix', field: 'reference', value: reference}]),
    ...(statuses ? [{type: 'equalsAny', field: 'status', value: statuses}] : []),
    ...(Object.keys(parameters).length > 0 ? [{type: 'range', field: 'createdAt', parameters}] : []),
  ]
}

/** How an order is shown. */
export const ORDER_VIEW: View = {
  hasAnyField: true,
  noun: ['order', 'orders'],
  columns: [
    {path: 'reference'},
    {path: 'id'},
    {path: 'status'},
    {path: 'createdAt', kind: 'time'},
    {path: 'orderNumber'},
    {path: 'orderDate', kind: 'time'},
    {path: 'shipTo', kind: 'lines'},
    {path: 'lines', kind: 'lines'},
    {path: 'shippingMethod'},
    {path: 'shipNotBefore'},
    {path: 'hold'},
    {path: 'fillPolicy'},
    {path: 'note'},
    {path: 'customFields'},
  ],
  id: 'id',
}

/**
 * The order that a shop has under a reference, as the shop shows it.
 *
 * @throws StorectlError `empty.no_order`; `usage.no_such_route` for a shop without order search; as `findOrders`
 */
export async function showOrder(
  reference: string,
  shop: Pick<OrderShop, 'patient' | 'refusal'>,
): Promise<Row> {
  const order = requireRoute(await findOrders(shop, [reference])).get(reference)
  if (!order) throw await createNoOrderError(reference, shop)
  return order
}

/** An order for people, as a table: the address and a line for each item. Other formats keep the members. */
export function describeOrder(order: Row, {isInWords}: Pick<Presenter, 'isInWords'>): Row {
  if (!isInWords) return order
  const {shipTo, lines} = order as {shipTo: Row | null; lines: unknown}
  return {
    ...order,
    shipTo: shipTo && describeAddress(shipTo),
    lines: Array.isArray(lines) ? lines.map(describeLine) : lines,
  }
}

function describeAddress(address: Row): string[] {
  const join = (names: readonly string[], separator = ', ') =>
    names
      .map(name => address[name])
      .filter(Boolean)
      .join(separator)
  const town = [join(['postalCode', 'city'], ' '), join(['state', 'country'])]
  return [
    join(['name', 'company']),
    join(['street', 'additionalLine']),
    town.filter(Boolean).join(', '),
    join(['email', 'phone']),
  ].filter(Boolean)
}

/** `1: 2 × SHIRT-M, 12.90 EUR each`, after the line's reference. */
function describeLine({reference, quantity, sku, unitPrice}: Row): string {
  const {amount, currency} = (unitPrice ?? {}) as {amount?: unknown; currency?: unknown}
  const price = amount === undefined ? '' : `, ${amount} ${currency} each`
  return `${reference}: ${quantity} × ${sku}${price}`
}

/** Most similar references that are named. */
const MOST_NAMED = 3

/** The caller chooses references: one that begins with another may be a different order, so it is only named. */
async function createNoOrderError(
  word: string,
  shop: Pick<OrderShop, 'patient' | 'refusal'>,
): Promise<StorectlError> {
  const filter = buildFilters({reference: word})
  const found = await searchOrders(shop, {filter, sort: NEWEST_FIRST, limit: MOST_NAMED})
  const similar = found === 'no-route' ? [] : found.map(({reference}) => reference)
  return new StorectlError('empty.no_order', `The shop has no order with the reference ${word}.`, {
    nextSteps: similar.filter(name => name.startsWith(word)).map(name => `storectl order show ${name}`),
  })
}

/** Fields of an order that the shop has. */
export const SHOP_ORDER_FIELDS = [
  ...[
    'reference',
    'status',
    'createdAt',
    'orderNumber',
    'shipTo',
    'id',
    'lines',
    'orderDate',
    'shippingMethod',
  ],
  ...['shipNotBefore', 'hold', 'fillPolicy', 'note', 'customFields', 'updatedAt', 'apiAlias', 'extensions'],
  ...['translated', 'versionId', '_uniqueIdentifier'],
]
