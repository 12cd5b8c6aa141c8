import {NameTable} from './pool/hash-table.js'

/** Blocks that a plan is cut into, so that several workers find something to do in a short one too. */
const BLOCKS = 64

/** Items that a block is filled up to: long lanes may make it larger. */
const LARGEST = 100

/**
 * Cuts a plan into blocks, which are what workers of a run share: a lane belongs whole to the block of its first item,
 * so that two workers never have items of one lane. Lanes whose names match by chance share a block, which does no harm.
 */
export class Blocks {
  readonly #size: number
  readonly #blocks = new NameTable()
  #last = 0
  #inLast = 0

  /** @param total items of the plan */
  constructor(total: number) {
    this.#size = Math.min(LARGEST, Math.max(1, Math.ceil(total / BLOCKS)))
  }

  /** How many there are. */
  get count(): number {
    return this.#blocks.size === 0 ? 0 : this.#last + 1
  }

  /** The number of the block, from 0, that the next item of the plan belongs to. */
  of(lane: string): number {
    const block = this.#blocks.get(lane) ?? this.#add(lane)
    if (block === this.#last) this.#inLast++
    return block
  }

  #add(lane: string): number {
    if (this.#inLast >= this.#size) {
      this.#last++
      this.#inLast = 0
    }
    this.#blocks.set(lane, this.#last)
    return this.#last
  }
}
