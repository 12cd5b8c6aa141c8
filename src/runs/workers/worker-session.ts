import type {StorectlError} from '../../errors.js'
import type {Clock} from '../../platform/clock.js'
import {type Journal, openJournal} from '../journal/journal.js'
import type {JournalEntry, NewEntry} from '../journal/journal-entry.js'
import {recoverOpenItems, releaseOpenItems} from '../journal/recover-open-items.js'
import type {OpenItem, RunStore, WorkerRef} from '../journal/run-store.js'
import type {Counts, WorkerProgress} from '../journal/worker.js'
import {ResultTotaler} from '../ledger/result-totals.js'
import {HEARTBEAT_MS} from './liveness.js'
import {RunSignals} from './run-signals.js'

export interface SessionEnd {
  /** Whether every item was brought to its end; in a run that is cut into blocks, the blocks show that. */
  readonly isComplete: boolean
  readonly halt?: StorectlError | undefined
  /** Blocks whose items all have results, not yet recorded as finished. */
  readonly finished?: readonly number[]
}

/** What is left of a run when a worker has ended its part. */
export interface RunEnd {
  /** Whether the run has ended with it or before. */
  readonly isOver: boolean
  /** Results of all workers. */
  readonly counts: Counts
}

export interface SessionDeps {
  readonly store: Pick<RunStore, 'append' | 'writeHeartbeat' | 'leave' | 'giveUp'>
  readonly clock: Clock
}

/** A worker's part of a run: its journal, its counts and its heartbeat, from its start to `end` or `fail`. */
export class WorkerSession {
  /** Keys of items that are sent or about to be, and have no clear response, in the order in which they were begun. */
  readonly inFlight = new Set<string>()
  readonly journal: Journal
  /** Signals shared with the other parts of its worker. */
  readonly signals = new RunSignals()
  /** Of those in flight, the ones whose intent is not durable yet: they are sent once it is. */
  readonly #unsent = new Set<string>()
  readonly #classCounts = {done: 0, failed: 0}
  readonly #totals = new ResultTotaler()
  readonly #heartbeat: NodeJS.Timeout

  /** @param origin what this worker's chain begins with; read once, for the first entry */
  constructor(
    readonly ref: WorkerRef,
    origin: () => string,
    private readonly deps: SessionDeps,
  ) {
    const {store, clock} = deps
    this.journal = openJournal({
      ...{writer: ref, clock, origin, store},
      onTaken: entries => this.#count(entries),
      onWritten: entry => this.#begin(entry),
      onDurable: entry => this.#noteDurable(entry),
    })
    this.#heartbeat = setInterval(() => this.writeHeartbeat(), HEARTBEAT_MS)
    this.#heartbeat.unref()
  }

  get id(): string {
    return this.ref.id
  }

  get worker(): string {
    return this.ref.worker
  }

  /** Counts of this worker's results, stored or in the current commit. */
  get counts(): Counts {
    return this.#totals.counts
  }

  /** A heartbeat. One that fails is not an error: the next append finds out whether the worker has lost its part. */
  writeHeartbeat(): Promise<void> {
    return this.deps.store.writeHeartbeat(this.ref).catch(() => undefined)
  }

  /** No more heartbeats. */
  stopHeartbeat(): void {
    clearInterval(this.#heartbeat)
  }

  /**
   * Ends this worker's part, and the run if nobody else has anything to do. Called once, when all begun items have
   * results.
   */
  end({isComplete, halt, finished = []}: SessionEnd): Promise<RunEnd> {
    const {store, clock} = this.deps
    this.stopHeartbeat()
    const stop = halt ? {code: halt.code, reason: halt.message} : null
    const end = {isComplete, finished, stop, endedAt: clock.now()}
    return store.leave(this.ref, end, open => recoverOpenItems(open, `${this.id}-end`, clock.now()))
  }

  /**
   * Ends this worker's part after an unexpected error: the others probe its requests in flight, which are `unknown` if
   * there are no others. If even that cannot be stored, the next run recovers it.
   */
  async fail(): Promise<void> {
    const {store, clock} = this.deps
    this.stopHeartbeat()
    for (const item of this.#unsent) this.inFlight.delete(item)
    const now = clock.now()
    const recover = {
      alone: (open: OpenItem[]) => recoverOpenItems(open, `${this.id}-end`, now),
      shared: (open: OpenItem[]) => releaseOpenItems(open, this.worker, now),
    }
    await store.giveUp(this.ref, recover).catch(() => undefined)
  }

  /** While the run is closed to others, the writer of a result waits until it counts for the canary. */
  #begin(entry: NewEntry): (() => Promise<void>) | undefined {
    if (entry.kind === 'intent' && !this.inFlight.has(entry.item)) {
      this.inFlight.add(entry.item)
      this.#unsent.add(entry.item)
    }
    const {signals} = this
    if (entry.kind !== 'result' || entry.resultClass === 'held' || !signals.isOpening) return undefined
    return () => signals.canaryEnded.tellAndWait()
  }

  /** Results count in the commit that stores them, whether or not anybody reads them afterwards. */
  #count(entries: readonly JournalEntry[]): WorkerProgress {
    for (const entry of entries) {
      this.#totals.addEntry(entry)
      const {kind, resultClass} = entry
      if (kind !== 'result') continue
      if (resultClass === 'done') this.#classCounts.done++
      if (resultClass === 'failed' || resultClass === 'unknown') this.#classCounts.failed++
    }
    const {counts, amounts} = this.#totals
    const {sequence = 0, hash = ''} = entries.at(-1) ?? {}
    return {...this.#classCounts, counts, amounts, sequence, hash}
  }

  #noteDurable({kind, item, orderingKey, resultClass}: JournalEntry): void {
    if (kind === 'intent') this.#unsent.delete(item)
    if (kind !== 'intent' && (kind === 'result' || resultClass !== 'unknown')) this.inFlight.delete(item)
    if (kind === 'result') this.signals.itemEnded.tell(item, orderingKey)
  }
}
