import type {StorectlError} from '../errors.js'
import type {Item, ItemResult, JournalItem, Result} from './journal/item.js'
import type {RunControl} from './journal/run-store.js'
import {type Counts, subtractCounts, sumCounts} from './journal/worker.js'
import type {OpenRunDeps} from './open-run.js'
import {AdaptiveRate, FIRST_IN_FLIGHT, type Rate, type TimedCall} from './pool/adaptive-rate.js'
import {AsyncQueue} from './pool/async-queue.js'
import {createEntry} from './pool/attempt-item.js'
import type {Operation, RunSettings} from './pool/operation.js'
import {type Items, WorkerPool} from './pool/pool.js'
import type {Presentation, Run} from './run.js'
import type {RunSummary} from './run-summary.js'
import type {ClaimedItem} from './workers/claimed-items.js'
import {ControlMonitor} from './workers/control-monitor.js'
import {PeerMonitor} from './workers/peer-monitor.js'
import type {RunSignals} from './workers/run-signals.js'
import {WorkClaimer} from './workers/work-claimer.js'
import type {RunEnd, WorkerSession} from './workers/worker-session.js'

/** An item that is not sent: its journal entry and its row. */
export interface Unsent<Row> {
  readonly item: JournalItem
  readonly result: Result
  readonly row: Row
}

/** A plan that is stored with its run, so that several workers can share it: they claim its blocks. */
export interface SharedItems<T> {
  /** Whether this worker began the run; it opens it for the others. */
  readonly isFounder: boolean
  /** What is to be sent, in the order of the items. */
  readonly read: (items: readonly ClaimedItem[]) => Promise<readonly Item<T>[]>
}

/** What a worker sends, and how. */
export interface BulkWork<T, Row> {
  readonly operation: Operation<T, Row>
  readonly presentation: Presentation<Row>
  readonly summary: RunSummary
  readonly settings: RunSettings
  /** Whether an item that failed blocks the rest of its ordering key. */
  readonly blocksKey: boolean
  /** Items that only this process can read, or those of a shared plan. */
  readonly items: Items<T> | SharedItems<T>
  /** Items that are not sent: they are recorded and have their rows first. */
  readonly unsent?: AsyncIterable<readonly Unsent<Row>[]>
  /** Rows of the whole run, if nothing stops it. */
  readonly total: number
  /** How many of them are not sent, by the plan; none where absent. */
  readonly unsentTotal?: number
  /** Called once nothing new is started. */
  readonly onClosing?: () => void
  /** Gets the signals that pause and stop the run, before it starts. */
  readonly onOpen?: ((signals: RunSignals) => void) | undefined
}

export interface ExecutionDeps extends OpenRunDeps {
  /** Fires at the first interruption: nothing new is started, what is in flight is finished. */
  readonly stopping: AbortSignal
  /** A line for the person. */
  readonly note: (text: string) => Promise<void>
}

/** Rows of unsent items that may wait for the reader. */
const MOST_UNREAD = 1000

/**
 * A worker's part of a run: sends its items and pushes a row for each into one queue. The reader of the rows does not
 * drive it, but one that stops reading holds it up, and one that leaves stops it: requests in flight are finished and
 * recorded, and the part is ended.
 */
export class Execution<T, Row> implements Run<Row> {
  readonly #signals: RunSignals
  readonly #queue = new AsyncQueue<Row>(() => this.#onTaken())
  readonly #adaptiveRate: AdaptiveRate
  readonly #claimer: WorkClaimer<T> | undefined
  readonly #pool: WorkerPool<T>
  readonly #control: ControlMonitor
  readonly #peers: PeerMonitor | undefined
  #work: Promise<void> | undefined
  #end: RunEnd | undefined
  #failure: {error: unknown} | undefined
  #hasReaderLeft = false
  #onRoom: (() => void) | undefined

  constructor(
    private readonly session: WorkerSession,
    private readonly work: BulkWork<T, Row>,
    deps: ExecutionDeps,
  ) {
    const {signals} = session
    const {items, onClosing, onOpen} = work
    const isShared = 'isFounder' in items
    this.#signals = signals
    this.#adaptiveRate = new AdaptiveRate(deps.clock)
    this.#claimer = isShared ? this.#createClaimer(items, deps) : undefined
    const claimed = this.#claimer?.claimItems()
    this.#pool = new WorkerPool(claimed ?? (items as Items<T>), this.#buildPoolOptions(deps))
    this.#control = new ControlMonitor(session.id, signals, deps)
    this.#peers = isShared ? createPeerMonitor(session, deps) : undefined
    onOpen?.(signals)
    if (onClosing) signals.closing.addEventListener('abort', onClosing, {once: true})
  }

  get id(): string {
    return this.session.id
  }

  get target(): string {
    return this.session.ref.target
  }

  get total(): number {
    return this.work.total
  }

  get unsentTotal(): number {
    return this.work.unsentTotal ?? 0
  }

  get presentation(): Presentation<Row> {
    return this.work.presentation
  }

  get summary(): RunSummary {
    return this.work.summary
  }

  get inFlight(): ReadonlySet<string> {
    return this.session.inFlight
  }

  get halt(): StorectlError | undefined {
    return this.#signals.halt
  }

  get inDoubt(): string | undefined {
    return this.#pool.inDoubt
  }

  get left(): number {
    return this.total - sumCounts(this.#end?.counts ?? {})
  }

  get peerCounts(): Counts {
    if (this.#end) return subtractCounts(this.#end.counts, this.session.counts)
    return this.#signals.peerCounts
  }

  get hasActivePeers(): boolean {
    return this.#end?.isOver === false
  }

  /** Active workers, including this one, as of at most a second ago. */
  get activeWorkers(): number {
    return this.#signals.activeWorkers
  }

  /** What this worker may start per second: a numeric rate is shared by all active workers. */
  get ratePerSecond(): number {
    const rate = this.#rate
    return rate === 'auto' ? this.#adaptiveRate.perSecond : rate / this.activeWorkers
  }

  /** Ordering keys that this worker has in flight at once. */
  get concurrency(): number {
    const concurrency = this.control?.concurrency ?? this.work.settings.concurrency
    if (concurrency !== 'auto') return concurrency
    return this.#rate === 'auto' ? this.#adaptiveRate.inFlight : FIRST_IN_FLIGHT
  }

  get #rate(): Rate {
    return this.control?.ratePerSecond ?? this.work.settings.ratePerSecond
  }

  get control(): RunControl | null {
    return this.#signals.control
  }

  get changes(): readonly string[] {
    return this.#control.changes
  }

  start(): AsyncGenerator<readonly Row[], void, void> {
    this.#work ??= this.#run()
    return this.#yieldRows()
  }

  close(): void {
    this.#signals.close()
  }

  /** Resolves when the session has ended; never rejects. */
  async #run(): Promise<void> {
    try {
      await this.#recordUnsent()
      await Promise.all([this.#peers?.begin(), this.#control.begin()])
      await this.#pool.run()
    } catch (error) {
      this.#failure = {error}
    }
    await this.#endSession()
    this.#queue.close()
  }

  async #endSession(): Promise<void> {
    const {session} = this
    await this.#peers?.stop()
    await this.#control.stop()
    if (this.#failure) return session.fail()
    try {
      const {isComplete} = this.#pool
      const {halt} = this.#signals
      this.#end = await session.end({isComplete, halt, finished: this.#claimer?.finished ?? []})
    } catch (error) {
      this.#failure = {error}
    }
  }

  async *#yieldRows(): AsyncGenerator<readonly Row[], void, void> {
    try {
      yield* this.#queue.read()
    } finally {
      this.#hasReaderLeft = true
      this.#onTaken()
      this.close()
      await this.#work
    }
    if (this.#failure) throw this.#failure.error
  }

  /** Items that are not sent are recorded too, with the reason. */
  async #recordUnsent(): Promise<void> {
    for await (const some of this.work.unsent ?? []) {
      if (this.#hasReaderLeft) return
      const {journal} = this.session
      await Promise.all(some.map(({item, result}) => journal.write(createEntry('result', item, 0, result))))
      for (const {item, result, row} of some) this.#push(item.key, result, 0, row)
      while (this.#queue.size > MOST_UNREAD && !this.#hasReaderLeft) await this.#waitForRoom()
    }
  }

  #push(key: string, result: Result, attempts: number, row: Row): void {
    this.summary.add(key, result, attempts)
    this.#queue.push(row)
  }

  async #waitForRoom(): Promise<void> {
    await new Promise<void>(resolve => {
      this.#onRoom = resolve
    })
    this.#onRoom = undefined
  }

  #onTaken(): void {
    this.#onRoom?.()
    this.#signals.changed.tell()
  }

  #createClaimer({isFounder, read}: SharedItems<T>, {store, note}: ExecutionDeps): WorkClaimer<T> {
    const {canary = 0, ratePerSecond} = this.work.settings
    const waitsForPeers = !isFounder && ratePerSecond !== 0
    const readConcurrency = () => this.concurrency
    const limits = {readConcurrency, canary, waitsForPeers}
    return new WorkClaimer(this.session.ref, this.#signals, {store, note, isFounder, read, ...limits})
  }

  #buildPoolOptions({clock, random, stopping, note}: ExecutionDeps) {
    const {operation, settings, blocksKey} = this.work
    const {retries, graceMs, presumeLostAfterMs} = settings
    const claimer = this.#claimer
    return {
      ...{signals: this.#signals, journal: this.session.journal, operation, blocksKey, clock, random},
      ...{stopping, note, retries, graceMs, presumeLostAfterMs},
      readConcurrency: () => this.concurrency,
      ratePerSecond: () => this.ratePerSecond,
      onCall: (call: TimedCall) => this.#adaptiveRate.note(call),
      limits: claimer ? createSharedLimits(settings, claimer) : settings,
      onResult: (result: ItemResult<T>) =>
        this.#push(result.item.key, result, result.attempts, operation.toRow(result)),
      countUnread: () => this.#queue.size,
    }
  }
}

function createPeerMonitor(session: WorkerSession, {store, machine, clock}: ExecutionDeps) {
  return new PeerMonitor(session, session.signals, {store, machine, now: () => clock.now()})
}

/** Only the worker that opens the run has a canary, and only until the canary has succeeded. */
function createSharedLimits<T>(settings: RunSettings, claimer: WorkClaimer<T>): RunSettings {
  return {
    ...settings,
    get canary() {
      return claimer.canary
    },
  }
}
