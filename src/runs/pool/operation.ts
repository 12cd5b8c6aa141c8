import type {Item, ItemResult, ProbeResult, Result} from '../journal/item.js'
import type {Concurrency, Rate} from './adaptive-rate.js'
import type {StopLimits} from './circuit-breaker.js'

/** What one kind of run does with its items, and the row that each of them is printed as. */
export interface Operation<T, Row> {
  /** Looks at what `prepare` will need soon, so that many items share a look. */
  lookAhead?(item: Item<T>): void
  /**
   * Decides, with a fresh look at the other side where it needs one, whether the item is sent now.
   *
   * @returns `send`, or the result that takes the place of sending
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
   * @param onAnswered called when it went well and nothing of it is in flight any more, though its result is not yet known
   * @returns whatever came of it; throws only on a bug
   */
  execute(item: Item<T>, attempt: number, onAnswered: () => void): Promise<Result>
  /**
   * Finds out whether an attempt without a clear response was applied. Asked of many items again and again: they share
   * their look-ups.
   */
  probe(item: Item<T>): Promise<ProbeResult>
  toRow(result: ItemResult<T>): Row
}

/** How fast a run goes and when it stops by itself. */
export interface RunSettings extends StopLimits {
  /** Requests started per second, retries included: a number for all workers together, or one that each adapts by itself. */
  readonly ratePerSecond: Rate
  /** Ordering keys with a request in flight at the same time; `auto` grows with an adaptive rate only. */
  readonly concurrency: Concurrency
  /** Attempts after the first. */
  readonly retries: number
  /** How long the effect of a call that was given up is looked for, milliseconds; a minute where absent. */
  readonly graceMs?: number | undefined
  /** An attempt that ended so long ago counts as not applied where its effect is missing, milliseconds; never where absent. */
  readonly presumeLostAfterMs?: number | undefined
}
