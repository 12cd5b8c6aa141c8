import type {ExitName, StorectlError} from '../../errors.js'

/** One thing that a run sends. */
export interface Item<T> {
  /** Unique in the run, and in the ledger of its origin: an event id, an order's reference. */
  readonly key: string
  /** Items of one ordering key go one at a time, in the order they arrive. */
  readonly orderingKey: string
  /** SHA-256 of what is sent, lower-case hex. */
  readonly contentHash: string
  readonly value: T
  /** An earlier attempt may have been applied, so the state is looked at before anything is sent. */
  readonly unsure?: boolean
  /** The item of its ordering key that failed before it, where another worker had both. */
  readonly blockedBy?: string | undefined
}

/**
 * What the words of a noun (`applied`, `noop`, `rejected`, …) mean to a run.
 *
 * - `done`: it stands; never sent again
 * - `failed`: it does not stand, and trying again now does not help
 * - `unknown`: it may stand; looked at before anything is sent again
 * - `later`: it does not stand, and trying again may help; once the retries are used up it is `failed`
 * - `held`: nothing was sent, by decision
 */
export type ResultClass = 'done' | 'failed' | 'unknown' | 'later' | 'held'

/** What one attempt, or the whole of them, came to. */
export interface Result {
  readonly resultClass: ResultClass
  /** The noun's own word: `applied`, `created`, … */
  readonly outcome: string
  /** HTTP status of the last answer. */
  readonly status?: number | undefined
  /** A sentence for people: what was answered, or why it was held. */
  readonly detail?: string | undefined
  /** What else belongs into the record: states before and after, ids. */
  readonly facts?: Readonly<Record<string, unknown>> | undefined
  /** How long the other side asks us to wait, milliseconds. */
  readonly retryAfterMs?: number | undefined
  /** The exit this item asks for; the strongest of all items wins. */
  readonly exit?: ExitName | undefined
  /** Ends the run: nothing new is started, what is in flight is finished. */
  readonly halt?: StorectlError | undefined
}

/**
 * What a look at the other side's state says about an attempt without an answer.
 *
 * - `not-applied`: it may be sent again
 * - `cannot-tell`: the state does not show it
 * - `not-now`: the state cannot be looked at for the moment
 */
export type ProbeResult = Result | 'not-applied' | 'cannot-tell' | 'not-now'

/** One item's end, in the order the items ended. */
export interface ItemResult<T> extends Result {
  readonly item: Item<T>
  readonly resultClass: Exclude<ResultClass, 'later'>
  /** How often it was sent in this run, 0 when nothing was. */
  readonly attempts: number
  readonly at: Date
  /** From the first attempt to the end, waiting included. */
  readonly durationMs: number
}
