const NEWLINE = 0x0a

/** A piece of a file, and the line it begins on, from 1. */
export interface LineSlice {
  readonly bytes: Uint8Array
  readonly line: number
}

/** No event is longer; a piece that is, is cut off and will not be read as JSON. */
const LONGEST_SLICE = 64 * 1024 * 1024

/** Cuts bytes into lines, blank ones left out. A line's end belongs to no line. */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<LineSlice, void, void> {
  let kept: Uint8Array[] = []
  let keptBytes = 0
  let line = 1
  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      const bytes = joinTrimmed(kept, chunk.subarray(from, at))
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
  const bytes = joinTrimmed(kept, new Uint8Array())
  if (bytes.length > 0) yield {bytes, line}
}

function joinTrimmed(kept: readonly Uint8Array[], last: Uint8Array): Uint8Array {
  return trimBytes(kept.length === 0 ? last : Buffer.concat([...kept, last]))
}

/** Without blanks around it, and without a byte order mark before it. */
export function trimBytes<B extends Uint8Array>(bytes: B): B {
  let from = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  let to = bytes.length
  while (from < to && isBlank(bytes[from])) from++
  while (to > from && isBlank(bytes[to - 1])) to--
  return bytes.subarray(from, to) as B
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === NEWLINE || byte === 0x0d || byte === 0x09
}
