import {hashBackward, hashForward} from '../../runs/pool/hash-table.js'

/** Hashes held in memory at once: 4 MiB of them. */
const MOST_HELD = 512 * 1024
const FIRST_HELD = 1024

/** A temporary file for bytes. */
export interface ReferenceScratch {
  append(bytes: Uint8Array): Promise<void>
  /** All of it, from the beginning; pieces hold whole multiples of eight bytes but the last. */
  read(): AsyncIterable<Buffer>
}

/**
 * Finds duplicates among any number of references: eight bytes of each are remembered, and those that do not fit in
 * memory are spooled.
 */
export class References {
  #held = new Uint32Array(FIRST_HELD * 2)
  #count = 0
  #aside = 0
  #scratch: ReferenceScratch | undefined

  /** @param openScratch called at most once, and only where memory does not suffice */
  constructor(
    private readonly openScratch: () => Promise<ReferenceScratch>,
    private readonly mostHeld = MOST_HELD,
  ) {}

  /** @returns a promise only if something must be spooled first */
  add(reference: string): Promise<void> | undefined {
    this.#held[this.#count * 2] = hashForward(reference)
    this.#held[this.#count * 2 + 1] = hashBackward(reference)
    this.#count++
    if (this.#count >= this.mostHeld) return this.#putAside()
    if (this.#count * 2 === this.#held.length) {
      const twice = new Uint32Array(this.#held.length * 2)
      twice.set(this.#held)
      this.#held = twice
    }
    return undefined
  }

  /**
   * Separates references that may be duplicates from those that certainly are not.
   *
   * @returns `undefined` if there are no duplicates
   */
  async findSuspects(): Promise<((reference: string) => boolean) | undefined> {
    const twice = new Set<bigint>()
    const parts = Math.ceil((this.#aside + this.#count) / this.mostHeld)
    // One buffer for all parts: garbage would exceed all other memory of the check.
    const buffer: Buffered = {hashes: new BigUint64Array(this.#aside === 0 ? 0 : this.mostHeld * 2)}
    for (let part = 0; part < parts; part++) {
      const hashes = await this.#readPart(part, parts, buffer)
      hashes.sort()
      for (let at = 1; at < hashes.length; at++) {
        if (hashes[at] === hashes[at - 1]) twice.add(hashes[at] as bigint)
      }
    }
    if (twice.size === 0) return undefined
    const pair = new Uint32Array(2)
    const hash = new BigUint64Array(pair.buffer)
    return reference => {
      pair[0] = hashForward(reference)
      pair[1] = hashBackward(reference)
      return twice.has(hash[0] as bigint)
    }
  }

  /** The hashes, divided into parts by their first half, so that equal ones are in the same part. */
  async #readPart(part: number, parts: number, buffer: Buffered): Promise<BigUint64Array> {
    if (this.#aside === 0) return new BigUint64Array(this.#held.buffer, 0, this.#count)
    let count = 0
    const collect = (halves: Uint32Array) => {
      const whole = new BigUint64Array(halves.buffer, halves.byteOffset, halves.length >> 1)
      for (let at = 0; at < whole.length; at++) {
        if ((halves[at * 2] as number) % parts !== part) continue
        if (count === buffer.hashes.length) buffer.hashes = growPart(buffer.hashes)
        buffer.hashes[count++] = whole[at] as bigint
      }
    }
    for await (const piece of this.#scratch?.read() ?? []) {
      collect(new Uint32Array(piece.buffer, piece.byteOffset, piece.length >> 2))
    }
    collect(this.#held.subarray(0, this.#count * 2))
    return buffer.hashes.subarray(0, count)
  }

  async #putAside(): Promise<void> {
    this.#scratch ??= await this.openScratch()
    await this.#scratch.append(new Uint8Array(this.#held.buffer, 0, this.#count * 8))
    this.#aside += this.#count
    this.#count = 0
  }
}

/** Room for the hashes of one part after the other. */
interface Buffered {
  hashes: BigUint64Array<ArrayBuffer>
}

/** A reference repeated many times fills a part beyond its share. */
function growPart(full: BigUint64Array<ArrayBuffer>): BigUint64Array<ArrayBuffer> {
  const twice = new BigUint64Array(full.length * 2)
  twice.set(full)
  return twice
}
