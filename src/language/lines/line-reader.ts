/** A line as it stands in a file, blank or not; or, of one that is longer than any event, a part. */
export interface RawLine {
  /** Without the line feed at its end, and a byte order mark before the first; a carriage return before that is kept. */
  readonly bytes: Buffer
  /** From 1. */
  readonly line: number
  readonly isFirst: boolean
  readonly isLast: boolean
}

/** Lines that come one by one, and come again where they were taken too early. */
export interface Lines {
  /** The first line of the text; of a long one, its beginning. */
  readonly first: Buffer | undefined
  /** The next line, `undefined` behind the last. */
  readLine(): Promise<RawLine | undefined>
  pushBack(line: RawLine): void
}

const NEWLINE = 0x0a
const BYTE_ORDER_MARK = Buffer.from('\ufeff')
const LONGEST_HEADER = 16 * 1024

/** No event is longer: 16 MiB. */
export const LONGEST_PIECE = 16 * 1024 * 1024

/** Reads a text line by line. Memory is that of the longest line, and of `LONGEST_PIECE` at most. */
export class LineReader implements Lines {
  first: Buffer | undefined
  readonly #chunks: AsyncIterator<Uint8Array>
  readonly #back: RawLine[] = []
  #chunk: Buffer = Buffer.alloc(0)
  #at = 0
  #line = 1
  #isInside = false

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  async readLine(): Promise<RawLine | undefined> {
    const back = this.#back.pop()
    if (back) return back
    const end = this.#chunk.indexOf(NEWLINE, this.#at)
    return end >= 0 ? this.#takeUpTo(end) : this.#readAcross()
  }

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
    return this.#take(bytes, true)
  }

  #take(bytes: Buffer, isLast: boolean): RawLine {
    const isMarked = this.first === undefined && bytes.indexOf(BYTE_ORDER_MARK) === 0
    const text = isMarked ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes
    const line = {bytes: text, line: this.#line, isFirst: !this.#isInside, isLast}
    this.#isInside = !isLast
    this.first ??= Buffer.from(text.subarray(0, LONGEST_HEADER))
    if (isLast) this.#line++
    return line
  }

  /** A line that goes on in the next chunk. */
  async #readAcross(): Promise<RawLine | undefined> {
    const kept: Buffer[] = [this.#chunk.subarray(this.#at)]
    let size = this.#chunk.length - this.#at
    const mostBytes = Number(!this.#isInside) * LONGEST_PIECE
    while (size <= mostBytes) {
      const next = await this.#chunks.next()
      this.#at = 0
      this.#chunk = next.done ? Buffer.alloc(0) : toBuffer(next.value)
      if (next.done && size === 0 && !this.#isInside) return undefined
      const end = this.#chunk.indexOf(NEWLINE)
      kept.push(end < 0 ? this.#chunk : this.#chunk.subarray(0, end))
      size += end < 0 ? this.#chunk.length : end
      this.#at = end < 0 ? this.#chunk.length : end + 1
      if (next.done || end >= 0) return this.#take(Buffer.concat(kept), true)
    }
    return this.#takeApart(kept)
  }

  /** One part after the other: joined, they would be in memory twice. */
  #takeApart(parts: readonly Buffer[]): RawLine | undefined {
    for (const bytes of parts) if (bytes.length > 0) this.#back.unshift(this.#take(bytes, false))
    return this.#back.pop()
  }
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
