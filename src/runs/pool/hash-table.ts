const FIRST_SLOTS = 1024

/** A table fuller than this grows, so that look-ups stay fast. */
const FULL = 0.75

/**
 * Whole numbers by very many names, in about 20 bytes per name, which is stored as a 64-bit hash. Two names that match
 * by chance, one in many millions, share a number; for uses where that is harmless.
 */
export class HashTable {
  #hashes = new Uint32Array(FIRST_SLOTS * 2)
  /** 1 + the number, 0 for none. */
  #kept = new Uint32Array(FIRST_SLOTS)
  #count = 0

  /** How many names have a number. */
  get size(): number {
    return this.#count
  }

  get(name: string): number | undefined {
    const kept = this.#kept[this.#findSlot(hashForward(name), hashBackward(name))] as number
    return kept === 0 ? undefined : kept - 1
  }

  /** @param value from 0 up to 2^32 - 2 */
  set(name: string, value: number): void {
    const [one, two] = [hashForward(name), hashBackward(name)]
    const slot = this.#findSlot(one, two)
    const isNew = this.#kept[slot] === 0
    this.#hashes[slot * 2] = one
    this.#hashes[slot * 2 + 1] = two
    this.#kept[slot] = value + 1
    if (isNew && ++this.#count > this.#kept.length * FULL) this.#grow()
  }

  #findSlot(one: number, two: number): number {
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
    for (const [at, value] of kept.entries()) {
      if (value === 0) continue
      const [one, two] = [hashes[at * 2] as number, hashes[at * 2 + 1] as number]
      const slot = this.#findSlot(one, two)
      this.#hashes[slot * 2] = one
      this.#hashes[slot * 2 + 1] = two
      this.#kept[slot] = value
    }
  }
}

/**
 * A hash of a text, 32 bits; with `hashBackward` it distinguishes very many texts in little memory, where a chance
 * match is harmless.
 *
 * @see FNV-1a
 */
export function hashForward(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}

/** The same from the end to the beginning. */
export function hashBackward(text: string): number {
  let hash = 0x811c9dc5
  for (let at = text.length - 1; at >= 0; at--) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash ^ (hash >>> 13)) >>> 0
}
