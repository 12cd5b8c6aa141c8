import type {EarlierAttempts, PlannedItem} from '../journal/claim.js'

/** Items of one ordering key that are handed out at once: a long key must not fill the read-ahead. */
const OUT_PER_KEY = 32

/** An item of a block that is this worker's. */
export interface ClaimedItem extends PlannedItem {
  /** The item of its ordering key that failed before it, in the hands of another worker. */
  readonly blockedBy?: string | undefined
  /** What was stored with an attempt of this run whose result is unknown. */
  readonly facts?: Readonly<Record<string, unknown>> | undefined
}

/** The claimed and unfinished items of a worker: hands items out, and notices when a block is finished. */
export class ClaimedItems {
  #ready: ClaimedItem[] = []
  /** Items that wait because enough of their key are handed out. */
  readonly #waiting = new Map<string, ClaimedItem[]>()
  /** Items of each key that are ready or handed out. */
  readonly #out = new Map<string, number>()
  readonly #blockOf = new Map<string, number>()
  readonly #left = new Map<number, number>()
  #finished: number[] = []

  /** Ordering keys with unfinished items. */
  get keys(): number {
    return this.#out.size
  }

  /** Blocks whose items all have results, not yet recorded as finished. */
  get finished(): readonly number[] {
    return this.#finished
  }

  /**
   * Takes a block.
   *
   * @param items in the order of the plan
   * @param earlier what earlier workers of the block recorded about them
   * @returns how many ordering keys it has
   */
  add(block: number, items: readonly PlannedItem[], earlier: ReadonlyMap<string, EarlierAttempts>): number {
    const failed = new Map<string, string>()
    for (const {item, orderingKey} of items) if (earlier.get(item)?.hasFailed) failed.set(orderingKey, item)
    const left = items.filter(({item}) => !earlier.get(item)?.isOver)
    this.#left.set(block, left.length)
    if (left.length === 0) this.#finish(block)
    for (const planned of left) {
      const {item, orderingKey, isUnsure} = planned
      this.#blockOf.set(item, block)
      this.#add({
        ...planned,
        isUnsure: isUnsure || earlier.get(item)?.isUnsure === true,
        blockedBy: failed.get(orderingKey),
        facts: earlier.get(item)?.facts,
      })
    }
    return new Set(left.map(({orderingKey}) => orderingKey)).size
  }

  /** The next items to send, at most `count`. */
  take(most: number): ClaimedItem[] {
    return this.#ready.splice(0, most)
  }

  /** Notes that an item has its result. Items that were never claimed may be named too. */
  noteEnded(item: string, orderingKey: string): void {
    const block = this.#blockOf.get(item)
    if (block === undefined) return
    this.#blockOf.delete(item)
    const left = (this.#left.get(block) ?? 0) - 1
    if (left === 0) this.#finish(block)
    else this.#left.set(block, left)
    const next = this.#waiting.get(orderingKey)?.shift()
    if (next) this.#ready.push(next)
    else this.#removeFromOut(orderingKey)
  }

  /** These blocks are now recorded as finished. */
  noteStored(blocks: readonly number[]): void {
    const stored = new Set(blocks)
    this.#finished = this.#finished.filter(block => !stored.has(block))
  }

  #finish(block: number): void {
    this.#left.delete(block)
    this.#finished.push(block)
  }

  #add(item: ClaimedItem): void {
    const {orderingKey} = item
    const out = this.#out.get(orderingKey) ?? 0
    if (out < OUT_PER_KEY) {
      this.#out.set(orderingKey, out + 1)
      this.#ready.push(item)
      return
    }
    const waiting = this.#waiting.get(orderingKey)
    if (waiting) waiting.push(item)
    else this.#waiting.set(orderingKey, [item])
  }

  #removeFromOut(orderingKey: string): void {
    this.#waiting.delete(orderingKey)
    const out = (this.#out.get(orderingKey) ?? 0) - 1
    if (out > 0) this.#out.set(orderingKey, out)
    else this.#out.delete(orderingKey)
  }
}
