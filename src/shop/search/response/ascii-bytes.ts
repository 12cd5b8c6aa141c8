/** Longer texts are written at once: short enough that putting one together stays in the processor's cache. */
const LONGEST_PENDING = 32 * 1024

/** Gathers ASCII text piece by piece as bytes: far cheaper than one long text that is encoded at the end. */
export class AsciiBytes {
  #bytes: Buffer
  #length = 0
  #pending = ''

  /** @param expectedBytes about how much it will be; more costs a copy, less nothing but address space */
  constructor(expectedBytes = 4096) {
    this.#bytes = Buffer.allocUnsafe(expectedBytes)
  }

  /** @param text nothing beyond ASCII, as the shop's JSON is escaped */
  add(text: string): this {
    this.#pending += text
    if (this.#pending.length > LONGEST_PENDING) this.#write()
    return this
  }

  /** What was gathered; nothing may be added afterwards. */
  get bytes(): Buffer {
    this.#write()
    return this.#bytes.subarray(0, this.#length)
  }

  #write(): void {
    const end = this.#length + this.#pending.length
    if (end > this.#bytes.length) this.#grow(end)
    this.#bytes.write(this.#pending, this.#length, 'latin1')
    this.#length = end
    this.#pending = ''
  }

  #grow(least: number): void {
    const larger = Buffer.allocUnsafe(Math.max(least, 2 * this.#bytes.length))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}
