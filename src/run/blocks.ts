import {backwards, forwards} from './key-hash.js'

/** Blocks that a plan is cut into, so that several workers find something to do in a short one too. */
const BLOCKS = 64

/** Items that a block is filled up to: long lanes may make it larger. */
const LARGEST = 100

const FIRST_SLOTS = 1024

/** A table that is fuller than this is made larger, or looking would take long. */
const FULL = 0.75

/**
 * Cuts a plan into blocks, which are what workers of a run share: a lane belongs whole to the block of its first item,
 * so that two workers never have items of one lane.
 *
 * A lane takes some 16 bytes: its name is kept as a hash of 64 bits. Lanes that match by chance share a block, which does
 * no harm.
 */
export class Blocks {
  readonly #size: number
  #hashes = new Uint32Array(FIRST_SLOTS * 2)
  /** 1 + the lane's block, 0 for none. */
  #kept = new Uint32Array(FIRST_SLOTS)
  #lanes = 0
  #last = 0
  #inLast = 0

  /** @param total items of the plan */
  constructor(total: number) {
    this.#size = Math.min(LARGEST, Math.max(1, Math.ceil(total / BLOCKS)))
  }

  /** How many there are. */
  get count(): number {
    return this.#lanes === 0 ? 0 : this.#last + 1
  }

  /** The number of the block, from 0, that the next item of the plan belongs to. */
  of(lane: string): number {
    const [one, two] = [forwards(lane), backwards(lane)]
    const slot = this.#slotOf(one, two)
    const kept = this.#kept[slot] as number
    const block = kept > 0 ? kept - 1 : this.#add(slot, one, two)
    if (block === this.#last) this.#inLast++
    return block
  }

  #add(slot: number, one: number, two: number): number {
    if (this.#inLast >= this.#size) {
      this.#last++
      this.#inLast = 0
    }
    this.#hashes[slot * 2] = one
    this.#hashes[slot * 2 + 1] = two
    this.#kept[slot] = this.#last + 1
    if (++this.#lanes > this.#kept.length * FULL) this.#grow()
    return this.#last
  }

  #slotOf(one: number, two: number): number {
    const mask = this.#kept.length - 1
    let slot = one & mask
    while (this.#kept[slot] && (this.#hashes[slot * 2] !== one || this.#hashes[slot * 2 + 1] !== two)) {
      slot = (slot + 1) & mask
    }
    return slot
  }

  #grow(): void {
    const [hashes, kept] = [this.#hashes, this.#kept]
    this.#hashes = new Uint32Array(hashes.length * 2)
    this.#kept = new Uint32Array(kept.length * 2)
    for (const [at, block] of kept.entries()) {
      if (block === 0) continue
      const [one, two] = [hashes[at * 2] as number, hashes[at * 2 + 1] as number]
      const slot = this.#slotOf(one, two)
      this.#hashes[slot * 2] = one
      this.#hashes[slot * 2 + 1] = two
      this.#kept[slot] = block
    }
  }
}
