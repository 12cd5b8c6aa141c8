import type {ExitName, StorectlError} from '../../errors.js'
import type {Money} from '../../language/amount-totals.js'

/** One thing that a run sends. */
export interface Item<T> {
  /** Unique in the run, and in the ledger of its target: an event id, an order's reference. */
  readonly key: string
  /** Items of one ordering key go one at a time, in the order they arrive. */
  readonly orderingKey: string
  /** SHA-256 of what is sent, lower-case hex. */
  readonly contentHash: string
  /** Its amount, if known; stored with each entry about it. */
  readonly amount?: Money | undefined
  readonly value: T
  /** An earlier attempt may have been applied, so the item is probed before anything is sent. */
  readonly unsure?: boolean
  /** What was stored with that attempt; `endedAt` is the latest time at which it ended, ISO 8601. */
  readonly attemptFacts?: Result['facts']
  /** The item of its ordering key that failed before it, if another worker had both. */
  readonly blockedBy?: string | undefined
}

/**
 * What the results of an operation (`applied`, `unchanged`, `rejected`, …) mean to a run.
 *
 * - `done`: it was applied; never sent again
 * - `failed`: it was not applied, and trying again now does not help
 * - `unknown`: it may have been applied; probed during the grace period, and sent again only after a refusal
 * - `later`: it was not applied, and trying again may help; once the retries are used up it is `failed`
 * - `held`: nothing was sent, by decision
 */
export type ResultClass = 'done' | 'failed' | 'unknown' | 'later' | 'held'

/**
 * What an unknown result leaves open.
 *
 * - `at-work`: the call was given up, and the other side may still be working on it; an unchanged state proves nothing
 * - `refused`: refused at once; a state that stays unchanged for some seconds allows the next attempt
 */
export type Doubt = 'at-work' | 'refused'

/** The result of one attempt, or of all attempts of an item. */
export interface Result {
  readonly resultClass: ResultClass
  /** The operation's own word: `applied`, `created`, … */
  readonly result: string
  /** Of an unknown result; default `at-work`. */
  readonly doubt?: Doubt | undefined
  /** HTTP status of the last response. */
  readonly status?: number | undefined
  /** A sentence for people: what the response was, or why the item was held. */
  readonly detail?: string | undefined
  /** It was held for the same reason before, so it is not news and does not count for the exit. */
  readonly isKnownHold?: boolean | undefined
  /** What else belongs in the journal: states before and after, ids. */
  readonly facts?: Readonly<Record<string, unknown>> | undefined
  /** How long the other side asks us to wait, milliseconds. */
  readonly retryAfterMs?: number | undefined
  /** The exit that this item calls for; the strongest of all items wins. */
  readonly exit?: ExitName | undefined
  /** Stops the run: nothing new is started, what is in flight is finished. */
  readonly halt?: StorectlError | undefined
}

/**
 * What the other side's state shows about an attempt without a response: its result, or
 *
 * - `not-applied`: it has no effect yet
 * - `cannot-tell`: the state does not show it
 * - `not-now`: the state cannot be read for the moment
 */
export type ProbeResult = Result | 'not-applied' | 'cannot-tell' | 'not-now'

/** What identifies an item in the journal. */
export type JournalItem = Pick<Item<unknown>, 'key' | 'orderingKey' | 'contentHash' | 'amount'>

/** A result after which nothing more is tried. */
export type FinalResult = Result & {readonly resultClass: Exclude<ResultClass, 'later'>}

/** What is stored with an attempt, with the time when it ended; a stored time stays. */
export function withAttemptEnd(facts: Result['facts'], at: Date): NonNullable<Result['facts']> {
  return {...facts, endedAt: facts?.endedAt ?? at.toISOString()}
}

/** The final result of one item. */
export interface ItemResult<T> extends Result {
  readonly item: Item<T>
  readonly resultClass: FinalResult['resultClass']
  /** How often it was sent in this run, 0 when nothing was. */
  readonly attempts: number
  /** From the first attempt to the end, waits included. */
  readonly durationMs: number
}
