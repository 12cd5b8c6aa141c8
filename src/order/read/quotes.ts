const LINE_FEED = 0x0a
const RETURN = 0x0d

/** The text of a row from a position outside quotes. */
interface Walked {
  /** Cells that were begun. */
  readonly cells: number
  /** Of the quote that makes it unreadable, UTF-16 units from 0; `undefined` if it is readable. */
  readonly badQuote: number | undefined
}

/**
 * Where the next certain row begins: a line with as many cells as the header. This is a guess: a line inside a quoted
 * cell may look like a row, which costs a wrong error in a file that must be corrected anyway. Otherwise one quote would
 * hide the rest of the file.
 *
 * @param bytes from the beginning of the broken row
 * @param width cells of the header
 * @param isLast whether nothing comes after the bytes
 * @returns bytes from there; `undefined` if none was found
 */
export function findNextRow(
  bytes: Buffer,
  width: number,
  delimiter: string,
  isLast: boolean,
): number | undefined {
  const lineEnd = detectLineEnd(bytes)
  let from = findLineAfter(bytes, findContentStart(bytes), lineEnd)
  while (from < bytes.length) {
    const behind = findLineAfter(bytes, from, lineEnd)
    if (!isLast && bytes[behind - 1] !== lineEnd) return undefined
    const line = bytes.toString('utf8', from, behind).replace(/(?<![\r\n])[\r\n]+$/, '')
    if (isRow(line, width, delimiter)) return from
    from = behind
  }
  return undefined
}

/** A line whose own quotes are wrong is a broken row by itself, if its delimiters show that it is complete. */
function isRow(line: string, width: number, delimiter: string): boolean {
  const {cells, badQuote} = walkQuotes(line, delimiter)
  return line !== '' && (badQuote === undefined ? cells : line.split(delimiter).length) === width
}

/** The position of the quote that makes a row unreadable: one that is opened or closed too early. */
export function findBadQuote(text: string, delimiter: string): number {
  const start = /^[\r\n]*/.exec(text)?.[0].length ?? 0
  return walkQuotes(text, delimiter, start).badQuote ?? start
}

function walkQuotes(text: string, delimiter: string, start = 0): Walked {
  let cells = 1
  let cellStart = start
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === delimiter) {
      cells++
      cellStart = at + 1
    } else if (character === '\n' || character === '\r') cellStart = at + 1
    else if (character === '"') {
      const {closing, badQuote} = at === cellStart ? walkQuotedCell(text, at, delimiter) : {badQuote: at}
      if (closing === undefined) return {cells, badQuote}
      at = closing
    }
  }
  return {cells, badQuote: undefined}
}

/** The quote that closes a cell, or the one that makes it unreadable. */
function walkQuotedCell(text: string, opening: number, delimiter: string) {
  const closing = findClosingQuote(text, opening)
  if (closing === undefined) return {badQuote: opening}
  if (endsCell(text[closing + 1], delimiter)) return {closing}
  const isLater = /[\r\n]/.test(text.slice(opening, closing))
  return {badQuote: isLater ? opening : closing}
}

/** Whether a cell in quotes may end before the character; `undefined` is the end of the text. */
function endsCell(character: string | undefined, delimiter: string): boolean {
  return character === undefined || character === delimiter || character === '\r' || character === '\n'
}

function findClosingQuote(text: string, opening: number): number | undefined {
  for (let at = text.indexOf('"', opening + 1); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at
  }
  return undefined
}

/** Where a line begins, counted from 0; the end of the bytes if they have fewer lines. */
export function findLineStart(bytes: Buffer, line: number): number {
  const lineEnd = line > 0 ? detectLineEnd(bytes) : LINE_FEED
  let from = 0
  for (let passed = 0; passed < line && from < bytes.length; passed++)
    from = findLineAfter(bytes, from, lineEnd)
  return from
}

/** After the blank lines at the start of a row. */
function findContentStart(bytes: Buffer): number {
  let at = 0
  while (bytes[at] === LINE_FEED || bytes[at] === RETURN) at++
  return at
}

/** Some programs end lines as the first Macintosh did. */
export function detectLineEnd(bytes: Buffer): number {
  return bytes.includes(LINE_FEED) || !bytes.includes(RETURN) ? LINE_FEED : RETURN
}

function findLineAfter(bytes: Buffer, from: number, lineEnd: number): number {
  const end = bytes.indexOf(lineEnd, from)
  return end < 0 ? bytes.length : end + 1
}
