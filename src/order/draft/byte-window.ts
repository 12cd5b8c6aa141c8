/** Parts of a stream of bytes, in ascending order. */
export class Forward {
  readonly #pieces: AsyncIterator<Buffer>
  #piece: Buffer = Buffer.alloc(0)
  /** Of the first byte of the piece. */
  #offset = 0

  constructor(pieces: AsyncIterable<Buffer>) {
    this.#pieces = pieces[Symbol.asyncIterator]()
  }

  /** @param start no less than the end of the part before */
  async readRange(start: number, end: number): Promise<Buffer> {
    const parts: Buffer[] = []
    let from = start
    while (from < end) {
      if (from >= this.#offset + this.#piece.length) {
        if (!(await this.#readNext())) break
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

  async #readNext(): Promise<boolean> {
    const {done, value} = await this.#pieces.next()
    if (done) return false
    this.#offset += this.#piece.length
    this.#piece = value
    return true
  }
}

/** The last pieces of a stream of bytes, as far back as they may be needed. */
export class Recent {
  #pieces: Buffer[] = []
  /** Of the first piece. */
  #start = 0
  #end = 0

  add(piece: Buffer): void {
    this.#pieces.push(piece)
    this.#end += piece.length
  }

  /** The last piece, or its part from an offset on. @param offset of the first wanted byte in the stream */
  sliceNewest(offset: number): Buffer {
    const piece = this.#pieces.at(-1) ?? Buffer.alloc(0)
    return piece.subarray(Math.max(0, offset - (this.#end - piece.length)))
  }

  /** @param offset no less than what was forgotten */
  sliceFrom(offset: number): Buffer {
    const all = this.#pieces.length === 1 ? (this.#pieces[0] as Buffer) : Buffer.concat(this.#pieces)
    return all.subarray(Math.max(0, offset - this.#start))
  }

  /** Releases earlier bytes, in whole pieces. */
  forget(offset: number): void {
    while (true) {
      const [first] = this.#pieces
      if (!first || this.#start + first.length > offset) return
      this.#pieces.shift()
      this.#start += first.length
    }
  }
}
