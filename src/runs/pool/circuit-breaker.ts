import {StorectlError} from '../../errors.js'
import type {ItemResult} from '../journal/item.js'
import type {ClassCounts} from '../journal/worker.js'
import type {TimedCall} from './adaptive-rate.js'

/** When a run stops by itself. Every limit is off unless it is given. */
export interface StopLimits {
  /** This many items, of those not held, are sent first and alone; if one of them fails, nothing else is sent. */
  readonly canary?: number | undefined
  /** Failures in a row. */
  readonly failuresInARow?: number | undefined
  /** Items in a row for which the other side was unreachable or too busy; or calls in a row without a response. */
  readonly unavailableInARow?: number | undefined
  /** Share of failures in the last 20 results, above 0 and up to 1. */
  readonly failureRate?: number | undefined
  /** More failures than this in total. */
  readonly maxFailures?: number | undefined
  /** A larger share of failures in all results than this, from 0 to 1; checked from the 20th result on. */
  readonly maxFailureShare?: number | undefined
}

/** Results over which the failure rate is computed. */
const WINDOW = 20

/** This many unknown results stop a run without other results; until one comes, no more are in doubt or in flight. */
export const FIRST_UNKNOWN = 5

/** A call without a response counts by itself if it took this long, milliseconds: longer than a restart. */
const UNRESPONSIVE_MS = 5000

/** Watches results and decides when a run must stop. */
export class CircuitBreaker {
  #inARow = 0
  #unavailable = 0
  #unanswered = 0
  #failures = 0
  #unknown = 0
  #results = 0
  /** Held items: they say nothing about the other side. */
  #held = 0
  readonly #window: boolean[] = []

  constructor(private readonly limits: StopLimits) {}

  /** How many more may be started before the canary has succeeded. */
  countAllowed(started: number): number {
    const canary = this.limits.canary ?? 0
    if (this.#tried >= canary) return Number.POSITIVE_INFINITY
    return Math.max(0, canary - (started - this.#held))
  }

  /** Whether the canary has not succeeded yet. */
  get isCanaryOut(): boolean {
    return this.#tried < (this.limits.canary ?? 0)
  }

  /** @returns why the run must stop, `undefined` if it may continue */
  note({resultClass, exit}: Pick<ItemResult<unknown>, 'resultClass' | 'exit'>): StorectlError | undefined {
    const failed = resultClass === 'failed' || resultClass === 'unknown'
    this.#results++
    if (failed) this.#failures++
    if (resultClass === 'unknown') this.#unknown++
    if (resultClass === 'held') this.#held++
    this.#inARow = failed ? this.#inARow + 1 : resultClass === 'held' ? this.#inARow : 0
    if (resultClass !== 'held')
      this.#unavailable = failed && exit === 'unavailable' ? this.#unavailable + 1 : 0
    if (resultClass !== 'held') this.#window.push(failed)
    if (this.#window.length > WINDOW) this.#window.shift()
    return failed ? this.#checkLimits() : undefined
  }

  /**
   * Counts single attempts and look-ups: each may take as long as its time-out, and an item takes several.
   *
   * @returns why the run must stop, `undefined` if it may continue
   */
  noteCall({wasAnswered, tookMs}: Pick<TimedCall, 'wasAnswered' | 'tookMs'>): StorectlError | undefined {
    const {unavailableInARow} = this.limits
    if (wasAnswered) this.#unanswered = 0
    else if (tookMs >= UNRESPONSIVE_MS) this.#unanswered++
    if (!unavailableInARow || this.#unanswered < unavailableInARow) return undefined
    return stop('breaker_open', `the shop did not answer ${this.#unanswered} requests in a row`)
  }

  /**
   * Counts recent results of the run's other workers, whose order is unknown: one success among them ends a row of
   * failures, and the last 20 get their share of both.
   *
   * @returns why the run must stop, `undefined` if it may continue
   */
  notePeerResults({done, failed}: ClassCounts): StorectlError | undefined {
    const all = done + failed
    this.#results += all
    this.#failures += failed
    this.#inARow = done > 0 ? 0 : this.#inARow + failed
    const newest = Math.min(WINDOW, all)
    const bad = Math.round((newest * failed) / Math.max(1, all))
    for (let count = 0; count < newest; count++) this.#window.push(count >= newest - bad)
    this.#window.splice(0, Math.max(0, this.#window.length - WINDOW))
    return failed > 0 ? this.#checkLimits() : undefined
  }

  /** Items with an answer from the other side. */
  get #tried(): number {
    return this.#results - this.#held
  }

  #checkLimits(): StorectlError | undefined {
    const {
      canary = 0,
      failuresInARow,
      unavailableInARow,
      failureRate,
      maxFailures,
      maxFailureShare,
    } = this.limits
    const count = this.#failures
    if (this.#tried <= canary) return stop('canary_failed', `one of the first ${canary} failed (--canary)`)
    if (failuresInARow && this.#inARow >= failuresInARow) {
      return stop('breaker_open', `${this.#inARow} failed in a row`)
    }
    if (unavailableInARow && this.#unknown === count && count === this.#tried && count >= FIRST_UNKNOWN) {
      return stop('breaker_open', `the results of the first ${count} are unknown`)
    }
    if (unavailableInARow && this.#unavailable >= unavailableInARow) {
      return stop('breaker_open', `the shop was unavailable ${this.#unavailable} times in a row`)
    }
    const recent = this.#window.filter(Boolean).length
    if (failureRate && this.#window.length === WINDOW && recent >= failureRate * WINDOW) {
      const percent = Math.round((100 * recent) / WINDOW)
      return stop(
        'breaker_open',
        `failure rate ${percent} % (${recent} of the last ${WINDOW}) reached --breaker-rate`,
      )
    }
    if (maxFailures !== undefined && count > maxFailures) {
      return stop('too_many_failures', `${count} failed, more than --max-failures ${maxFailures}`)
    }
    if (maxFailureShare !== undefined && this.#results >= WINDOW && count > maxFailureShare * this.#results) {
      return stop('too_many_failures', `${count} of ${this.#results} failed`)
    }
    return undefined
  }
}

/** A run whose input cannot be read again gives another command here. */
export const RESUME = 'storectl run resume last'

function stop(code: string, what: string): StorectlError {
  return new StorectlError(`stopped.${code}`, `Stopped: ${what}.`, {
    nextSteps: ['storectl run show last --results', RESUME],
  })
}
