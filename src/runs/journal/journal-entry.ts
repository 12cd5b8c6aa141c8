import type {ResultClass} from './item.js'

/**
 * - `intent`: about to be sent; durable before the first byte leaves
 * - `answer`: the result of an attempt that was not the last
 * - `result`: the final result of the item
 */
export type EntryKind = 'intent' | 'answer' | 'result'

/** What a worker records about one item. */
export interface NewEntry {
  readonly kind: EntryKind
  /** The item's key. */
  readonly item: string
  readonly orderingKey: string
  readonly contentHash: string
  /** From 1; 0 when nothing was sent. */
  readonly attempt: number
  readonly resultClass?: ResultClass | undefined
  readonly result?: string | undefined
  readonly status?: number | undefined
  readonly detail?: string | undefined
  readonly facts?: Readonly<Record<string, unknown>> | undefined
}

/** An entry in its place: appended once, never changed. */
export interface JournalEntry extends NewEntry {
  readonly runId: string
  /** Who wrote it; each worker has a chain of its own. */
  readonly worker: string
  /** From 1, without gaps in a worker's chain. */
  readonly sequence: number
  readonly at: Date
  /** SHA-256 over the record before it and this one, lower-case hex. */
  readonly hash: string
}

/** The latest result of an item at one target, whichever run recorded it. */
export interface LedgerEntry {
  readonly key: string
  readonly contentHash: string
  readonly resultClass: 'done' | 'failed' | 'unknown'
  readonly result: string
  readonly status?: number | undefined
  readonly detail?: string | undefined
  readonly attempts: number
  readonly at: Date
  readonly runId: string
  /** What was stored with the attempt whose result is unknown. */
  readonly facts?: Readonly<Record<string, unknown>> | undefined
}
