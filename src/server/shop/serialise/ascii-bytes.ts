const FIRST_BYTES = 4096

/** Gathers ASCII text piece by piece as bytes: far cheaper than one long text that is encoded at the end. */
export class AsciiBytes {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES)
  #length = 0

  /** @param text nothing beyond ASCII, as the shop's JSON is escaped */
  add(text: string): this {
    const end = this.#length + text.length
    if (end > this.#bytes.length) this.#grow(end)
    this.#bytes.write(text, this.#length, 'latin1')
    this.#length = end
    return this
  }

  /** What was gathered; nothing may be added afterwards. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  #grow(least: number): void {
    const larger = Buffer.allocUnsafe(Math.max(least, 2 * this.#bytes.length))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}
