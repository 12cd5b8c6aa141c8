/** Rows held in memory; earlier ones are read again when a person pages back. */
const HELD = 2000

/**
 * Rows of a stream by their position, for a list that is paged through in both directions. Memory is bounded by the held
 * rows, whatever the length of the stream.
 */
export class PagedRows<Row> {
  #rows: AsyncIterator<Row> | undefined
  #held: Row[] = []
  /** Position of the first held row. */
  #from = 0
  #isComplete = false
  #reading: Promise<unknown> = Promise.resolve()

  /** @param open restarts the stream */
  constructor(private readonly open: () => AsyncIterable<Row>) {}

  /** Rows read so far. */
  get known(): number {
    return this.#from + this.#held.length
  }

  /** Whether the stream has ended, so that `known` is its length. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /** The held rows of a page. */
  peek(from: number, count: number): readonly Row[] {
    return this.#held.slice(Math.max(0, from - this.#from), Math.max(0, from - this.#from + count))
  }

  /** Reads until the page is held, or the stream ends. One after the other. */
  load(from: number, count: number): Promise<void> {
    const loaded = this.#reading.then(() => this.#load(from, count))
    this.#reading = loaded.catch(() => undefined)
    return loaded
  }

  async #load(from: number, count: number): Promise<void> {
    if (from < this.#from) await this.close()
    this.#rows ??= this.open()[Symbol.asyncIterator]()
    while (!this.#isComplete && this.known < from + count) {
      const next = await this.#rows.next()
      if (next.done) this.#isComplete = true
      else this.#hold(next.value, from)
    }
  }

  /** @param needed position of the first row to hold */
  #hold(row: Row, needed: number): void {
    this.#held.push(row)
    if (this.#held.length <= HELD) return
    const dropped = Math.min(this.#held.length - HELD / 2, needed - this.#from)
    if (dropped <= 0) return
    this.#held = this.#held.slice(dropped)
    this.#from += dropped
  }

  /** Ends the stream; the next load restarts it. */
  async close(): Promise<void> {
    const rows = this.#rows
    this.#rows = undefined
    this.#held = []
    this.#from = 0
    this.#isComplete = false
    await rows?.return?.()
  }
}
