import {hashBackward, hashForward} from '../../runs/pool/hash-table.js'

const FIRST_SLOTS = 1024

/**
 * Groups events that share any key, directly or through others.
 *
 * A key takes about 20 bytes, whatever its length: only its hash is stored. Keys that match by chance merge two groups,
 * which only costs time.
 */
export class OrderingKeyGroups {
  /** Two halves of each key's hash, in the order in which the keys came. */
  #hashes = new Uint32Array(countCapacity(FIRST_SLOTS) * 2)
  /** For each key, another one of its group, finally the smallest. */
  #parents = new Uint32Array(countCapacity(FIRST_SLOTS))
  /** Open addressing: 1 + the index of a key, 0 for none. */
  #slots = new Uint32Array(FIRST_SLOTS)
  #count = 0

  /** Joins the keys; call it for every event before `findGroup`. */
  joinKeys(keys: readonly string[]): void {
    const [first, ...rest] = keys
    if (first === undefined) return
    let root = this.#findRoot(this.#findIndex(first))
    for (const key of rest) {
      const other = this.#findRoot(this.#findIndex(key))
      if (other === root) continue
      // The smaller one stays, so that the name of a group does not depend on the order of the events.
      const [keep, drop] = this.#formatName(other) < this.#formatName(root) ? [other, root] : [root, other]
      this.#parents[drop] = keep
      root = keep
    }
  }

  /** The group's name; an event without keys has a group of its own. */
  findGroup(keys: readonly string[], id: string): string {
    const [first] = keys
    return first === undefined
      ? `event:${id}`
      : `group:${this.#formatName(this.#findRoot(this.#findIndex(first)))}`
  }

  #formatName(index: number): string {
    const formatHalf = (at: number) => (this.#hashes[at] as number).toString(16).padStart(8, '0')
    return formatHalf(index * 2) + formatHalf(index * 2 + 1)
  }

  #findRoot(index: number): number {
    let root = index
    while (this.#parents[root] !== root) root = this.#parents[root] as number
    for (let at = index; at !== root; ) {
      const next = this.#parents[at] as number
      this.#parents[at] = root
      at = next
    }
    return root
  }

  #findIndex(key: string): number {
    const [one, two] = [hashForward(key), hashBackward(key)]
    const mask = this.#slots.length - 1
    let slot = one & mask
    for (let kept = this.#slots[slot]; kept; kept = this.#slots[slot]) {
      const index = kept - 1
      if (this.#hashes[index * 2] === one && this.#hashes[index * 2 + 1] === two) return index
      slot = (slot + 1) & mask
    }
    return this.#add(one, two, slot)
  }

  #add(one: number, two: number, slot: number): number {
    const index = this.#count++
    this.#hashes[index * 2] = one
    this.#hashes[index * 2 + 1] = two
    this.#parents[index] = index
    this.#slots[slot] = index + 1
    if (this.#count === this.#parents.length) this.#grow()
    return index
  }

  #grow(): void {
    const size = this.#slots.length * 2
    // The old one goes first: while the others grow, there are two of each.
    this.#slots = new Uint32Array(0)
    this.#hashes = enlargeArray(this.#hashes, countCapacity(size) * 2)
    this.#parents = enlargeArray(this.#parents, countCapacity(size))
    this.#slots = new Uint32Array(size)
    for (let index = 0; index < this.#count; index++) {
      let slot = (this.#hashes[index * 2] as number) & (size - 1)
      while (this.#slots[slot]) slot = (slot + 1) & (size - 1)
      this.#slots[slot] = index + 1
    }
  }
}

/** Most keys in this many slots: look-ups in a fuller table are slow. */
function countCapacity(slots: number): number {
  return slots * 0.75
}

function enlargeArray(values: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(length)
  more.set(values)
  return more
}
