import {readErrors} from '../wire/read-errors.js'
import type {Answer} from './http.js'

/**
 * How long the other side asks to wait: `Retry-After` in seconds or as a date, or the seconds that a shop's throttle
 * names in its error.
 *
 * @returns milliseconds, 0 or more; `undefined` when it does not say
 * @see RFC 9110 §10.2.3; protocol.md §2.7
 */
export function retryAfterMs({status, headers, body}: Answer, now: Date): number | undefined {
  const said = String(headers['retry-after'] ?? '').trim()
  if (/^\d+$/.test(said)) return Number(said) * 1000
  const date = said === '' ? Number.NaN : Date.parse(said)
  if (Number.isFinite(date)) return Math.max(0, date - now.getTime())
  if (status !== 429) return undefined
  const seconds = Number(readErrors(body)[0]?.parameters.seconds)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined
}
