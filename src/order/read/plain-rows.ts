const QUOTE = 0x22
const LINE_FEED = 0x0a
const RETURN = '\r'

/** A row of a table of text. */
export interface CsvRow {
  readonly cells: readonly string[]
  /** Bytes of the input from the end of the previous row: blank lines between are part of it. */
  readonly start: number
  readonly end: number
  /** Whether a cell is not plain text and so may be damaged. */
  readonly isUnusual?: boolean
}

/** How the lines of a table end. */
export type LineEnd = '\n' | '\r\n'

/** Longer lines may be rows that are too long. */
const LONGEST_LINE = 64 * 1024

/**
 * The line end of a table, from its first line.
 *
 * @param start the beginning of the rows
 * @returns `undefined` if quotes may hide it, or if the line has another end, or none yet
 */
export function detectPlainLineEnd(start: string): LineEnd | undefined {
  const [, line = '', end] = /^([^\r\n]*)(\r?\n)/.exec(start) ?? []
  return line.includes('"') ? undefined : (end as LineEnd | undefined)
}

/** The separators of rows without quotes. */
export interface PlainForm {
  readonly delimiter: string
  readonly lineEnd: LineEnd
}

/** Rows that were read, and where the last of them ends. */
interface PlainRows {
  readonly rows: CsvRow[]
  readonly end: number
}

/**
 * Reads complete rows without quotes, far faster than a parser that checks each byte: a line is a row, and delimiters
 * separate its cells. Empty lines are part of the row after them.
 *
 * @param bytes UTF-8 from the beginning of a row
 * @param start of the bytes in the input
 * @returns `undefined` if a parser is needed
 */
export function readPlainRows(
  bytes: Buffer,
  start: number,
  {delimiter, lineEnd}: PlainForm,
): PlainRows | undefined {
  const whole = bytes.subarray(0, bytes.lastIndexOf(LINE_FEED) + 1)
  if (whole.includes(QUOTE)) return undefined
  const text = whole.toString('utf8')
  const isAscii = text.length === whole.length
  const rows: CsvRow[] = []
  let read = 0
  let end = start
  let lineEndsAt = start
  for (let next = text.indexOf('\n'); next >= 0; next = text.indexOf('\n', read)) {
    const contentEnd = next + 1 - lineEnd.length
    const line = text.slice(read, contentEnd)
    if (line.length > LONGEST_LINE || line.includes(RETURN) || !text.startsWith(lineEnd, contentEnd))
      return undefined
    lineEndsAt += isAscii ? next + 1 - read : Buffer.byteLength(line) + lineEnd.length
    read = next + 1
    if (line === '') continue
    rows.push({cells: line.split(delimiter), start: end, end: lineEndsAt})
    end = lineEndsAt
  }
  return {rows, end}
}
