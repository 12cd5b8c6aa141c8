import type {StorectlError} from '../errors.js'
import type {Clock} from '../platform/clock.js'
import type {ItemResult} from './journal/item.js'
import type {Journal} from './journal/journal.js'
import type {ClassCounts} from './journal/run-store.js'
import type {Operation} from './pool/attempt-item.js'
import type {StopLimits} from './pool/circuit-breaker.js'
import {Engine, type Items} from './pool/pool.js'

export interface ExecuteOptions<T> extends Operation<T> {
  readonly journal: Journal
  readonly clock: Clock
  /** From 0 up to 1; for jitter. */
  readonly random: () => number
  /** Ordering keys that are worked on at once. */
  readonly concurrency: number
  /** Starts a second, retries included; 0 is no limit. Asked again for each, where it may change. */
  readonly ratePerSecond: number | (() => number)
  /** Attempts after the first. */
  readonly retries: number
  readonly limits: StopLimits
  /** Whether an item that failed keeps the rest of its ordering key from being sent. */
  readonly blocksLane: boolean
  /** Fires at the first interruption: nothing new is started, what is in flight is finished. */
  readonly stopping: AbortSignal
}

/** A run under way. */
export interface Execution<T> {
  /**
   * Every item's end, as the items end, each durable before it is handed out, and together with those that are by then:
   * what hands them on costs once for many. To stop reading stops the run the same
   * way as an interruption: what is in flight is finished and recorded.
   *
   * @throws whatever the journal, the source of items or a deed threw, after what was in flight has ended
   */
  readonly results: AsyncGenerator<readonly ItemResult<T>[], void, void>
  /** What stopped it; `undefined` as long as nothing did. */
  readonly halt: StorectlError | undefined
  /** Whether every item was brought to its end. */
  readonly isComplete: boolean
  /** Fires when nothing new is started any more, so that a source of items need hold none back. */
  readonly closing: AbortSignal
  /** Stops it for a reason that lies elsewhere: nothing new is started, what is in flight is finished. */
  stop(halt: StorectlError): void
  /** Counts what other workers of the same run have ended for its limits. */
  noteOthers(graded: ClassCounts): void
}

/**
 * Sends items: those of one ordering key strictly one after the other in the order they come, different ordering keys side by side.
 *
 * Before an item is sent its intent is durable, and its result before it is handed out; commits are shared by all
 * that wait. Memory does not grow with the number of items: what is read ahead, in flight and not yet read is bounded.
 */
export function execute<T>(items: Items<T>, options: ExecuteOptions<T>): Execution<T> {
  const engine = new Engine(items, options)
  return {
    results: engine.results(),
    get halt() {
      return engine.halt
    },
    get isComplete() {
      return engine.isComplete
    },
    closing: engine.closing,
    stop: halt => engine.stop(halt),
    noteOthers: graded => engine.noteOthers(graded),
  }
}
