import type {OrderInput, SourceSpan} from '../draft/draft.js'
import {decodeInput} from '../draft/text-encoding.js'
import {detectLineEnd} from '../read/quotes.js'

/** A place in the text of an input; both count from 1, columns in characters. */
export interface SourcePosition {
  readonly line: number
  readonly column: number
}

/** A longer range is not searched; its beginning is then the position. */
const LONGEST_BYTES = 2 * 1024 * 1024
const LINE_FEED = 0x0a

/**
 * Finds the lines and columns of positions by reading the input again, up to the last of them.
 *
 * @returns in the order of the positions
 */
export async function locate(input: OrderInput, spans: readonly SourceSpan[]): Promise<SourcePosition[]> {
  const ends = [...new Set(spans.map(({start}) => start))].sort((a, b) => a - b)
  const ranges = new Map<number, LocatedRange>()
  for (const span of spans) {
    const known = ranges.get(span.start)
    if (!known || known.end < span.end) ranges.set(span.start, new LocatedRange(span.start, span.end))
  }
  const waiting = ends.map(start => ranges.get(start) as LocatedRange)
  const lineEnd = String.fromCharCode(await fill(waiting, input))
  return spans.map(span => (ranges.get(span.start) as LocatedRange).locateSpan(span, lineEnd))
}

/** A part of the input: its bytes, and where its first line begins. */
class LocatedRange {
  line = 1
  /** Of the line that it begins in, so that columns can be counted. */
  lineStart: Buffer = Buffer.alloc(0)
  readonly bytes: Buffer[] = []

  constructor(
    readonly start: number,
    readonly end: number,
  ) {}

  locateSpan(span: SourceSpan, lineEnd: string): SourcePosition {
    const isLong = this.end - this.start > LONGEST_BYTES
    const text = isLong ? '' : Buffer.concat(this.bytes).toString('utf8', 0, span.end - span.start)
    const before = this.lineStart.toString('utf8') + text.slice(0, span.locateIn(text))
    const lines = before.split(lineEnd)
    return {line: this.line + lines.length - 1, column: [...(lines.at(-1) ?? '')].length + 1}
  }
}

/** @returns the byte that ends lines, as the beginning of the input shows */
async function fill(ranges: readonly LocatedRange[], input: OrderInput): Promise<number> {
  let next = 0
  let open: LocatedRange[] = []
  let offset = 0
  let line = 1
  let tail: Buffer = Buffer.alloc(0)
  let lineEnd = LINE_FEED
  for await (const piece of decodeInput(input)) {
    if (offset === 0) lineEnd = detectLineEnd(piece)
    let counted = 0
    for (let range = ranges[next]; range && range.start <= offset + piece.length; range = ranges[++next]) {
      const before = piece.subarray(counted, range.start - offset)
      ;[line, tail] = countPassed(line, tail, before, lineEnd)
      counted += before.length
      range.line = line
      range.lineStart = tail
      open.push(range)
    }
    for (const range of open) range.bytes.push(intersectRange(range, piece, offset))
    ;[line, tail] = countPassed(line, tail, piece.subarray(counted), lineEnd)
    offset += piece.length
    open = open.filter(({end}) => end > offset)
    if (open.length === 0 && next >= ranges.length) break
  }
  return lineEnd
}

/** The line of the next byte, and the text before it in that line. */
function countPassed(line: number, tail: Buffer, bytes: Buffer, lineEnd: number): [number, Buffer] {
  let count = line
  let from = 0
  for (let at = bytes.indexOf(lineEnd); at >= 0; at = bytes.indexOf(lineEnd, from)) {
    count++
    from = at + 1
  }
  const rest = bytes.subarray(from)
  if (count > line) return [count, rest]
  return [count, tail.length + rest.length > LONGEST_BYTES ? tail : Buffer.concat([tail, rest])]
}

function intersectRange({start, end}: LocatedRange, piece: Buffer, offset: number): Buffer {
  if (end - start > LONGEST_BYTES) return Buffer.alloc(0)
  return piece.subarray(Math.max(0, start - offset), Math.max(0, end - offset))
}
