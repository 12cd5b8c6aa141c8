import type {StorectlError} from '../errors.js'
import type {HttpClient, HttpResponse} from '../http/http.js'
import type {FoundOrder} from './compare-orders.js'

/** The shop's order routes. */
export interface OrderShop {
  readonly profile: {readonly name: string; readonly url: URL}
  /** Signs, and sends once. */
  readonly signed: HttpClient
  /** Signs, and retries if the shop was busy; only for look-ups. */
  readonly patient: HttpClient
  /** The error for an answer that is not a success; `doing` follows "refused". */
  refusal(answer: HttpResponse, doing: string): StorectlError
  /** The errors of the answer, in one line. */
  describeErrors(answer: HttpResponse): string
  /** The wait that the answer asks for, milliseconds. */
  retryAfterMs(answer: HttpResponse): number | undefined
  confirmWrite(change: {
    readonly what: string
    readonly facts: readonly string[]
    readonly verb: 'sent'
  }): Promise<void>
}

/** Orders per look-up. @see protocol.md §6.2, a page holds 500 */
export const LOOKED_FOR_AT_ONCE = 200

const ORDER_PATH = '/api/fulfillment/order'
const JSON_BOTH_WAYS = {accept: 'application/json', 'content-type': 'application/json'}

/**
 * Submits one order, once.
 *
 * @param body JSON of the order
 * @param key the same for the same order at the same shop, for every attempt
 * @throws StorectlError as `HttpClient` does
 * @see fulfillment-order.md; draft-ietf-httpapi-idempotency-key-header
 */
export function postOrder(
  {signed}: OrderShop,
  body: string | Uint8Array,
  key: string,
): Promise<HttpResponse> {
  const headers = {...JSON_BOTH_WAYS, 'idempotency-key': key}
  return signed.call({method: 'POST', path: ORDER_PATH, headers, body, answer: 'short'})
}

/**
 * Calls the order route with a method that it does not take, which has no effect.
 *
 * @throws StorectlError as `HttpClient` does
 */
export function askOrderRoute({patient}: Pick<OrderShop, 'patient'>): Promise<HttpResponse> {
  return patient.call({method: 'GET', path: ORDER_PATH, headers: {accept: 'application/json'}})
}

/** No such route, or not allowed for this caller. */
const CANNOT_BE_ASKED = new Set([403, 404, 405])

/**
 * Looks up which of the orders the shop has.
 *
 * @param references at most `LOOKED_FOR_AT_ONCE`
 * @returns by reference, compared exactly; `no-route` for a shop without order search
 * @throws StorectlError for every other answer that is not a success
 */
export async function findOrders(
  shop: Pick<OrderShop, 'patient' | 'refusal'>,
  references: readonly string[],
): Promise<Map<string, FoundOrder> | 'no-route'> {
  const filter = [{type: 'equalsAny', field: 'reference', value: references}]
  const data = await searchOrders(shop, {filter, limit: 500})
  if (data === 'no-route') return data
  return new Map(
    data.filter(({reference}) => references.includes(reference)).map(found => [found.reference, found]),
  )
}

/**
 * A page of orders as the shop shows them.
 *
 * @param criteria in the shop's own words
 * @throws StorectlError for every other answer that is not a success
 */
export async function searchOrders(
  {patient, refusal}: Pick<OrderShop, 'patient' | 'refusal'>,
  criteria: object,
): Promise<FoundOrder[] | 'no-route'> {
  const path = '/api/search/fulfillment-order'
  const body = JSON.stringify(criteria)
  const answer = await patient.call({method: 'POST', path, headers: JSON_BOTH_WAYS, body, answer: 'page'})
  if (CANNOT_BE_ASKED.has(answer.status)) return 'no-route'
  if (answer.status !== 200) throw refusal(answer, 'the order lookup')
  const data = readFoundOrders(answer)
  // Anything that answers 200 with something else is not a shop.
  if (!data) throw refusal(answer, 'the order lookup')
  return data
}

/**
 * How many orders a filter finds.
 *
 * @throws StorectlError as `searchOrders` does
 */
export async function countOrders(
  {patient, refusal}: Pick<OrderShop, 'patient' | 'refusal'>,
  filter: readonly object[],
): Promise<number | undefined> {
  const path = '/api/search/fulfillment-order'
  const body = JSON.stringify({filter, limit: 1, 'total-count-mode': 1})
  const answer = await patient.call({method: 'POST', path, headers: JSON_BOTH_WAYS, body, answer: 'page'})
  if (answer.status !== 200) throw refusal(answer, 'the count of orders')
  const {total} = JSON.parse(answer.body.toString('utf8')) as {total?: unknown}
  return typeof total === 'number' ? total : undefined
}

function readFoundOrders({body}: HttpResponse): FoundOrder[] | undefined {
  try {
    const {data} = JSON.parse(body.toString('utf8')) as {data?: FoundOrder[]}
    return Array.isArray(data) ? data : undefined
  } catch {
    return undefined
  }
}
