import type {Item} from '../journal/item.js'

/** Items that wait, by ordering key; hands out at most one of a key at a time, in the order they came. */
export class KeyedQueue<T> {
  /** A key with an item handed out, and the items that wait behind it. */
  readonly #busy = new Map<string, Item<T>[]>()
  #ready: Item<T>[] = []
  #next = 0
  /** Ready items before this index were already listed as next ones. */
  #listed = 0
  #waiting = 0

  /** Items that have not been taken yet. */
  get waiting(): number {
    return this.#waiting
  }

  /** Of those, the ones whose key is free. */
  get ready(): number {
    return this.#ready.length - this.#next
  }

  add(item: Item<T>): void {
    this.#waiting++
    const behind = this.#busy.get(item.orderingKey)
    if (behind) {
      behind.push(item)
      return
    }
    this.#busy.set(item.orderingKey, [])
    this.#ready.push(item)
  }

  /** The next item whose key is free; its key stays taken until `release`. */
  take(): Item<T> | undefined {
    const item = this.#ready[this.#next]
    if (item === undefined) return undefined
    this.#next++
    this.#waiting--
    if (this.#next > 1024) {
      this.#ready = this.#ready.slice(this.#next)
      this.#listed = Math.max(0, this.#listed - this.#next)
      this.#next = 0
    }
    return item
  }

  /** Of the next `count` items whose key is free, those not listed before. */
  listNext(count: number): readonly Item<T>[] {
    const from = Math.max(this.#next, this.#listed)
    const until = this.#next + count
    if (until <= from) return []
    const next = this.#ready.slice(from, until)
    this.#listed = from + next.length
    return next
  }

  release(orderingKey: string): void {
    const behind = this.#busy.get(orderingKey)
    const next = behind?.shift()
    if (next) this.#ready.push(next)
    else this.#busy.delete(orderingKey)
  }
}
