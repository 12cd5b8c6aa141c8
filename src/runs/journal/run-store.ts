import type {NewRunLedgerRow, RunLedgerHead, RunLedgerRow} from '../ledger/run-ledger-row.js'
import type {Claim, EarlierAttempts, PlannedItem} from './claim.js'
import type {ResultClass} from './item.js'
import type {JournalEntry, LedgerEntry} from './journal-entry.js'
import type {Counts, NewWorker, Worker, WorkerProgress} from './worker.js'

/** What a run does. A `resolve` marks events by hand, an `undo` takes one back; neither sends anything. */
export type RunKind = 'replay' | 'submit' | 'repair' | 'resolve' | 'undo'

/**
 * - `running`: begun and not ended; whether its process still lives is the lease's to say
 * - `ended`: everything was tried
 * - `stopped`: by a person, a closed output or a guard; the rest was not tried
 * - `interrupted`: its process went away; what was in flight is `unknown`
 */
type RunState = 'running' | 'completed' | 'stopped' | 'interrupted'

/** A run as it stands in the records. */
export interface RunRow {
  readonly id: string
  readonly kind: RunKind
  /** The shop it writes to: its base URL, or `local` for the bundled one. */
  readonly target: string
  readonly profile: string
  /** The person, as the machine knows them. */
  readonly who: string
  readonly host: string
  readonly pid: number
  /** When the process began, in the system's own terms: tells it from a later one of the same pid. */
  readonly processStart: string
  readonly reason: string | null
  readonly state: RunState
  readonly startedAt: Date
  readonly endedAt: Date | null
  /** Last sign of life. */
  readonly heartbeatAt: Date
  /** How long ago that was when this was read, milliseconds, by the clock of the records and nobody's own. */
  readonly heartbeatAgeMs: number
  /** What was asked for; enough to carry on with it. */
  readonly options: Readonly<Record<string, unknown>>
  /** Items that the run set out with, `null` when that is not known beforehand. */
  readonly total: number | null
  readonly counts: Counts
  /** Code of what stopped it, `null` when nothing did. */
  readonly stopCode: string | null
  /** The same as a sentence. */
  readonly stopReason: string | null
  /** The run that this one carries on with. */
  readonly continues: string | null
  /** The watch that began it; `null` where a person did. */
  readonly watchId?: string | null | undefined
  /** What a person asked of it while it was under way; `null` where nobody did. */
  readonly control: RunControl | null
  /** Who works on it and who did, the first to come first; none in runs of older programs. */
  readonly workers: readonly Worker[]
}

export type NewRun = Omit<
  RunRow,
  | 'state'
  | 'endedAt'
  | 'heartbeatAt'
  | 'heartbeatAgeMs'
  | 'counts'
  | 'stopCode'
  | 'stopReason'
  | 'control'
  | 'workers'
>

/** What a person asked of a run under way from another terminal. */
export interface RunControl {
  /** Nothing new is started. */
  readonly isPaused: boolean
  /** Starts per second of all workers together, 0 for no limit, `auto` to adapt; `null` for that of the run. */
  readonly ratePerSecond: number | 'auto' | null
  /** Ordering keys in flight of each worker; `null` for that of the run. */
  readonly concurrency: number | null
  /** Who asked last: `ada on desk`. */
  readonly askedBy: string
  /** When that was, by the clock of the records. */
  readonly askedAt: Date
}

/** What is to be changed; the rest stays as it is. */
export type ControlChange = Partial<Pick<RunControl, 'isPaused' | 'ratePerSecond' | 'concurrency'>>

/** What a run's lease goes by. */
export type RunRef = Pick<RunRow, 'id' | 'kind' | 'target'>

/** A run, and which of its workers somebody is. */
export type WorkerRef = RunRef & {readonly worker: string}

/** Why a run was stopped: an error code, and a sentence. */
export interface RunStop {
  readonly code: string
  readonly reason: string
}

/** How a worker's part ended. */
export interface WorkerEnd {
  /** Whether every item was brought to its end; of a run that is cut into blocks these tell. */
  readonly isComplete: boolean
  /** Blocks that are through and not yet noted as such. */
  readonly finished: readonly number[]
  readonly stop: RunStop | null
  readonly endedAt: Date
}

/**
 * - `joined`: the worker is one of the run's
 * - `over`: the run has ended, or another worker has stopped it
 * - `unplanned`: its plan does not stand yet
 * - `unshared`: an older program began it, or it has no plan
 */
type Joined = 'joined' | 'over' | 'unplanned' | 'unshared'

/** Entries of one commit. */
export interface TakenEntries {
  readonly entries: readonly JournalEntry[]
  /** How far the worker has come once they are stored. */
  readonly progress: WorkerProgress
}

/** What is to be appended about open items. */
export type RecoverItems = (open: OpenItem[]) => JournalEntry[]

/** An item that was begun and has no result. */
export interface OpenItem {
  readonly runId: string
  /** The last record that speaks of it. */
  readonly last: JournalEntry
}

interface RunQuery {
  readonly kind?: RunKind | undefined
  readonly target?: string | undefined
  readonly state?: RunState | undefined
  readonly watchId?: string | null | undefined
  readonly limit?: number | undefined
}

/** What runs need of a database. Every write is durable once its promise resolves. */
export interface RunStore {
  /**
   * Takes the lease of the run's kind and target and writes the run down with its first worker, in one transaction.
   * Where an unresponsive run holds the lease it is ended as `interrupted`, and `recover` says what to append about its open items.
   *
   * @param stillHeld whether the holder's run is to be taken for alive
   * @returns the holder when the lease is another's; then nothing was written
   */
  begin(
    run: NewRun,
    stillHeld: (holder: RunRow) => boolean,
    recover: RecoverItems,
  ): Promise<{begun: true; interrupted: RunRow | undefined} | {begun: false; holder: RunRow}>
  /**
   * Appends records, and brings the ledger and the worker's own counts up to date with the results among them, in one
   * commit.
   *
   * @param take gives the records; called once, when the commit begins, so that it holds all that wait by then
   * @throws StorectlError `conflict.lease_lost` when the worker was declared gone, or another run has taken the lease
   *   over; nothing was appended
   */
  append(at: WorkerRef, take: () => TakenEntries): Promise<void>
  /** A heartbeat of a worker. */
  writeHeartbeat(at: WorkerRef): Promise<void>
  /** Adds a worker to a run that is under way. */
  join(run: RunRef, worker: NewWorker): Promise<Joined>
  /**
   * Notes blocks that are through, and gives the worker the first that nobody has; none once another worker has ended
   * the run because every block was done.
   *
   * @throws StorectlError `conflict.lease_lost` as `append` does
   */
  claim(at: WorkerRef, finished: readonly number[]): Promise<Claim>
  /** Notes blocks of a worker whose items all have results. */
  finish(at: WorkerRef, blocks: readonly number[]): Promise<void>
  /** The items of a block, in the order of the plan. */
  readBlock(id: string, block: number): Promise<PlannedItem[]>
  /** What was written in a run about items; those of which nothing but an intent was are left out. */
  findEarlierAttempts(id: string, items: readonly string[]): Promise<Map<string, EarlierAttempts>>
  /**
   * Declares workers gone that are at work by their own word: they can write nothing more, and others get their blocks.
   *
   * @param isGone asked of each inside the write
   * @param recover what to append about the open items of one of them
   * @returns who was declared gone
   */
  declareGone(
    run: RunRef,
    isGone: (worker: Worker) => boolean,
    recover: (open: OpenItem[], worker: string) => JournalEntry[],
  ): Promise<string[]>
  /** Changes what the workers of a run follow. @param askedBy `ada on desk` @returns whether the run is under way */
  changeControl(run: RunRef, change: ControlChange, askedBy: string): Promise<boolean>
  /** What was asked of a run so far. */
  readControl(id: string): Promise<{readonly control: RunControl | null; readonly stop: RunStop | null}>
  /** Tells the other workers that nothing new is to be started. */
  halt(id: string, stop: RunStop): Promise<void>
  /**
   * Ends a worker's part, and gives its blocks back. The last one ends the run with it and gives the lease back, and so
   * does one that leaves when every block is done.
   *
   * @param recover what to append about items that workers who went away left open
   */
  leave(at: WorkerRef, end: WorkerEnd, recover: RecoverItems): Promise<{isOver: boolean; counts: Counts}>
  /**
   * Ends the part of a worker that cannot vouch for what it has in flight.
   *
   * @param recover what to append about its open items where others go on with the run, and about all of the run's where
   *   there are none, which ends it
   */
  giveUp(at: WorkerRef, recover: {shared: RecoverItems; alone: RecoverItems}): Promise<void>
  /** Ends a run whose processes went away, and gives the lease back; see `begin`. @param by `ada on desk` */
  interrupt(run: RunRef, recover: RecoverItems, by: string): Promise<void>
  /** Takes back a run that has written nothing, lease and all. */
  discard(id: string): Promise<void>
  /**
   * Stores how many items the run sets out with, once that is known, and that it has opened.
   *
   * @param options in place of those it has
   */
  setTotal(id: string, total: number, options?: RunRow['options']): Promise<void>
  /** Adds items that the run is going to send, with their blocks; `from` is the place of the first of them, from 0. */
  addPlanned(
    id: string,
    from: number,
    items: readonly (PlannedItem & {readonly block: number})[],
  ): Promise<void>
  /** Lets the plan be claimed. @param worker who opens the run: until it has, nobody else gets a block */
  addBlocks(id: string, blocks: number, worker: string): Promise<void>
  /** Appends a row that is about no run to the ledger of runs. */
  appendRunLedgerRow(row: Omit<NewRunLedgerRow, 'runId'>): Promise<void>
  /** Reads everything as it stood at one moment, while runs go on. One at a time in a process. */
  readSnapshot<T>(read: (runs: RunReads) => Promise<T>): Promise<T>
  /** The keys that a run was going to send, in its order. */
  listPlanned(id: string): AsyncIterable<string>
  /** The keys that a run was going to send and has no result for, in its order. */
  listUnsent(id: string): AsyncIterable<string>
  /** Which of the items a run brought to an end that is known. */
  findEndedItems(id: string, keys: readonly string[]): Promise<Set<string>>
  /** Entries of the given keys; keys without one are left out. */
  findLedgerEntries(kind: RunKind, target: string, keys: readonly string[]): Promise<Map<string, LedgerEntry>>
  /**
   * Why items were held, where that is their newest result; others are left out.
   *
   * @param where `run` is left out of account; `null` for none
   */
  findHeldDetails(
    where: {readonly kind: RunKind; readonly target: string; readonly run: string | null},
    keys: readonly string[],
  ): Promise<Map<string, string>>
  /** The runs whose id begins with `id`, at most two. */
  find(id: string): Promise<RunRow[]>
  /** The newest first. @param query `watchId` null for runs of no watch */
  list(query: RunQuery): AsyncIterable<RunRow>
  /** How many `list` would give without its limit. */
  count(query: Omit<RunQuery, 'limit'>): Promise<number>
  /** The ledger of runs in its order. @param runId only rows about this run; `undefined` for all */
  listRunLedger(runId?: string): AsyncIterable<RunLedgerRow>
  /** @returns `undefined` where the ledger of runs has no row of this number */
  findRunLedgerRow(number: number): Promise<RunLedgerRow | undefined>
  /** @returns number 0 and an empty hash before the first row */
  readRunLedgerHead(): Promise<RunLedgerHead>
  /** All that was written about a run, each worker's records in ascending sequence. */
  listRecords(id: string): AsyncIterable<JournalEntry>
  /**
   * The last word of a run on each of its items that has one, worker by worker in the order of the results.
   *
   * @param after by worker: only those that come after this place in its chain
   * @param classes only results of these classes
   */
  listResults(
    id: string,
    after?: ReadonlyMap<string, number>,
    classes?: readonly ResultClass[],
  ): AsyncIterable<JournalEntry>
  /** Everything that any run wrote about an item, the oldest first. */
  listItemRecords(kind: RunKind, target: string, key: string): Promise<JournalEntry[]>
}

/** What is read of runs without changing anything. */
export type RunReads = Pick<
  RunStore,
  | 'listPlanned'
  | 'listUnsent'
  | 'findEndedItems'
  | 'findLedgerEntries'
  | 'findHeldDetails'
  | 'find'
  | 'list'
  | 'count'
  | 'listRecords'
  | 'listResults'
  | 'listItemRecords'
  | 'listRunLedger'
  | 'findRunLedgerRow'
  | 'readRunLedgerHead'
>
