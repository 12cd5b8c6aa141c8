/** A line as it stands in a file, blank or not. */
export interface RawLine {
  /** Without the line feed at its end; a carriage return before that is kept. Of one that is too long, its beginning. */
  readonly bytes: Buffer
  /** From 1. */
  readonly line: number
  readonly isTooLong: boolean
}

const NEWLINE = 0x0a

/** Reads a text line by line, and takes lines back. Memory is that of the longest line, and of `LONGEST_PIECE` at most. */
export class LineReader {
  readonly #chunks: AsyncIterator<Uint8Array> | Iterator<Uint8Array>
  readonly #back: RawLine[] = []
  #chunk: Buffer = Buffer.alloc(0)
  #at = 0
  #line: number

  /** @param line the line that the text begins on, from 1 */
  constructor(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, line = 1) {
    this.#chunks = Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]()
    this.#line = line
  }

  /** The next line, `undefined` behind the last. */
  async readLine(): Promise<RawLine | undefined> {
    const back = this.#back.pop()
    if (back) return back
    const end = this.#chunk.indexOf(NEWLINE, this.#at)
    return end >= 0 ? this.#takeUpTo(end) : this.#readAcross()
  }

  /** Has a line come again. */
  pushBack(line: RawLine): void {
    this.#back.push(line)
  }

  /** Lets go of the text before its end. */
  async close(): Promise<void> {
    await this.#chunks.return?.()
  }

  #takeUpTo(end: number): RawLine {
    const bytes = this.#chunk.subarray(this.#at, end)
    this.#at = end + 1
    return {bytes, line: this.#line++, isTooLong: bytes.length > LONGEST_PIECE}
  }

  /** A line that goes on in the next chunk. */
  async #readAcross(): Promise<RawLine | undefined> {
    const kept: Buffer[] = [this.#chunk.subarray(this.#at)]
    let size = this.#chunk.length - this.#at
    for (let end = -1; end < 0; ) {
      const readLine = await this.#chunks.next()
      this.#at = 0
      this.#chunk = readLine.done ? Buffer.alloc(0) : toBuffer(readLine.value)
      if (readLine.done && size === 0) return undefined
      end = readLine.done ? 0 : this.#chunk.indexOf(NEWLINE)
      const piece = end < 0 ? this.#chunk : this.#chunk.subarray(0, end)
      if (size <= LONGEST_PIECE) kept.push(piece)
      size += piece.length
      if (end >= 0 && !readLine.done) this.#at = end + 1
    }
    return {bytes: Buffer.concat(kept), line: this.#line++, isTooLong: size > LONGEST_PIECE}
  }
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** No event is longer: 16 MiB. A piece that is, is cut off, named, and passed over. */
export const LONGEST_PIECE = 16 * 1024 * 1024
