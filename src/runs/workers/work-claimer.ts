import type {Before, PlannedItem} from '../journal/run-store.js'

/** Items of one lane that are handed out at once: a long lane must not fill what is read ahead. */
const OF_ONE_LANE = 32

/** An item of a block that is this worker's. */
export interface ClaimedItem extends PlannedItem {
  /** The item of its lane that failed before it, in the hands of another worker. */
  readonly blockedBy?: string | undefined
}

/** What a worker has claimed and not ended: hands items out, and notices when a block is through. */
export class Claimed {
  #line: ClaimedItem[] = []
  /** What waits because enough of its lane is out. */
  readonly #waiting = new Map<string, ClaimedItem[]>()
  /** Items of each lane that are in line or handed out. */
  readonly #out = new Map<string, number>()
  readonly #blockOf = new Map<string, number>()
  readonly #left = new Map<number, number>()
  #finished: number[] = []

  /** Lanes that have something to do. */
  get lanes(): number {
    return this.#out.size
  }

  /** Blocks that are through, and of which the records do not know it yet. */
  get finished(): readonly number[] {
    return this.#finished
  }

  /**
   * Takes up a block.
   *
   * @param items in the order of the plan
   * @param before what was written about them by whoever had the block before
   * @returns how many lanes it has
   */
  add(block: number, items: readonly PlannedItem[], before: ReadonlyMap<string, Before>): number {
    const failed = new Map<string, string>()
    for (const {item, lane} of items) if (before.get(item)?.hasFailed) failed.set(lane, item)
    const left = items.filter(({item}) => !before.get(item)?.isOver)
    this.#left.set(block, left.length)
    if (left.length === 0) this.#finish(block)
    for (const planned of left) {
      const {item, lane, isUnsure} = planned
      this.#blockOf.set(item, block)
      this.#queue({
        ...planned,
        isUnsure: isUnsure || before.get(item)?.isUnsure === true,
        blockedBy: failed.get(lane),
      })
    }
    return new Set(left.map(({lane}) => lane)).size
  }

  /** The next items to be sent, at most so many. */
  take(most: number): ClaimedItem[] {
    return this.#line.splice(0, most)
  }

  /** Notes that an item has its result. Items that were never claimed may be named too. */
  ended(item: string, lane: string): void {
    const block = this.#blockOf.get(item)
    if (block === undefined) return
    this.#blockOf.delete(item)
    const left = (this.#left.get(block) ?? 0) - 1
    if (left === 0) this.#finish(block)
    else this.#left.set(block, left)
    const next = this.#waiting.get(lane)?.shift()
    if (next) this.#line.push(next)
    else this.#retire(lane)
  }

  /** The records know of these blocks now. */
  noted(blocks: readonly number[]): void {
    const known = new Set(blocks)
    this.#finished = this.#finished.filter(block => !known.has(block))
  }

  #finish(block: number): void {
    this.#left.delete(block)
    this.#finished.push(block)
  }

  #queue(item: ClaimedItem): void {
    const {lane} = item
    const out = this.#out.get(lane) ?? 0
    if (out < OF_ONE_LANE) {
      this.#out.set(lane, out + 1)
      this.#line.push(item)
      return
    }
    const waiting = this.#waiting.get(lane)
    if (waiting) waiting.push(item)
    else this.#waiting.set(lane, [item])
  }

  #retire(lane: string): void {
    this.#waiting.delete(lane)
    const out = (this.#out.get(lane) ?? 0) - 1
    if (out > 0) this.#out.set(lane, out)
    else this.#out.delete(lane)
  }
}
