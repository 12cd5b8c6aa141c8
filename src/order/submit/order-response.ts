import {StorectlError} from '../../errors.js'
import type {Answer} from '../../http/http.js'
import type {Result} from '../../runs/journal/item.js'
import {readErrors} from '../../wire/read-errors.js'
import type {OrderShop} from '../order-client.js'

/** The shop did nothing with it, and says so; whoever stands between may have said it instead. */
const BUSY = new Set([429, 503])

/**
 * What the shop's answer to an order means.
 *
 * @see fulfillment-order.md "Response, 200"
 */
export function readOrderAnswer(answer: Answer, shop: OrderShop): Result {
  const {status} = answer
  if (status >= 200 && status < 300) return accepted(answer)
  const isShopsOwn = readErrors(answer.body).length > 0
  const detail = (isShopsOwn && shop.saying(answer)) || `answered ${status}`
  if (BUSY.has(status) || status >= 500 || status === 408) {
    const wait = shop.retryAfterMs(answer)
    return {
      resultClass: 'unknown',
      outcome: 'unknown',
      status,
      detail,
      retryAfterMs: wait,
      exit: 'unavailable',
    }
  }
  const refused = {resultClass: 'failed', status, detail, exit: 'rejected'} as const
  if (isShopsOwn && (status === 409 || status === 422)) return {...refused, outcome: 'conflict'}
  if (isShopsOwn && (status === 400 || status === 413)) return {...refused, outcome: 'rejected'}
  const halt = shop.refusal(answer, 'the order')
  return {resultClass: 'failed', outcome: 'failed', status, detail: halt.message, exit: halt.exitName, halt}
}

function accepted({status, headers, body}: Answer): Result {
  const id = idIn(body)
  if (id === undefined) {
    return {
      resultClass: 'unknown',
      outcome: 'unknown',
      status,
      detail: 'answered without an order',
      exit: 'unavailable',
    }
  }
  const isReplayed = String(headers['idempotency-replayed']).toLowerCase() === 'true'
  return {resultClass: 'done', outcome: isReplayed ? 'exists' : 'created', status, facts: {id}}
}

function idIn(body: Buffer): string | undefined {
  try {
    const {id} = JSON.parse(body.toString('utf8')) as {id?: unknown}
    return typeof id === 'string' ? id : undefined
  } catch {
    return undefined
  }
}

/** What it means that there was no answer. @param error as `Caller` throws it; others are thrown again */
export function readNoOrderAnswer(error: unknown): Result {
  if (!(error instanceof StorectlError)) throw error
  const {message: detail, exitName: exit} = error
  if (error.code === 'unavailable.not_connected')
    return {resultClass: 'later', outcome: 'failed', detail, exit}
  if (error.code === 'unavailable.no_tls')
    return {resultClass: 'failed', outcome: 'failed', detail, exit, halt: error}
  if (exit === 'unavailable') return {resultClass: 'unknown', outcome: 'unknown', detail, exit}
  return {resultClass: 'failed', outcome: 'failed', detail, exit, halt: error}
}
