/** Parts of a stream of bytes, each further on than the one before. */
export class Forward {
  readonly #pieces: AsyncIterator<Buffer>
  #piece: Buffer = Buffer.alloc(0)
  /** Of the first byte of the piece. */
  #offset = 0

  constructor(pieces: AsyncIterable<Buffer>) {
    this.#pieces = pieces[Symbol.asyncIterator]()
  }

  /** @param start no less than the end of the part before */
  async bytes(start: number, end: number): Promise<Buffer> {
    const parts: Buffer[] = []
    let from = start
    while (from < end) {
      if (from >= this.#offset + this.#piece.length) {
        if (!(await this.#next())) break
        continue
      }
      const part = this.#piece.subarray(from - this.#offset, end - this.#offset)
      parts.push(part)
      from += part.length
    }
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
  }

  async close(): Promise<void> {
    await this.#pieces.return?.()
  }

  async #next(): Promise<boolean> {
    const {done, value} = await this.#pieces.next()
    if (done) return false
    this.#offset += this.#piece.length
    this.#piece = value
    return true
  }
}
