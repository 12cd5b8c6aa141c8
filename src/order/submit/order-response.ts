import {StorectlError} from '../../errors.js'
import type {HttpResponse} from '../../http/http.js'
import type {Result} from '../../runs/journal/item.js'
import {findDoubt} from '../../wire/find-doubt.js'
import {readErrors} from '../../wire/read-errors.js'
import {askOrderRoute, type OrderShop} from '../order-client.js'

/**
 * The result of the shop's answer to an order.
 *
 * @param reference of the order; an answer about another one says nothing about this one
 * @param tookMs how long it took
 * @see fulfillment-order.md "Response, 200"
 */
export function readOrderAnswer(
  answer: HttpResponse,
  reference: string,
  shop: OrderShop,
  tookMs: number,
): Result {
  const {status} = answer
  if (status >= 200 && status < 300) return readAcceptedResponse(answer, reference)
  const isShopsOwn = readErrors(answer.body).length > 0
  const detail = (isShopsOwn && shop.describeErrors(answer)) || `answered ${status}`
  if (status === 429 || status >= 500 || status === 408) return readBusyAnswer(answer, detail, shop, tookMs)
  const refused = {resultClass: 'failed', status, detail, exit: 'rejected'} as const
  if (isShopsOwn && (status === 409 || status === 422)) return {...refused, result: 'conflict'}
  if (isShopsOwn && (status === 400 || status === 413)) return {...refused, result: 'rejected'}
  const isMissing = isShopsOwn && (status === 404 || status === 405)
  const halt = isMissing ? createNoRouteError(shop) : shop.refusal(answer, 'the order')
  return {resultClass: 'failed', result: 'failed', status, detail: halt.message, exit: halt.exitName, halt}
}

/** The result if an order is not accepted for now, or may have been. */
function readBusyAnswer(answer: HttpResponse, detail: string, shop: OrderShop, tookMs: number): Result {
  const {status} = answer
  const waiting = {status, detail, retryAfterMs: shop.retryAfterMs(answer), exit: 'unavailable'} as const
  if (isTurnedAway(answer)) return {...waiting, resultClass: 'later', result: 'failed'}
  // The shop's own answer ends its work; the order is still looked up.
  const doubt = status === 429 ? 'at-work' : (findDoubt(answer, tookMs) ?? 'refused')
  return {...waiting, resultClass: 'unknown', result: 'unknown', doubt}
}

/** The code of a shop that takes no fulfillment orders at all, where resuming is useless. */
export const NO_ORDER_ROUTE = 'rejected.no_order_route'

/**
 * Checks that a shop takes orders, without sending one.
 *
 * @throws StorectlError `rejected.no_order_route`, and as `askOrderRoute` does
 */
export async function requireOrderRoute(shop: OrderShop): Promise<void> {
  const {status, body} = await askOrderRoute(shop)
  // An existing route answers 405; a proxy may answer anything.
  if (status === 404 && readErrors(body).length > 0) throw createNoRouteError(shop)
}

function createNoRouteError({profile: {name, url}}: OrderShop): StorectlError {
  return new StorectlError(
    NO_ORDER_ROUTE,
    `The shop at ${url.origin} (${name}) has no route for fulfillment orders. No order was submitted.`,
    {
      nextSteps: [
        'install the extension that takes fulfillment orders',
        'storectl auth status   # which shop',
      ],
    },
  )
}

function readAcceptedResponse({status, headers, body}: HttpResponse, expected: string): Result {
  const {id, reference} = readOrder(body)
  if (id === undefined) return leaveOpen(status, 'answered without an order')
  if (reference !== undefined && reference !== expected)
    return leaveOpen(status, `answered with another order, ${JSON.stringify(reference)}`)
  const isReplayed = String(headers['idempotency-replayed']).toLowerCase() === 'true'
  return {resultClass: 'done', result: isReplayed ? 'exists' : 'created', status, facts: {id}}
}

/** The result of an answer about another order, after which this one is looked up. */
export function leaveOpen(status: number | undefined, detail: string): Result {
  return {resultClass: 'unknown', result: 'unknown', doubt: 'refused', status, detail, exit: 'unavailable'}
}

/** The id and the reference in an answer, if it has them. */
function readOrder(body: Buffer): {readonly id?: string; readonly reference?: string} {
  try {
    const {id, reference} = (JSON.parse(body.toString('utf8')) ?? {}) as {id?: unknown; reference?: unknown}
    return {
      ...(typeof id === 'string' && {id}),
      ...(typeof reference === 'string' && {reference}),
    }
  } catch {
    return {}
  }
}

/**
 * Whether the answer shows that the shop has done nothing with an order: 429 refuses before anything is done. A 503 may
 * come after the commit, as may a 429 that shows an order.
 */
export function isTurnedAway({status, body}: HttpResponse): boolean {
  return status === 429 && readOrder(body).id === undefined
}

/** Failures of a call in which the order was certainly not sent: no connection, or no access token. */
const NEVER_SENT = new Set([
  'unavailable.not_connected',
  'unavailable.no_token',
  'unavailable.throttled',
  'unavailable.shop_failed',
])

/** The result without an answer. @param error as `HttpClient` throws it; others are thrown again */
export function readNoOrderAnswer(error: unknown): Result {
  if (!(error instanceof StorectlError)) throw error
  const {message: detail, exitName: exit} = error
  if (NEVER_SENT.has(error.code)) return {resultClass: 'later', result: 'not-sent', detail, exit}
  if (error.code === 'unavailable.no_tls')
    return {resultClass: 'failed', result: 'failed', detail, exit, halt: error}
  if (exit === 'unavailable') return {resultClass: 'unknown', result: 'unknown', detail, exit}
  return {resultClass: 'failed', result: 'failed', detail, exit, halt: error}
}
