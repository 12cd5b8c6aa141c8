import type {JournalRecord, LedgerEntry} from './record.js'

/** What a run does, and to whom. Ledger and lease are kept for each kind and target. */
export type RunKind = 'replay' | 'submit'

/**
 * - `running`: begun and not ended; whether its process still lives is the lease's to say
 * - `ended`: everything was tried
 * - `stopped`: by a person, a closed output or a guard; the rest was not tried
 * - `crashed`: its process went away; what was in flight is `unknown`
 */
export type RunState = 'running' | 'ended' | 'stopped' | 'crashed'

/** How many items came to what, by the noun's own words. */
export type Counts = Readonly<Record<string, number>>

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
  /** What was asked for; enough to carry on with it. */
  readonly options: Readonly<Record<string, unknown>>
  /** Items that the run set out with, `null` when that is not known beforehand. */
  readonly total: number | null
  readonly counts: Counts
  /** Code of what stopped it, `null` when nothing did. */
  readonly stoppedBy: string | null
  /** The run that this one carries on with. */
  readonly continues: string | null
}

export type NewRun = Omit<RunRow, 'state' | 'endedAt' | 'heartbeatAt' | 'counts' | 'stoppedBy'>

/** An item that was begun and has no result. */
export interface OpenItem {
  readonly runId: string
  /** The last record that speaks of it. */
  readonly last: JournalRecord
}

export interface RunQuery {
  readonly kind?: RunKind | undefined
  readonly target?: string | undefined
  readonly state?: RunState | undefined
  readonly limit?: number | undefined
}

/** What runs need of a database. Every write is durable once its promise resolves. */
export interface RunStore {
  /**
   * Takes the lease of the run's kind and target and writes the run down, in one transaction. Where a silent run
   * holds the lease it is ended as `crashed`, and `settle` says what to append about its open items.
   *
   * @param stillHeld whether the holder's run is to be taken for alive
   * @returns the holder when the lease is another's; then nothing was written
   */
  begin(
    run: NewRun,
    stillHeld: (holder: RunRow) => boolean,
    settle: (open: OpenItem[]) => JournalRecord[],
  ): Promise<{begun: true; crashed: RunRow | undefined} | {begun: false; holder: RunRow}>
  /**
   * Appends records, and brings the ledger up to date with the results among them, in one commit.
   *
   * @param take gives the records; called once, when the commit begins, so that it holds all that wait by then
   * @throws StorectlError `conflict.lease_lost` when another run has taken the lease over; nothing was appended
   */
  append(run: Pick<RunRow, 'id' | 'kind' | 'target'>, take: () => readonly JournalRecord[]): Promise<void>
  /** A sign of life, with how far the run has come. */
  beat(id: string, at: Date, counts: Counts): Promise<void>
  /** Ends the run and gives the lease back. */
  end(id: string, end: Pick<RunRow, 'state' | 'counts' | 'stoppedBy'> & {endedAt: Date}): Promise<void>
  /** Ends a run whose own process cannot vouch for what is in flight, and gives the lease back; see `begin`. */
  crash(id: string, settle: (open: OpenItem[]) => JournalRecord[]): Promise<void>
  /** Takes back a run that has written nothing, lease and all. */
  discard(id: string): Promise<void>
  /** Writes down how many items the run sets out with, once that is known. @param options in place of those it has */
  setTotal(id: string, total: number, options?: RunRow['options']): Promise<void>
  /** Adds keys of items that the run is going to send; `from` is the place of the first of them, from 0. */
  addPlanned(id: string, from: number, keys: readonly string[]): Promise<void>
  /** The keys that a run was going to send, in its order. */
  planned(id: string): AsyncIterable<string>
  /** Which of the items a run brought to an end that is known. */
  settledIn(id: string, keys: readonly string[]): Promise<Set<string>>
  /** Entries of the given keys; keys without one are left out. */
  ledger(kind: RunKind, target: string, keys: readonly string[]): Promise<Map<string, LedgerEntry>>
  /** The runs whose id begins with `id`, at most two. */
  find(id: string): Promise<RunRow[]>
  /** The newest first. */
  list(query: RunQuery): AsyncIterable<RunRow>
  /** All that was written about a run, each worker's records in ascending sequence. */
  records(id: string): AsyncIterable<JournalRecord>
  /**
   * The last word of a run on each of its items that has one, in the order of the results.
   *
   * @param after only those that were written after this one
   */
  results(id: string, after?: JournalRecord): AsyncIterable<JournalRecord>
  /** Everything that any run wrote about an item, the oldest first. */
  recordsOf(kind: RunKind, target: string, key: string): Promise<JournalRecord[]>
}
