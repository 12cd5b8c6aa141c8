/** Wait before the second attempt, at most; it doubles with each further one. */
const FIRST_MS = 500

/** No single wait is longer than this, whatever the other side asks for: a person is watching. */
export const LONGEST_WAIT_MS = 60_000

/**
 * How long to wait before the next attempt.
 *
 * What the other side asked for, plus up to a tenth so that all do not come back at once; else exponential backoff
 * with jitter over the upper half.
 *
 * @param attempt the one that has just failed, from 1
 * @param random from 0 up to 1
 * @returns milliseconds, at most `LONGEST_WAIT_MS`
 */
export function backoff(attempt: number, retryAfterMs: number | undefined, random: () => number): number {
  if (retryAfterMs !== undefined) return Math.min(LONGEST_WAIT_MS, retryAfterMs * (1 + random() / 10))
  const ceiling = Math.min(LONGEST_WAIT_MS, FIRST_MS * 2 ** (attempt - 1))
  return ceiling / 2 + (random() * ceiling) / 2
}
