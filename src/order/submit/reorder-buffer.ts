/**
 * Returns values in the order of their index, whatever order they come in, and holds the source back if one is so late
 * that too many would have to wait.
 */
export class ReorderBuffer<V> {
  readonly #kept = new Map<number, V>()
  #next = 0
  #open = false
  #wake: (() => void) | undefined

  /** @param mostKept values that may wait for an earlier one */
  constructor(private readonly mostKept: number) {}

  /** The values that are now due. @param index from 0, each once */
  take(index: number, value: V): V[] {
    const ready: V[] = []
    this.#kept.set(index, value)
    while (this.#kept.has(this.#next)) {
      ready.push(this.#kept.get(this.#next) as V)
      this.#kept.delete(this.#next++)
    }
    this.#wake?.()
    return ready
  }

  /** The remaining values at the end, in order; some indexes may be missing. */
  *drain(): Generator<V> {
    const left = [...this.#kept].sort(([a], [b]) => a - b)
    this.#kept.clear()
    for (const [, value] of left) yield value
  }

  /** Resolves once an item of this index may be begun. */
  async waitForRoom(index: number): Promise<void> {
    while (!this.#open && index - this.#next > this.mostKept) {
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }

  /** Holds the source back if its items would have to wait for too many earlier ones. */
  async *holdBack<I extends {readonly value: {readonly index: number}}>(
    items: AsyncIterable<readonly I[]>,
  ): AsyncGenerator<readonly I[], void, void> {
    for await (const some of items) {
      await this.waitForRoom(some[0]?.value.index ?? 0)
      yield some
    }
  }

  /** Stops holding the source back. */
  release(): void {
    this.#open = true
    this.#wake?.()
  }
}
