const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const NEWLINE = 0x0a

/** A piece of a file, and the line it begins on, from 1. */
export interface Slice {
  readonly bytes: Uint8Array
  readonly line: number
}

/** No event is longer; a piece that is, is cut off and will not be read as JSON. */
export const LONGEST_SLICE = 64 * 1024 * 1024

/**
 * Cuts a JSON list into the bytes of its elements, without reading them: numbers and spaces stay as they were sent.
 * Memory is that of the longest element.
 *
 * @param chunks from the list's opening bracket on; whatever follows its closing bracket is passed over
 * @param line the line that the bracket stands on, from 1
 * @returns the elements, blanks around them removed; when the input ends inside the list, its last piece is what came
 */
export async function* listElements(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  line = 1,
): AsyncGenerator<Slice, void, void> {
  const scan = new Scan(line)
  for await (const chunk of chunks) {
    for (const slice of scan.take(chunk)) yield slice
    if (scan.hasEnded) return
  }
  const rest = scan.rest()
  if (rest) yield rest
}

class Scan {
  hasEnded = false
  #depth = 0
  #inText = false
  #escaped = false
  #kept: Uint8Array[] = []
  #keptBytes = 0
  #startLine: number | undefined

  constructor(private line: number) {}

  *take(chunk: Uint8Array): Generator<Slice> {
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number
      if (byte === NEWLINE) this.line++
      if (this.#inText) {
        this.#passText(byte)
        continue
      }
      const opens = byte === 0x5b || byte === 0x7b
      const closes = byte === 0x5d || byte === 0x7d
      if (this.#depth >= 1 && this.#startLine === undefined && byte > 0x20 && byte !== COMMA && !closes) {
        this.#startLine = this.line
        from = at
      }
      if (byte === QUOTE) this.#inText = true
      else if (opens) this.#depth++
      else if (closes) this.#depth--
      if ((byte === COMMA && this.#depth === 1) || (closes && this.#depth === 0)) {
        const slice = this.#cut(chunk.subarray(from, at))
        if (slice) yield slice
        from = at + 1
        if (this.#depth === 0) {
          this.hasEnded = true
          return
        }
      }
    }
    if (this.#startLine !== undefined) this.#keep(chunk.subarray(from))
  }

  rest(): Slice | undefined {
    return this.#cut(new Uint8Array())
  }

  #passText(byte: number): void {
    if (this.#escaped) this.#escaped = false
    else if (byte === BACKSLASH) this.#escaped = true
    else if (byte === QUOTE) this.#inText = false
  }

  #keep(bytes: Uint8Array): void {
    if (this.#keptBytes > LONGEST_SLICE) return
    this.#kept.push(bytes)
    this.#keptBytes += bytes.length
  }

  #cut(last: Uint8Array): Slice | undefined {
    const line = this.#startLine
    if (line === undefined) return undefined
    this.#keep(last)
    const bytes = trimmed(this.#kept.length === 1 ? (this.#kept[0] as Uint8Array) : Buffer.concat(this.#kept))
    this.#kept = []
    this.#keptBytes = 0
    this.#startLine = undefined
    return {bytes, line}
  }
}

/** Cuts bytes into lines, blank ones left out. A line's end belongs to no line. */
export async function* lines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Slice, void, void> {
  let kept: Uint8Array[] = []
  let keptBytes = 0
  let line = 1
  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      const bytes = joined(kept, chunk.subarray(from, at))
      if (bytes.length > 0) yield {bytes, line}
      kept = []
      keptBytes = 0
      from = at + 1
      line++
    }
    if (from === chunk.length || keptBytes > LONGEST_SLICE) continue
    kept.push(chunk.subarray(from))
    keptBytes += chunk.length - from
  }
  const bytes = joined(kept, new Uint8Array())
  if (bytes.length > 0) yield {bytes, line}
}

function joined(kept: readonly Uint8Array[], last: Uint8Array): Uint8Array {
  return trimmed(kept.length === 0 ? last : Buffer.concat([...kept, last]))
}

/** Without blanks around it, and without a byte order mark before it. */
export function trimmed<B extends Uint8Array>(bytes: B): B {
  let from = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  let to = bytes.length
  while (from < to && isBlank(bytes[from])) from++
  while (to > from && isBlank(bytes[to - 1])) to--
  return bytes.subarray(from, to) as B
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === NEWLINE || byte === 0x0d || byte === 0x09
}
