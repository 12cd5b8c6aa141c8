import type {Clock} from '../../platform/clock.js'

/** The result of one call to the other side. */
export interface TimedCall {
  readonly wasAnswered: boolean
  /** Whether the other side asked to be called less often, or could not answer: 429, 503. */
  readonly isBusy: boolean
  /** Milliseconds. */
  readonly tookMs: number
  /** It looked for the effect of another call, and may have waited for others to share it. */
  readonly isLookUp?: boolean
}

/** Starts per second as a person writes them: a number, 0 for no limit, or `auto` to adapt to the other side. */
export type Rate = number | 'auto'

/** Ordering keys in flight at once: a number, or one that fits itself to the other side together with the rate. */
export type Concurrency = number | 'auto'

/** Starts per second that an adaptive rate begins with. */
export const FIRST_RATE = 5

/** Ordering keys in flight at once that it begins with. */
export const FIRST_IN_FLIGHT = 4

/** More in flight at once only somebody asks for who knows the shop. */
const MOST_IN_FLIGHT = 16

/** It is not slowed down any further, starts per second. */
const SLOWEST_RATE = 0.5

/** A rate is doubled after going well for this time, milliseconds. */
const DOUBLED_AFTER_MS = 5000

/** Calls in flight still show the earlier rate: it is halved at most once in this time, milliseconds. */
const HALVED_AFTER_MS = 2000

/** Calls over which a median latency is taken. */
const SAMPLE = 20

/** A latency this many times that of the first calls is a sign of too many calls. */
const GROWTH = 2

/**
 * Shorter calls differ by chance: a first latency below this counts as this one, milliseconds. Without it 4,000 events to a
 * fast shop took 744 s, and 232 s with it.
 */
const LEAST_LATENCY_MS = 25

/** A rate used less than this share does not limit the run: doubling it would change nothing now, and harm later. */
const USED_SHARE = 0.8

/**
 * A rate that adapts to the other side: doubled after every 5 s that went well, halved as soon as a response asks for
 * fewer calls or the median latency is twice that of the first 20 calls, and more than some milliseconds. What may be in
 * flight at once is doubled and halved with it, from 1 to 16.
 */
export class AdaptiveRate {
  /** Starts per second. */
  perSecond = FIRST_RATE
  /** Ordering keys at once. */
  inFlight = FIRST_IN_FLIGHT
  readonly #first: number[] = []
  #last: number[] = []
  #calls = 0
  #sinceMs: number | undefined
  #halvedMs = Number.NEGATIVE_INFINITY

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  /** Counts a call; the rate may change. */
  note({wasAnswered, isBusy, tookMs, isLookUp}: TimedCall): void {
    if (isLookUp && !isBusy) return
    const now = this.clock.now().getTime()
    this.#sinceMs ??= now - tookMs
    this.#calls++
    if (wasAnswered && !isBusy) this.#noteLatency(tookMs)
    if (isBusy || this.#isSlower()) this.#halve(now)
    const forMs = now - this.#sinceMs
    if (forMs < DOUBLED_AFTER_MS) return
    const isUsed = this.#calls >= (this.perSecond * forMs * USED_SHARE) / 1000
    if (isUsed) {
      this.perSecond *= 2
      this.inFlight = Math.min(MOST_IN_FLIGHT, this.inFlight * 2)
    }
    this.#restart(now)
  }

  #noteLatency(tookMs: number): void {
    if (this.#first.length < SAMPLE) this.#first.push(tookMs)
    this.#last.push(tookMs)
    if (this.#last.length > SAMPLE) this.#last.shift()
  }

  #isSlower(): boolean {
    if (this.#last.length < SAMPLE) return false
    return findMedian(this.#last) > GROWTH * Math.max(LEAST_LATENCY_MS, findMedian(this.#first))
  }

  #halve(now: number): void {
    if (now - this.#halvedMs >= HALVED_AFTER_MS || now < this.#halvedMs) {
      this.perSecond = Math.max(SLOWEST_RATE, this.perSecond / 2)
      this.inFlight = Math.max(1, this.inFlight / 2)
      this.#halvedMs = now
      this.#last = []
    }
    this.#restart(now)
  }

  #restart(now: number): void {
    this.#sinceMs = now
    this.#calls = 0
  }
}

function findMedian(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] as number
}
