/** A queue with many writers and one reader, in order; a read takes all values that are there. */
export class AsyncQueue<V> {
  #values: V[] = []
  #wake: (() => void) | undefined
  #isClosed = false

  /** @param onTaken called each time the reader has processed what it took */
  constructor(private readonly onTaken: () => void) {}

  /** Unread values. */
  get size(): number {
    return this.#values.length
  }

  push(value: V): void {
    this.#values.push(value)
    this.#wake?.()
  }

  /** Nothing more will be pushed. */
  close(): void {
    this.#isClosed = true
    this.#wake?.()
  }

  /** All values until the queue is closed. */
  async *read(): AsyncGenerator<readonly V[], void, void> {
    while (true) {
      while (this.#values.length > 0) {
        const group = this.#values
        this.#values = []
        yield group
        this.onTaken()
      }
      if (this.#isClosed) return
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
      this.#wake = undefined
    }
  }
}
