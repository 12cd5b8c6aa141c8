import {readErrors} from './read-errors.js'

/** A refusal that took so long may come from somebody who waited for the shop in vain, milliseconds. */
const SLOW_MS = 2000

/**
 * What an answer leaves open about the work that it was asked for.
 *
 * - `at-work`: something before the shop gave up; the shop may still be at work, whatever its state shows
 * - `refused`: somebody refused at once
 * - `undefined`: the work is over
 *
 * @param tookMs how long the answer took
 */
export function findDoubt(
  {status, body}: {readonly status: number; readonly body: Uint8Array},
  tookMs: number,
): 'at-work' | 'refused' | undefined {
  if (status === 502 || status === 503) return tookMs < SLOW_MS ? 'refused' : 'at-work'
  if (status === 408 || status > 500) return 'at-work'
  // The shop itself answers with no other 5xx; what breaks in it before its errors are written may come later.
  return status === 500 && readErrors(body).length === 0 ? 'at-work' : undefined
}
