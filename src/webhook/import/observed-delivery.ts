import {readErrors} from '../../wire/read-errors.js'
import type {ObservedDelivery} from '../event/event.js'
import type {CapturedAnswer} from './formats/captured-request.js'

/** Whoever answers so stands before the shop, which may have done its work: 499 is nginx's for a caller that left. */
const FROM_BETWEEN = new Set([408, 499, 502, 504])
const LONGEST_MESSAGE = 300

/** What an answer that somebody else got says about an event. */
export function readObservedDelivery({status, body, reason}: CapturedAnswer, at: Date): ObservedDelivery {
  if (status >= 200 && status < 300) return {status: 'delivered', answer: status, message: null, at}
  const [error] = body ? readErrors(body) : []
  const said = (reason || error?.detail || error?.title || '').slice(0, LONGEST_MESSAGE)
  return {
    status: FROM_BETWEEN.has(status) ? 'unknown' : 'failed',
    answer: status,
    message: said === '' ? null : said,
    at,
  }
}
