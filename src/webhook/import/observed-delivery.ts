import {findDoubt} from '../../wire/find-doubt.js'
import {readErrors} from '../../wire/read-errors.js'
import type {ObservedDelivery} from '../event/event.js'
import type {CapturedAnswer} from './formats/captured-request.js'

/** The status of a caller that left before the answer. @see nginx, ngx_http_request.h */
const CALLER_LEFT = 499

const LONGEST_MESSAGE = 300

/** What somebody else's answer shows about an event. */
export function readObservedDelivery({status, body, reason}: CapturedAnswer, at: Date): ObservedDelivery {
  if (status >= 200 && status < 300) return {status: 'delivered', answer: status, message: null, at}
  const [error] = body ? readErrors(body) : []
  const said = (reason || error?.detail || error?.title || '').slice(0, LONGEST_MESSAGE)
  return {
    status: isInDoubt(status, body) ? 'unknown' : 'failed',
    answer: status,
    message: said === '' ? null : said,
    at,
  }
}

/**
 * Whether the shop may have continued to work after the answer. The duration is not known: a 502 may have been slow, a
 * 503 is nearly always an immediate refusal. A 500 without its body counts as the shop's own.
 */
function isInDoubt(status: number, body: Uint8Array | undefined): boolean {
  if (status === CALLER_LEFT) return true
  if (status === 503 || (status === 500 && !body)) return false
  return findDoubt({status, body: body ?? new Uint8Array()}, Number.POSITIVE_INFINITY) !== undefined
}
