import {setMaxListeners} from 'node:events'
import type {Item, ItemResult} from '../journal/item.js'
import type {RunSignals} from '../workers/run-signals.js'
import {type AttemptDeps, attemptItem, createEntry, type ItemEnd} from './attempt-item.js'
import {CircuitBreaker, type StopLimits} from './circuit-breaker.js'
import {DoubtNotes} from './doubt-notes.js'
import {KeyedQueue} from './keyed-queue.js'
import {RateLimiter} from './rate-limiter.js'
import {Slots} from './slots.js'

/** Most items read ahead for each one that can be sent, so that a busy key does not keep others waiting. */
const READ_AHEAD = 32

/** Enough items of free keys for each that can be sent: long-lived objects are costly for the garbage collector. */
const READY_AHEAD = 4

/** Fewest items read ahead. */
const SMALLEST_WINDOW = 256

type Read<T> = Item<T> | readonly Item<T>[]

/** The source of items: one by one, or several that were there together. */
export type Items<T> = AsyncIterable<Read<T>> | Iterable<Read<T>>

export interface PoolOptions<T> extends Omit<AttemptDeps<T>, 'rateLimiter' | 'closing' | 'pause' | 'onWait'> {
  /** Stops and pauses it, and receives its events. */
  readonly signals: RunSignals
  /** Ordering keys in flight at once; read again each time, as it may change. */
  readonly readConcurrency: () => number
  /** Starts per second, retries included; 0 is no limit. Read again for each, as it may change. */
  readonly ratePerSecond: () => number
  readonly limits: StopLimits
  /** Whether an item that failed blocks the rest of its ordering key. */
  readonly blocksKey: boolean
  /** Fires at the first interruption: nothing new is started, what is in flight is finished. */
  readonly stopping: AbortSignal
  /** Called with each item's result, once it is durable. */
  readonly onResult: (result: ItemResult<T>) => void
  /** Results that nobody has read yet: they count as read ahead. */
  readonly countUnread: () => number
}

/**
 * Sends items: those of one ordering key strictly one after the other in the order they come, different keys side by
 * side.
 *
 * Before an item is sent its intent is durable, and its result before it is handed out; commits are shared by all that
 * wait. Memory does not grow with the number of items: those read ahead, in flight and unread are bounded.
 */
export class WorkerPool<T> {
  readonly #source: AsyncIterator<Read<T>> | Iterator<Read<T>>
  readonly #queue = new KeyedQueue<T>()
  readonly #breaker: CircuitBreaker
  readonly #deps: AttemptDeps<T>
  readonly #blocked = new Map<string, string>()
  #onIdle: (() => void) | undefined
  #failure: {error: unknown} | undefined
  readonly #slots: Slots
  readonly #doubt: DoubtNotes
  #started = 0
  #recording = 0
  #isReading = false
  #isExhausted = false
  #skipped = 0

  constructor(
    items: Items<T>,
    private readonly options: PoolOptions<T>,
  ) {
    this.#source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
    this.#breaker = new CircuitBreaker(options.limits)
    this.#doubt = new DoubtNotes(options)
    const {signals} = options
    const onDoubt = (inDoubt: number) => {
      this.#doubt.noteCount(inDoubt)
      signals.inDoubt.tell(inDoubt)
    }
    this.#slots = new Slots({onChange: () => this.advance(), onDoubt})
    const rateLimiter = new RateLimiter(options.ratePerSecond, options.clock)
    this.#deps = {
      ...options,
      ...{rateLimiter, closing: signals.closing, pause: signals},
      onWait: untilMs => this.#doubt.noteWait(untilMs),
      onCall: call => {
        options.onCall?.(call)
        const halt = this.#breaker.noteCall(call)
        if (halt) signals.stop(halt)
      },
    }
    // Every waiting item listens; Node reports more than ten listeners as a leak on stderr.
    setMaxListeners(0, signals.closing)
    signals.changed.listen(() => this.advance())
    signals.peerResults.listen(news => {
      const halt = this.#breaker.notePeerResults(news)
      if (halt) signals.stop(halt)
    })
  }

  /** Calls in doubt, for a bar; `undefined` if there are none. */
  get inDoubt(): string | undefined {
    return this.#doubt.describe()
  }

  /** Whether every item was brought to its end. */
  get isComplete(): boolean {
    return this.#isExhausted && this.#queue.waiting === 0 && this.#skipped === 0 && !this.#failure
  }

  /**
   * Sends until nothing is left or nothing new may be started.
   *
   * @throws errors of the journal, the source of items or the operation, once nothing is in flight
   */
  async run(): Promise<void> {
    const {stopping, signals} = this.options
    const close = () => signals.close()
    if (stopping.aborted) close()
    stopping.addEventListener('abort', close, {once: true})
    try {
      await new Promise<void>(resolve => {
        this.#onIdle = resolve
        this.advance()
      })
    } finally {
      stopping.removeEventListener('abort', close)
      await this.#source.return?.()
    }
    if (this.#failure) throw this.#failure.error
  }

  /** Starts what may start, reads on where there is room, and ends when nothing is left. Does nothing before `run`. */
  advance(): void {
    if (!this.#onIdle) return
    const isClosed = this.#isClosed
    this.#slots.returnItems(() => isClosed || this.#hasFreeTurn())
    while (!isClosed && this.#hasFreeTurn() && this.#startOne());
    if (!isClosed) this.#lookAhead()
    if (!isClosed && !this.#isReading && !this.#isExhausted && this.#hasRoom()) void this.#read()
    const isIdle = this.#slots.begun + this.#recording === 0 && !this.#isReading
    if (isIdle && (isClosed || (this.#isExhausted && this.#queue.waiting === 0))) this.#onIdle()
  }

  get #isClosed(): boolean {
    return this.options.signals.closing.aborted
  }

  #hasFreeTurn(): boolean {
    return !this.options.signals.isPaused && this.#slots.active < this.options.readConcurrency()
  }

  #hasRoom(): boolean {
    const concurrency = this.options.readConcurrency()
    if (this.#queue.ready >= concurrency * READY_AHEAD) return false
    const window = Math.max(SMALLEST_WINDOW, concurrency * READ_AHEAD)
    const inHand = this.#slots.inHand + this.#recording
    return this.#queue.waiting + inHand + this.options.countUnread() < window
  }

  async #read(): Promise<void> {
    this.#isReading = true
    try {
      while (!this.#isClosed && this.#hasRoom()) {
        const {done, value} = await this.#source.next()
        if (done) {
          // A source that ends because nothing new may be started has not come to its end.
          this.#isExhausted = !this.#isClosed
          break
        }
        for (const item of Array.isArray(value) ? value : [value]) this.#queue.add(item)
        while (this.#hasFreeTurn() && this.#startOne());
        this.#lookAhead()
      }
    } catch (error) {
      this.#failure ??= {error}
      this.options.signals.close()
    }
    this.#isReading = false
    this.advance()
  }

  /** No further ahead than a second of its rate: an earlier look-up would be too old. */
  #lookAhead(): void {
    const {operation, readConcurrency, ratePerSecond, signals} = this.options
    if (!operation.lookAhead || signals.isPaused) return
    const rate = ratePerSecond() || Number.POSITIVE_INFINITY
    const count = Math.min(readConcurrency() * READY_AHEAD, Math.ceil(rate))
    for (const item of this.#queue.listNext(count)) operation.lookAhead(item)
  }

  #startOne(): boolean {
    const mayStart = this.#mayStart()
    if (!mayStart && this.#queue.ready > 0 && this.#slots.inHand === 0) this.#doubt.noteHeldUp()
    const item = mayStart ? this.#queue.take() : undefined
    if (!item) return false
    this.#started++
    void this.#send(item)
    return true
  }

  #mayStart(): boolean {
    if (this.#breaker.countAllowed(this.#started) <= 0) return false
    return this.#slots.mayStart(this.#breaker.isCanaryOut, this.options.clock.now())
  }

  async #send(item: Item<T>): Promise<void> {
    const startedMs = this.options.clock.now().getTime()
    let recorded: Promise<void> | undefined
    const slot = this.#slots.open()
    try {
      const blocker = this.#blocked.get(item.orderingKey) ?? item.blockedBy
      // Awaited even if nothing is sent: a long row of blocked items must not become a deep stack.
      const end = await (blocker === undefined
        ? attemptItem(item, this.#deps, slot)
        : createBlockedEnd(blocker))
      if (end) recorded = this.#record(item, end, startedMs)
      else this.#skipped++
    } catch (error) {
      this.#fail(error)
    }
    slot.close()
    const release = () => {
      this.#queue.release(item.orderingKey)
      this.advance()
    }
    if (!recorded) return release()
    void recorded.then(release)
    this.advance()
  }

  /**
   * Records a result. Items that block one another do not wait for each other's commits.
   *
   * @returns once it is durable, so that the next of its key finds it in the records; `undefined` if it was not sent
   */
  #record(item: Item<T>, {result: its, attempts}: ItemEnd, startedMs: number): Promise<void> | undefined {
    const {journal, clock, blocksKey, signals} = this.options
    const durationMs = Math.max(0, clock.now().getTime() - startedMs)
    const result: ItemResult<T> = {...its, item, attempts, durationMs}
    if (blocksKey && (result.resultClass === 'failed' || result.resultClass === 'unknown')) {
      this.#blocked.set(item.orderingKey, item.key)
    }
    if (result.resultClass !== 'held') this.#slots.noteResult(result.resultClass === 'done', clock.now())
    const halt = result.halt ?? this.#breaker.note(result)
    if (halt) signals.stop(halt)
    this.#recording++
    const recorded = journal.write(createEntry('result', item, attempts, its)).then(
      () => {
        this.#recording--
        this.#reportResult(result)
      },
      error => {
        this.#recording--
        this.#fail(error)
      },
    )
    return attempts > 0 || item.unsure ? recorded : undefined
  }

  #reportResult(result: ItemResult<T>): void {
    try {
      this.options.onResult(result)
      this.advance()
    } catch (error) {
      this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    this.#failure ??= {error}
    this.options.signals.close()
  }
}

function createBlockedEnd(key: string): ItemEnd {
  const detail = `blocked: ${key} of the same ordering key failed before it`
  return {result: {resultClass: 'held', result: 'held', detail}, attempts: 0}
}
