import {backwards, forwards} from '../run/key-hash.js'

const FIRST_SLOTS = 1024

/** A table that is fuller than this is made larger, or looking would take long. */
const FULL = 0.75

/**
 * The states that a plan leads transactions to, by what names them.
 *
 * A transaction takes some 20 bytes: its name is kept as a hash of 64 bits. Two that match by chance are one in many
 * millions, and the state is looked at again before anything is sent.
 */
export class StatesAhead {
  readonly #states: string[] = []
  #hashes = new Uint32Array(FIRST_SLOTS * 2)
  /** 1 + the place of the state, 0 for none. */
  #kept = new Uint8Array(FIRST_SLOTS)
  #count = 0

  get(name: string): string | undefined {
    const kept = this.#kept[this.#slotOf(forwards(name), backwards(name))] as number
    return kept === 0 ? undefined : this.#states[kept - 1]
  }

  set(name: string, state: string): void {
    const [one, two] = [forwards(name), backwards(name)]
    const slot = this.#slotOf(one, two)
    const isNew = this.#kept[slot] === 0
    this.#hashes[slot * 2] = one
    this.#hashes[slot * 2 + 1] = two
    this.#kept[slot] = this.#placeOf(state) + 1
    if (isNew && ++this.#count > this.#kept.length * FULL) this.#grow()
  }

  #placeOf(state: string): number {
    const place = this.#states.indexOf(state)
    return place >= 0 ? place : this.#states.push(state) - 1
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
    this.#kept = new Uint8Array(kept.length * 2)
    for (const [at, state] of kept.entries()) {
      if (state === 0) continue
      const [one, two] = [hashes[at * 2] as number, hashes[at * 2 + 1] as number]
      const slot = this.#slotOf(one, two)
      this.#hashes[slot * 2] = one
      this.#hashes[slot * 2 + 1] = two
      this.#kept[slot] = state
    }
  }
}
