import {THROTTLED} from '../../shopware/error-texts.js'
import {MOST_THROTTLED} from '../runtime/limits.js'
import {createShopError, type ShopError} from '../runtime/shop-error.js'
import {hashOfSecret} from './secrets.js'

/** Wait times by number of attempts. @see protocol.md §2.7 */
const FREE_ATTEMPTS = 10
const STEPS: readonly {from: number; waitMs: number}[] = [
  {from: 20, waitMs: 60_000},
  {from: 15, waitMs: 30_000},
  {from: FREE_ATTEMPTS, waitMs: 10_000},
]
const FORGOTTEN_AFTER_MS = 24 * 3600 * 1000

interface Bucket {
  attempts: number
  lastMs: number
}

/** Longer names are counted by their hash: 10 MiB of a name would stay in memory for a day. */
const LONGEST_KEY = 100

/**
 * Throttles repeated sign-ins. Attempts that pass count; refused ones neither count nor extend the wait; a success
 * resets the count. It is in memory, so a restart of the server ends a wait, like clearing a real shop's cache.
 */
export class Throttle {
  readonly #buckets = new Map<string, Bucket>()

  /**
   * Counts an attempt.
   *
   * @throws ShopError 429 with the remaining whole seconds
   */
  countAttempt(caller: string, nowMs: number): void {
    const key = hashLongCaller(caller)
    const bucket = this.#getCurrentBucket(key, nowMs)
    const waitMs = bucket.lastMs + waitAfter(bucket.attempts) - nowMs
    if (bucket.attempts >= FREE_ATTEMPTS && waitMs > 0) throw createThrottledError(Math.ceil(waitMs / 1000))
    this.#buckets.delete(key)
    this.#buckets.set(key, {attempts: bucket.attempts + 1, lastMs: nowMs})
    // Limits memory: names can be invented faster than they expire.
    if (this.#buckets.size > MOST_THROTTLED) this.#buckets.delete(this.#buckets.keys().next().value as string)
  }

  resetAttempts(caller: string): void {
    this.#buckets.delete(hashLongCaller(caller))
  }

  #getCurrentBucket(key: string, nowMs: number): Bucket {
    const bucket = this.#buckets.get(key)
    if (!bucket || nowMs - bucket.lastMs >= FORGOTTEN_AFTER_MS) return {attempts: 0, lastMs: nowMs}
    return bucket
  }
}

function hashLongCaller(caller: string): string {
  return caller.length > LONGEST_KEY ? hashOfSecret(caller) : caller
}

function waitAfter(attempts: number): number {
  return STEPS.find(step => attempts >= step.from)?.waitMs ?? 0
}

/** The error for throttled sign-ins. @see protocol.md §2.7 */
export function createThrottledError(seconds: number): ShopError {
  return createShopError(429, THROTTLED[0], `Auth throttled for ${seconds} seconds.`, {
    parameters: {seconds},
  })
}
