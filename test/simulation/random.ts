/** Random numbers that a seed decides. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = (seed ^ 0x9e3779b9) >>> 0
    for (let turn = 0; turn < 4; turn++) this.next()
  }

  /** From 0 up to 1. @see mulberry32 */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }

  /** A whole number from 0 up to `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  /** A number from `from` up to `to`. */
  between(from: number, to: number): number {
    return from + this.next() * (to - from)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T
  }

  /** The values in another order. */
  shuffle<T>(values: readonly T[]): T[] {
    const all = [...values]
    for (let at = all.length - 1; at > 0; at--) {
      const other = this.below(at + 1)
      ;[all[at], all[other]] = [all[other] as T, all[at] as T]
    }
    return all
  }
}
