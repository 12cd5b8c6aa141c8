/** Values handed from those who push to the one who reads, in order, all together that have come by then. */
export class AsyncQueue<V> {
  #values: V[] = []
  #wake: (() => void) | undefined
  #closed = false

  /** Values that nobody has read yet. */
  get size(): number {
    return this.#values.length
  }

  push(value: V): void {
    this.#values.push(value)
    this.#wake?.()
  }

  /** Nothing more will be pushed. */
  close(): void {
    this.#closed = true
    this.#wake?.()
  }

  /** All values until the outlet is closed; `taken` is called after each group of them. */
  async *read(taken: () => void): AsyncGenerator<readonly V[], void, void> {
    while (true) {
      while (this.#values.length > 0) {
        const group = this.#values
        this.#values = []
        yield group
        taken()
      }
      if (this.#closed) return
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
      this.#wake = undefined
    }
  }
}
