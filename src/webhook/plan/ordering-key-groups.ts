import {hashBackward, hashForward} from '../../runs/pool/hash-table.js'

const FIRST_SLOTS = 1024

/**
 * Puts events that share any key, directly or through others, into one lane.
 *
 * A key takes some 20 bytes, whatever its length: only its hash is kept. Keys that match by chance make one lane of two,
 * which costs time and nothing else.
 */
export class LaneFinder {
  /** Two halves of each key's hash, in the order in which the keys came. */
  #hashes = new Uint32Array(capacityOf(FIRST_SLOTS) * 2)
  /** For each key another one of its lane, in the end the lane's smallest. */
  #parents = new Uint32Array(capacityOf(FIRST_SLOTS))
  /** Open addressing: 1 + the place of a key, 0 for none. */
  #slots = new Uint32Array(FIRST_SLOTS)
  #count = 0

  /** Ties the keys together; call it for every event before `laneOf` is asked. */
  tie(keys: readonly string[]): void {
    const [first, ...rest] = keys
    if (first === undefined) return
    let root = this.#rootOf(this.#placeOf(first))
    for (const key of rest) {
      const other = this.#rootOf(this.#placeOf(key))
      if (other === root) continue
      // The smaller one stays, so that a lane's name does not depend on the order of the events.
      const [keep, drop] = this.#nameOf(other) < this.#nameOf(root) ? [other, root] : [root, other]
      this.#parents[drop] = keep
      root = keep
    }
  }

  /** The lane's name; an event without keys has a lane of its own. */
  laneOf(keys: readonly string[], id: string): string {
    const [first] = keys
    return first === undefined ? `event:${id}` : `lane:${this.#nameOf(this.#rootOf(this.#placeOf(first)))}`
  }

  #nameOf(place: number): string {
    const half = (at: number) => (this.#hashes[at] as number).toString(16).padStart(8, '0')
    return half(place * 2) + half(place * 2 + 1)
  }

  #rootOf(place: number): number {
    let root = place
    while (this.#parents[root] !== root) root = this.#parents[root] as number
    for (let at = place; at !== root; ) {
      const next = this.#parents[at] as number
      this.#parents[at] = root
      at = next
    }
    return root
  }

  #placeOf(key: string): number {
    const [one, two] = [hashForward(key), hashBackward(key)]
    const mask = this.#slots.length - 1
    let slot = one & mask
    for (let kept = this.#slots[slot]; kept; kept = this.#slots[slot]) {
      const place = kept - 1
      if (this.#hashes[place * 2] === one && this.#hashes[place * 2 + 1] === two) return place
      slot = (slot + 1) & mask
    }
    return this.#add(one, two, slot)
  }

  #add(one: number, two: number, slot: number): number {
    const place = this.#count++
    this.#hashes[place * 2] = one
    this.#hashes[place * 2 + 1] = two
    this.#parents[place] = place
    this.#slots[slot] = place + 1
    if (this.#count === this.#parents.length) this.#grow()
    return place
  }

  #grow(): void {
    const size = this.#slots.length * 2
    // The old one goes first: while the others grow, there are two of each.
    this.#slots = new Uint32Array(0)
    this.#hashes = larger(this.#hashes, capacityOf(size) * 2)
    this.#parents = larger(this.#parents, capacityOf(size))
    this.#slots = new Uint32Array(size)
    for (let place = 0; place < this.#count; place++) {
      let slot = (this.#hashes[place * 2] as number) & (size - 1)
      while (this.#slots[slot]) slot = (slot + 1) & (size - 1)
      this.#slots[slot] = place + 1
    }
  }
}

/** Keys in so many slots: a table that is fuller takes long to look into. */
function capacityOf(slots: number): number {
  return slots * 0.75
}

function larger(values: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(length)
  more.set(values)
  return more
}
