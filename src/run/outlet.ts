/** Values handed from those who push to the one who reads, in order. */
export class Outlet<V> {
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

  /** All values until the outlet is closed; `taken` is called after each. */
  async *read(taken: () => void): AsyncGenerator<V, void, void> {
    while (true) {
      const batch = this.#values
      this.#values = []
      for (const value of batch) {
        yield value
        taken()
      }
      if (this.#values.length > 0) continue
      if (this.#closed) return
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
      this.#wake = undefined
    }
  }
}
