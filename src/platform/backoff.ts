import {type Clock, machineClock} from './clock.js'

/** Waits between attempts: they double from the first to the longest, all in milliseconds. */
export interface BackoffLimits {
  readonly firstMs: number
  readonly longestMs: number
  /** The random part of a wait, from 0 to 1. Default 0.5. */
  readonly jitter?: number
}

/** For requests to another machine. */
const REQUESTS: BackoffLimits = {firstMs: 500, longestMs: 60_000}

/** Longest requested wait that is accepted: a person is watching. */
export const LONGEST_REQUESTED_MS = 60_000

/**
 * How long to wait before the next attempt.
 *
 * The wait that the server asked for, plus up to a tenth so that not all clients return at once; else exponential
 * backoff with jitter.
 *
 * @param attempt the one that has just failed, from 1
 * @param random from 0 up to 1
 * @returns milliseconds, at most a minute where the server asked for it, else at most the longest of the limits
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

/** Shorter waits are not mentioned. */
const NOTE_FROM_MS = 1000

/**
 * The message about a wait that a server asked for.
 *
 * @param who who asked for it
 * @returns `undefined` for a short wait
 */
export function describeRequestedWait(who: string, waitMs: number, now: Date): string | undefined {
  if (waitMs < NOTE_FROM_MS) return undefined
  const until = new Date(now.getTime() + waitMs).toISOString().replace(/\.\d+/, '')
  return `${who} asks to wait ${Math.ceil(waitMs / 1000)} s: retrying at ${until}`
}

export interface RetryOptions<T> extends BackoffLimits {
  /** When to give up, in milliseconds after the first attempt; the last attempt is made then. */
  readonly timeoutMs: number
  /** Whether a result calls for another attempt. Default: none does. */
  readonly isUnfinished?: (result: T) => boolean
  /** Whether an error is transient. Default: none is. */
  readonly isPassing?: (error: unknown) => boolean
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined
  /** Default: the machine's clock, which a change of the date does not affect. */
  readonly clock?: Clock
}

/**
 * Repeats an attempt, with pauses, until it has a final result or error.
 *
 * @returns the result of the last attempt, unfinished at the timeout
 * @throws the error of the last attempt, or the signal's reason when it fired during a wait
 */
export async function retryWithBackoff<T>(
  attempt: () => Promise<T> | T,
  {timeoutMs, isUnfinished = () => false, isPassing = () => false, signal, clock, ...limits}: RetryOptions<T>,
): Promise<T> {
  const readNowMs = () => clock?.now().getTime() ?? machineClock.readTicks()
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
