import type {NewRunLedgerRow, RunLedgerHead, RunLedgerRow} from '../ledger/run-ledger-row.js'
import type {Claim, EarlierAttempts, PlannedItem} from './claim.js'
import type {ResultClass} from './item.js'
import type {JournalEntry, LedgerEntry} from './journal-entry.js'
import type {Counts, NewWorker, Worker, WorkerProgress} from './worker.js'

/** What a run does. A `resolve` marks events by hand, an `undo` takes one back; neither sends anything. */
export type RunKind = 'replay' | 'submit' | 'repair' | 'resolve' | 'undo'

/**
 * - `running`: begun and not ended; the lease shows whether its process still lives
 * - `completed`: everything was tried
 * - `stopped`: by a person, a closed output or a safety check; the rest was not tried
 * - `interrupted`: its process is gone; its requests in flight are `unknown`
 */
type RunState = 'running' | 'completed' | 'stopped' | 'interrupted'

/** A run as stored in the records. */
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
  /** When the process began, in the system's own terms: distinguishes it from a later one with the same pid. */
  readonly processStart: string
  readonly reason: string | null
  readonly state: RunState
  readonly startedAt: Date
  readonly endedAt: Date | null
  /** Last heartbeat. */
  readonly heartbeatAt: Date
  /** How long ago that was when this was read, milliseconds, by the clock of the records. */
  readonly heartbeatAgeMs: number
  /** The options of the run; enough to resume it. */
  readonly options: Readonly<Record<string, unknown>>
  /** Items that the run is to send, `null` if that is not known beforehand. */
  readonly total: number | null
  readonly counts: Counts
  /** Code of what stopped it, `null` when nothing did. */
  readonly stopCode: string | null
  /** The same as a sentence. */
  readonly stopReason: string | null
  /** The run that this one resumes. */
  readonly continues: string | null
  /** The watch that began it; `null` if a person did. */
  readonly watchId?: string | null | undefined
  /** What a person requested while it was under way; `null` for nothing. */
  readonly control: RunControl | null
  /** Its present and earlier workers, in the order in which they joined; none in runs of older programs. */
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

/** What a person requested of a run under way from another terminal. */
export interface RunControl {
  /** Nothing new is started. */
  readonly isPaused: boolean
  /** Starts per second of all workers together, 0 for no limit, `auto` to adapt; `null` for that of the run. */
  readonly ratePerSecond: number | 'auto' | null
  /** Ordering keys in flight of each worker, `auto` to adapt; `null` for that of the run. */
  readonly concurrency: number | 'auto' | null
  /** Who asked last: `ada on desk`. */
  readonly askedBy: string
  /** When that was, by the clock of the records. */
  readonly askedAt: Date
}

/** What is to be changed; the rest stays as it is. */
export type ControlChange = Partial<Pick<RunControl, 'isPaused' | 'ratePerSecond' | 'concurrency'>>

/** What decides about a run's lease. */
export type RunRef = Pick<RunRow, 'id' | 'kind' | 'target'>

/** A run and one of its workers. */
export type WorkerRef = RunRef & {readonly worker: string}

/** Why a run was stopped: an error code, and a sentence. */
export interface RunStop {
  readonly code: string
  readonly reason: string
}

/** How a worker's part ended. */
export interface WorkerEnd {
  /** Whether every item was brought to its end; in a run that is cut into blocks, the blocks show that. */
  readonly isComplete: boolean
  /** Blocks that are finished and not yet recorded as such. */
  readonly finished: readonly number[]
  readonly stop: RunStop | null
  readonly endedAt: Date
}

/**
 * - `joined`: the worker is one of the run's
 * - `over`: the run has ended, or another worker has stopped it
 * - `unplanned`: its plan is not stored yet
 * - `unshared`: an older program began it, or it has no plan
 */
type Joined = 'joined' | 'over' | 'unplanned' | 'unshared'

/** Entries of one commit. */
export interface TakenEntries {
  readonly entries: readonly JournalEntry[]
  /** How far the worker has come once they are stored. */
  readonly progress: WorkerProgress
}

/** Returns the entries to append about open items. */
export type RecoverItems = (open: OpenItem[]) => JournalEntry[]

/** An item that was begun and has no result. */
export interface OpenItem {
  readonly runId: string
  /** The last entry about it. */
  readonly last: JournalEntry
}

interface RunQuery {
  readonly kind?: RunKind | undefined
  readonly target?: string | undefined
  readonly state?: RunState | undefined
  readonly watchId?: string | null | undefined
  readonly limit?: number | undefined
}

/** The database interface of runs. Every write is durable once its promise resolves. */
export interface RunStore {
  /**
   * Takes the lease of the run's kind and target and stores the run with its first worker, in one transaction. An
   * unresponsive holder's run is ended as `interrupted`; `recover` returns entries about its open items.
   *
   * @param stillHeld whether the holder's run counts as alive
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
   * @param take returns the entries; called once, when the commit begins, so that it includes all that wait by then
   * @throws StorectlError `conflict.lease_lost` when the worker was declared gone, or another run has taken the lease
   *   over; nothing was appended
   */
  append(at: WorkerRef, take: () => TakenEntries): Promise<void>
  /** A heartbeat of a worker. */
  writeHeartbeat(at: WorkerRef): Promise<void>
  /** Adds a worker to a run that is under way. */
  join(run: RunRef, worker: NewWorker): Promise<Joined>
  /**
   * Records finished blocks, and gives the worker the first block that nobody has; none once another worker has ended
   * the run because every block was done.
   *
   * @throws StorectlError `conflict.lease_lost` as `append` does
   */
  claim(at: WorkerRef, finished: readonly number[]): Promise<Claim>
  /** Records blocks of a worker whose items all have results. */
  finish(at: WorkerRef, blocks: readonly number[]): Promise<void>
  /** The items of a block, in the order of the plan. */
  readBlock(id: string, block: number): Promise<PlannedItem[]>
  /** What a run recorded about items; those that have only an intent are left out. */
  findEarlierAttempts(id: string, items: readonly string[]): Promise<Map<string, EarlierAttempts>>
  /**
   * Declares workers gone that are stored as working: they can write nothing more, and others get their blocks.
   *
   * @param isGone called for each inside the write
   * @param recover returns the entries to append about the open items of one of them
   * @returns the workers declared gone
   */
  declareGone(
    run: RunRef,
    isGone: (worker: Worker) => boolean,
    recover: (open: OpenItem[], worker: string) => JournalEntry[],
  ): Promise<string[]>
  /** Changes what the workers of a run follow. @param askedBy `ada on desk` @returns whether the run is under way */
  changeControl(run: RunRef, change: ControlChange, askedBy: string): Promise<boolean>
  /** What was requested of a run so far. */
  readControl(id: string): Promise<{readonly control: RunControl | null; readonly stop: RunStop | null}>
  /** Tells the other workers to start nothing new. */
  halt(id: string, stop: RunStop): Promise<void>
  /**
   * Ends a worker's part, and gives its blocks back. The last one ends the run with it and gives the lease back, and so
   * does one that leaves when every block is done.
   *
   * @param recover returns the entries to append about items that gone workers left open
   */
  leave(at: WorkerRef, end: WorkerEnd, recover: RecoverItems): Promise<{isOver: boolean; counts: Counts}>
  /**
   * Ends the part of a worker that does not know the state of its requests in flight.
   *
   * @param recover returns the entries to append: about its open items if others continue the run, else about all of
   *   the run's, which ends it
   */
  giveUp(at: WorkerRef, recover: {shared: RecoverItems; alone: RecoverItems}): Promise<void>
  /** Ends a run whose processes are gone, and releases the lease; see `begin`. @param by `ada on desk` */
  interrupt(run: RunRef, recover: RecoverItems, by: string): Promise<void>
  /** Discards a run that has written nothing, and releases its lease. */
  discard(id: string): Promise<void>
  /**
   * Stores how many items the run is to send, once that is known, and that it has opened.
   *
   * @param options replace those it has
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
  /** Which of the items have a known result in a run. */
  findEndedItems(id: string, keys: readonly string[]): Promise<Set<string>>
  /** Entries of the given keys; keys without one are left out. */
  findLedgerEntries(kind: RunKind, target: string, keys: readonly string[]): Promise<Map<string, LedgerEntry>>
  /**
   * Why items were held, where that is their newest result; others are left out.
   *
   * @param where `run` is ignored; `null` for none
   */
  findHeldDetails(
    where: {readonly kind: RunKind; readonly target: string; readonly run: string | null},
    keys: readonly string[],
  ): Promise<Map<string, string>>
  /** The runs whose id begins with `id`, at most two. */
  find(id: string): Promise<RunRow[]>
  /** The newest first. @param query `watchId` null for runs of no watch */
  list(query: RunQuery): AsyncIterable<RunRow>
  /** How many `list` would return without its limit. */
  count(query: Omit<RunQuery, 'limit'>): Promise<number>
  /** The ledger of runs in its order. @param runId only rows about this run; `undefined` for all */
  listRunLedger(runId?: string): AsyncIterable<RunLedgerRow>
  /** @returns `undefined` where the ledger of runs has no row of this number */
  findRunLedgerRow(number: number): Promise<RunLedgerRow | undefined>
  /** @returns number 0 and an empty hash before the first row */
  readRunLedgerHead(): Promise<RunLedgerHead>
  /** All entries of a run, each worker's in ascending sequence. */
  listRecords(id: string): AsyncIterable<JournalEntry>
  /**
   * The latest result of each item of a run that has one, worker by worker, in the order of the results.
   *
   * @param after by worker: only those that come after this place in its chain
   * @param classes only results of these classes
   */
  listResults(
    id: string,
    after?: ReadonlyMap<string, number>,
    classes?: readonly ResultClass[],
  ): AsyncIterable<JournalEntry>
  /** Every run's entries about an item, the oldest first. */
  listItemRecords(kind: RunKind, target: string, key: string): Promise<JournalEntry[]>
}

/** The read-only part of the store. */
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
