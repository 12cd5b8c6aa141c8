import {hash} from 'node:crypto'
import type {ChainEnd, ResultTotals} from '../journal/worker.js'

/**
 * The kinds of rows of the ledger of runs. Workers that join or leave have none: the closing row has the last entry of
 * each. A dry run has none.
 *
 * - `adopted`: a run that was there before the ledger began
 * - `opened`: a run whose plan is stored; `resumed` where it continues another
 * - `closed`: a run that its own workers ended
 * - `taken-over`: a run that a person ended on behalf of its process
 * - `found-dead`: a run whose process was gone when the next one began
 * - `discarded`: a run that was discarded before it sent anything; its other rows are gone
 * - `resolved`, `reopened`: events that a person marked with an earlier version, where a resolve was not a run
 * - `pruned`: events that were deleted
 * - `backed-up`: a copy of the records was made; the copy does not have this row
 * - `restored`: a person has checked records that were restored from a backup
 */
export type RunLedgerRowKind =
  | 'adopted'
  | 'opened'
  | 'resumed'
  | 'closed'
  | 'taken-over'
  | 'found-dead'
  | 'discarded'
  | 'resolved'
  | 'reopened'
  | 'pruned'
  | 'backed-up'
  | 'restored'

/** What is appended to the ledger of runs. */
export interface NewRunLedgerRow {
  readonly kind: RunLedgerRowKind
  /** `null` if it is about no run. */
  readonly runId: string | null
  readonly content: object
}

/** A stored row: appended once, never changed. */
export interface RunLedgerRow {
  /** From 1, without gaps. */
  readonly number: number
  readonly kind: RunLedgerRowKind
  /** By the clock of the records. */
  readonly at: Date
  readonly runId: string | null
  /** A JSON object, as it was written. */
  readonly content: string
  /** SHA-256 over the hash of the row before it and this one, lower-case hex. */
  readonly hash: string
}

/** Number and hash of the last row: whoever knows it can tell whether any row up to it was changed. */
export type RunLedgerHead = Pick<RunLedgerRow, 'number' | 'hash'>

/** @param previous hash of the row before it; empty before the first */
export function hashRunLedgerRow(previous: string, row: Omit<RunLedgerRow, 'hash'>): string {
  const {number, kind, at, runId, content} = row
  return hash('sha256', JSON.stringify([previous, number, kind, at.toISOString(), runId, content]))
}

/** How a run opened. */
export interface OpeningContent {
  readonly kind: string
  readonly target: string
  readonly who: string
  readonly host: string
  readonly startedAt: string
  readonly total: number | null
  readonly continues: string | null
  /** What the run's own chain begins with. @see computeChainOrigin */
  readonly origin: string
}

/** How a run ended. */
export interface ClosingContent extends ResultTotals {
  readonly state: 'completed' | 'stopped' | 'interrupted'
  readonly stopCode: string | null
  readonly stopReason: string | null
  readonly endedAt: string
  /** The last entry of each worker's chain, by worker. */
  readonly ends: readonly ChainEnd[]
  /** Who ended it, if that was none of its workers: a person, or the next run. */
  readonly by?: string | undefined
}

type OpeningRun = Omit<OpeningContent, 'startedAt' | 'origin'> & {readonly startedAt: Date}

/** @param origin what its own chain begins with */
export function describeOpening(run: OpeningRun, origin: string): OpeningContent {
  const {kind, target, who, host, startedAt, total, continues} = run
  return {kind, target, who, host, startedAt: startedAt.toISOString(), total, continues, origin}
}
