import {setMaxListeners} from 'node:events'
import type {StorectlError} from '../../errors.js'
import type {ExecuteOptions} from '../execute.js'
import type {Item, ItemResult} from '../journal/item.js'
import type {ClassCounts} from '../journal/run-store.js'
import {AsyncQueue} from './async-queue.js'
import {type Attempted, type AttemptsDeps, attempt, entryOf} from './attempt-item.js'
import {CircuitBreaker} from './circuit-breaker.js'
import {KeyedQueue} from './keyed-queue.js'
import {RateLimiter} from './rate-limiter.js'

/** Items read ahead at most for each one that can be worked on, so that a busy ordering key does not keep others waiting. */
const READ_AHEAD = 32

/** Items of free ordering keys that are enough for each one that can be worked on: what waits long is costly to the collector. */
const READY_AHEAD = 2

/** Items read ahead at least. */
const SMALLEST_WINDOW = 256

type Read<T> = Item<T> | readonly Item<T>[]

/** Where items come from: one by one, or several that were there together. */
export type Items<T> = AsyncIterable<Read<T>> | Iterable<Read<T>>

/** What `execute` sets going. */
export class Engine<T> {
  halt: StorectlError | undefined
  readonly #source: AsyncIterator<Read<T>> | Iterator<Read<T>>
  readonly #queue = new KeyedQueue<T>()
  readonly #results = new AsyncQueue<ItemResult<T>>()
  readonly #breaker: CircuitBreaker
  readonly #deps: AttemptsDeps<T>
  readonly #closing = new AbortController()
  readonly #blocked = new Map<string, string>()
  readonly #window: number
  #failure: {error: unknown} | undefined
  #started = 0
  #active = 0
  #recording = 0
  #reading = false
  #exhausted = false
  #skipped = 0

  constructor(
    items: Items<T>,
    private readonly options: ExecuteOptions<T>,
  ) {
    this.#source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]()
    this.#breaker = new CircuitBreaker(options.limits)
    const {ratePerSecond: rate} = options
    const pace = new RateLimiter(typeof rate === 'number' ? () => rate : rate, options.clock)
    this.#deps = {...options, pace, closing: this.#closing.signal}
    // Every item that waits listens; Node takes more than ten for a leak and says so on stderr.
    setMaxListeners(0, this.#closing.signal)
    this.#window = Math.max(SMALLEST_WINDOW, options.concurrency * READ_AHEAD)
  }

  get closing(): AbortSignal {
    return this.#closing.signal
  }

  get isComplete(): boolean {
    return this.#exhausted && this.#queue.waiting === 0 && this.#skipped === 0 && !this.#failure
  }

  async *results(): AsyncGenerator<readonly ItemResult<T>[], void, void> {
    const {stopping} = this.options
    const stop = () => this.#close()
    if (stopping.aborted) stop()
    stopping.addEventListener('abort', stop, {once: true})
    try {
      this.#advance()
      yield* this.#results.read(() => this.#advance())
    } finally {
      this.#close()
      // A reader that left must not cut short what is in flight.
      for await (const _ of this.#results.read(() => {}));
      stopping.removeEventListener('abort', stop)
      await this.#source.return?.()
    }
    if (this.#failure) throw this.#failure.error
  }

  stop(halt: StorectlError): void {
    this.halt ??= halt
    this.#close()
  }

  noteOthers(graded: ClassCounts): void {
    const halt = this.#breaker.noteOthers(graded)
    if (halt) this.stop(halt)
  }

  /** Nothing new is started from here on. */
  #close(): void {
    if (!this.#closing.signal.aborted) this.#closing.abort()
    this.#advance()
  }

  #fail(error: unknown): void {
    this.#failure ??= {error}
    this.#close()
  }

  /** Starts what may start, reads on where there is room, and ends when nothing is left. */
  #advance(): void {
    const {concurrency} = this.options
    const closed = this.#closing.signal.aborted
    while (!closed && this.#active < concurrency && this.#startOne());
    if (!closed && !this.#reading && !this.#exhausted && this.#hasRoom()) void this.#read()
    const idle = this.#active + this.#recording === 0 && !this.#reading
    if (idle && (closed || (this.#exhausted && this.#queue.waiting === 0))) this.#results.close()
  }

  #hasRoom(): boolean {
    if (this.#queue.ready >= this.options.concurrency * READY_AHEAD) return false
    return this.#queue.waiting + this.#active + this.#recording + this.#results.size < this.#window
  }

  async #read(): Promise<void> {
    this.#reading = true
    try {
      while (!this.#closing.signal.aborted && this.#hasRoom()) {
        const {done, value} = await this.#source.next()
        if (done) {
          // A source that ends because nothing new may be started has not come to its end.
          this.#exhausted = !this.#closing.signal.aborted
          break
        }
        for (const item of Array.isArray(value) ? value : [value]) this.#queue.add(item)
        while (this.#active < this.options.concurrency && this.#startOne());
      }
    } catch (error) {
      this.#failure ??= {error}
      this.#closing.abort()
    }
    this.#reading = false
    this.#advance()
  }

  #startOne(): boolean {
    const item = this.#breaker.allowance(this.#started) > 0 ? this.#queue.take() : undefined
    if (!item) return false
    this.#active++
    this.#started++
    void this.#run(item)
    return true
  }

  async #run(item: Item<T>): Promise<void> {
    const {clock} = this.options
    const begun = clock.now().getTime()
    try {
      const end = await this.#attempt(item)
      if (end) this.#record(item, end, begun)
      else this.#skipped++
    } catch (error) {
      this.#fail(error)
    }
    this.#active--
    this.#queue.release(item.orderingKey)
    this.#advance()
  }

  async #attempt(item: Item<T>): Promise<Attempted | undefined> {
    const failedBefore = this.#blocked.get(item.orderingKey) ?? item.blockedBy
    if (failedBefore !== undefined) return {attempts: 0, conclusion: blockedBy(failedBefore)}
    return attempt(item, this.#deps)
  }

  /** The ordering key may go on at once: the journal keeps entries in order, so a later intent is never durable before this. */
  #record(item: Item<T>, {conclusion, attempts}: Attempted, begun: number): void {
    const {journal, clock, blocksLane} = this.options
    const at = clock.now()
    const result = {...conclusion, item, attempts, at, durationMs: Math.max(0, at.getTime() - begun)}
    if (blocksLane && (result.resultClass === 'failed' || result.resultClass === 'unknown')) {
      this.#blocked.set(item.orderingKey, item.key)
    }
    const halt = result.halt ?? this.#breaker.note(result)
    if (halt) this.stop(halt)
    this.#recording++
    journal.write(entryOf('result', item, attempts, conclusion)).then(
      () => this.#hand(result),
      error => this.#recorded(() => this.#fail(error)),
    )
  }

  #hand(result: ItemResult<T>): void {
    this.#recorded(() => this.#results.push(result))
  }

  #recorded(then: () => void): void {
    this.#recording--
    then()
    this.#advance()
  }
}

function blockedBy(key: string): Attempted['conclusion'] {
  return {resultClass: 'held', outcome: 'held', detail: `blocked: ${key} of the same lane failed before it`}
}
