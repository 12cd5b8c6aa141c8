/** The last pieces of a stream of bytes, as far back as they may be needed again. */
export class Recent {
  #pieces: Buffer[] = []
  /** Of the first piece. */
  #start = 0
  #end = 0

  add(piece: Buffer): void {
    this.#pieces.push(piece)
    this.#end += piece.length
  }

  /** The last piece, or what of it begins no sooner. @param offset of the stream's first byte that is wanted */
  newest(offset: number): Buffer {
    const piece = this.#pieces.at(-1) ?? Buffer.alloc(0)
    return piece.subarray(Math.max(0, offset - (this.#end - piece.length)))
  }

  /** @param offset no less than what was forgotten */
  from(offset: number): Buffer {
    const all = this.#pieces.length === 1 ? (this.#pieces[0] as Buffer) : Buffer.concat(this.#pieces)
    return all.subarray(Math.max(0, offset - this.#start))
  }

  /** Lets go of what comes before, in whole pieces. */
  forget(offset: number): void {
    while (true) {
      const [first] = this.#pieces
      if (!first || this.#start + first.length > offset) return
      this.#pieces.shift()
      this.#start += first.length
    }
  }
}
