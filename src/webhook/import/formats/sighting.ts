import {readErrors} from '../../../wire/read-errors.js'
import type {Sighting} from '../../inbox/inbox.js'
import type {CapturedAnswer} from './captured-request.js'

/** Whoever answers so stands before the shop, which may have done its work: 499 is nginx's for a caller that left. */
const FROM_BETWEEN = new Set([408, 499, 502, 504])
const LONGEST_CAUSE = 300

/** What an answer that somebody else got says about an event. */
export function sightingOf({status, body}: CapturedAnswer, at: Date): Sighting {
  if (status >= 200 && status < 300) return {status: 'delivered', answer: status, cause: null, at}
  const [error] = body ? readErrors(body) : []
  const said = (error?.detail || error?.title || '').slice(0, LONGEST_CAUSE)
  return {
    status: FROM_BETWEEN.has(status) ? 'unknown' : 'failed',
    answer: status,
    cause: said === '' ? null : said,
    at,
  }
}
