import {type Clock, machineClock} from './clock.js'

/** Waits between attempts: they double from the first to the longest, all in milliseconds. */
export interface BackoffLimits {
  readonly firstMs: number
  readonly longestMs: number
  /** The part of a wait that is left to chance, from 0 to 1. Half of it by default. */
  readonly jitter?: number
}

/** For requests to another machine. */
const REQUESTS: BackoffLimits = {firstMs: 500, longestMs: 60_000}

/** No requested wait is longer than this: a person is watching. */
export const LONGEST_REQUESTED_MS = 60_000

/**
 * How long to wait before the next attempt.
 *
 * What the other side asked for, plus up to a tenth so that all do not come back at once; else exponential backoff with
 * jitter.
 *
 * @param attempt the one that has just failed, from 1
 * @param random from 0 up to 1
 * @returns milliseconds, at most a minute where the other side asked for it, else at most the longest of the limits
 * @see https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export function computeBackoffMs(
  attempt: number,
  retryAfterMs: number | undefined,
  random: () => number,
  {firstMs, longestMs, jitter = 0.5}: BackoffLimits = REQUESTS,
): number {
  if (retryAfterMs !== undefined) return Math.min(LONGEST_REQUESTED_MS, retryAfterMs * (1 + random() / 10))
  const ceiling = Math.min(longestMs, firstMs * 2 ** (attempt - 1))
  return ceiling * (1 - jitter) + random() * ceiling * jitter
}

/** Shorter waits need no word. */
const NOTE_FROM_MS = 1000

/**
 * What a person is told of a wait that the other side asked for.
 *
 * @param who whoever asked
 * @returns `undefined` for a wait that is over at once
 */
export function describeRequestedWait(who: string, waitMs: number, now: Date): string | undefined {
  if (waitMs < NOTE_FROM_MS) return undefined
  const until = new Date(now.getTime() + waitMs).toISOString().replace(/\.\d+/, '')
  return `${who} asks to wait ${Math.ceil(waitMs / 1000)} s: retrying at ${until}`
}

export interface RetryOptions<T> extends BackoffLimits {
  /** When to give up, in milliseconds after the first attempt; the last one is made then. */
  readonly timeoutMs: number
  /** Whether a result calls for another attempt; none does by default. */
  readonly isUnfinished?: (result: T) => boolean
  /** Whether an error may pass by itself; none does by default. */
  readonly isPassing?: (error: unknown) => boolean
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined
  /** The machine's by default, which no change of the date affects. */
  readonly clock?: Clock
}

/**
 * Makes an attempt again, with pauses, until its result or its error is one to keep.
 *
 * @returns the result of the last attempt, unfinished where time was up
 * @throws the error of the last attempt, or the signal's reason when it fired during a wait
 */
export async function retryWithBackoff<T>(
  attempt: () => Promise<T> | T,
  {timeoutMs, isUnfinished = () => false, isPassing = () => false, signal, clock, ...limits}: RetryOptions<T>,
): Promise<T> {
  const readNowMs = () => clock?.now().getTime() ?? performance.now()
  const endMs = readNowMs() + timeoutMs
  for (let attempts = 1; ; attempts++) {
    const isLast = readNowMs() >= endMs
    try {
      const result = await attempt()
      if (isLast || !isUnfinished(result)) return result
    } catch (error) {
      if (isLast || !isPassing(error)) throw error
    }
    const waitMs = Math.min(computeBackoffMs(attempts, undefined, Math.random, limits), endMs - readNowMs())
    await (clock ?? machineClock).sleep(waitMs, signal)
    signal?.throwIfAborted()
  }
}
