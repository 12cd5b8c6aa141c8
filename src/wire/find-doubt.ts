import {readErrors} from './read-errors.js'

/** A refusal after this time may come from a proxy that gave up waiting for the shop, milliseconds. */
const SLOW_MS = 2000

/**
 * What a response leaves open about the requested work.
 *
 * - `at-work`: a proxy in front of the shop gave up; the shop may still be working on it, whatever state it shows
 * - `refused`: the shop or a proxy refused at once
 * - `undefined`: the work is over
 *
 * @param tookMs milliseconds until the response
 */
export function findDoubt(
  {status, body}: {readonly status: number; readonly body: Uint8Array},
  tookMs: number,
): 'at-work' | 'refused' | undefined {
  if (status === 502 || status === 503) return tookMs < SLOW_MS ? 'refused' : 'at-work'
  if (status === 408 || status > 500) return 'at-work'
  // The shop itself responds with no other 5xx; a 500 from before its own error handling may come later.
  return status === 500 && readErrors(body).length === 0 ? 'at-work' : undefined
}
