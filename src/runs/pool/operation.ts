import type {Item, ItemResult, ProbeResult, Result} from '../journal/item.js'
import type {Concurrency, Rate} from './adaptive-rate.js'
import type {StopLimits} from './circuit-breaker.js'

/** What one kind of run does with its items, and the row that each of them is printed as. */
export interface Operation<T, Row> {
  /** Looks up what `prepare` will need soon, so that many items share a look-up. */
  lookAhead?(item: Item<T>): void
  /**
   * Decides whether the item is sent now, with a fresh look-up on the other side if it needs one.
   *
   * @returns `send`, or the result that replaces sending
   */
  prepare(item: Item<T>): Promise<'send' | Result>
  /**
   * What the journal stores with the intent: what the other side is compared with if the response is lost. Called after
   * `prepare` has returned `send`.
   */
  describeIntent?(item: Item<T>): Result['facts']
  /**
   * Sends the item once.
   *
   * @param attempt from 1
   * @param onAnswered called after success, once nothing of it is in flight, though its result is not yet known
   * @returns the result, whatever it is; throws only on a bug
   */
  execute(item: Item<T>, attempt: number, onAnswered: () => void): Promise<Result>
  /**
   * Finds out whether an attempt without a clear response was applied. Called again and again for many items: they
   * share their look-ups.
   */
  probe(item: Item<T>): Promise<ProbeResult>
  toRow(result: ItemResult<T>): Row
}

/** The speed of a run and when it stops by itself. */
export interface RunSettings extends StopLimits {
  /** Requests started per second, retries included: a number for all workers together, or one that each adapts by itself. */
  readonly ratePerSecond: Rate
  /** Ordering keys with a request in flight at the same time; `auto` grows with an adaptive rate only. */
  readonly concurrency: Concurrency
  /** Attempts after the first. */
  readonly retries: number
  /** How long the effect of a call that was given up is looked for, milliseconds; default one minute. */
  readonly graceMs?: number | undefined
  /** An attempt that ended this long ago counts as not applied without an effect, milliseconds; absent: never. */
  readonly presumeLostAfterMs?: number | undefined
}
