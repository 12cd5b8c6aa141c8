import {Recent} from '../draft/byte-window.js'
import {detectDelimiter} from '../draft/header-line.js'
import {type CsvRow, detectPlainLineEnd, type LineEnd, readPlainRows} from './plain-rows.js'
import {findBadQuote, findLineStart, findNextRow} from './quotes.js'

/** A row that cannot be read. */
export interface CsvBroken {
  readonly message: string
  /** Its largest possible range, in bytes of the input. */
  readonly start: number
  readonly end: number
  /** The position of the mistake in its text, UTF-16 units from 0. */
  locateIn(text: string): number
  /** The start of the next certain row; `undefined` if none is found, and reading ends. */
  readonly readOn: number | undefined
}

export interface Dialect {
  /** Delimiter of cells. */
  readonly delimiter: string
  /** Bytes before the header: a line like `sep=;`, and skipped lines. */
  readonly skip: number
}

/** Bytes that are examined to recognize the layout of a table. */
const START_BYTES = 64 * 1024

/**
 * The layout of a table, from its header: the delimiter that is most frequent outside quotes, or the one that a line
 * `sep=;` names.
 *
 * @param start the beginning of the input, with its complete header if possible
 * @param skipRows lines above the header
 */
function detectDialect(start: Buffer, skipRows: number): Dialect {
  const [line = '', named] = /^"?sep=(.)"?\r?\n/.exec(start.toString('utf8', 0, 16)) ?? []
  const skip = Math.max(Buffer.byteLength(line), findLineStart(start, skipRows))
  return {delimiter: named ?? detectDelimiter(start.toString('utf8', skip, skip + START_BYTES)), skip}
}

export interface RowBatch {
  readonly rows: readonly CsvRow[]
  readonly dialect: Dialect
}

export function isBroken(batch: RowBatch | CsvBroken): batch is CsvBroken {
  return 'message' in batch
}

/**
 * The rows of a table, header included; rows without any content are left out.
 *
 * @param pieces UTF-8 without a byte order mark
 * @param skipRows lines above the header
 * @returns rows in batches, and between them those that cannot be read
 * @see RFC 4180
 */
export async function* readCsvRows(
  pieces: AsyncIterable<Buffer>,
  skipRows = 0,
): AsyncGenerator<RowBatch | CsvBroken> {
  const {parse} = await import('csv-parse')
  const reader = new RowReader(parse, skipRows)
  for await (const piece of hideFormulaQuotes(pieces)) {
    yield* reader.read(piece)
    if (reader.isOver) return
  }
  yield* reader.end()
}

/** Replaces the quotes of `="01069"`, by which programs store a number as text: one byte, so that positions stay. */
export const FORMULA_QUOTE = '\x0e'
/** In a quoted cell, quotes inside would be doubled. */
const FORMULA = /(?<=^|[,;|\t\r\n])="([^"\r\n]+)"(?=[,;|\t\r\n]|$)/g

/** Pieces of whole lines, so that no such cell is cut. */
async function* hideFormulaQuotes(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const piece of pieces) {
    const bytes = Buffer.concat([rest, piece])
    const lineStart = bytes.lastIndexOf('\n') + 1
    const end = bytes.length - lineStart < LONGEST_ROW ? lineStart : bytes.length
    rest = bytes.subarray(end)
    if (end > 0) yield hideIn(bytes.subarray(0, end))
  }
  if (rest.length > 0) yield hideIn(rest)
}

function hideIn(bytes: Buffer): Buffer {
  if (!bytes.includes('="')) return bytes
  const hide = `=${FORMULA_QUOTE}$1${FORMULA_QUOTE}`
  return Buffer.from(bytes.toString('latin1').replace(FORMULA, hide), 'latin1')
}

type Parse = typeof import('csv-parse').parse

class RowReader {
  isOver = false
  #dialect: Dialect | undefined
  /** Unknown if the first line does not show it. */
  #lineEnd: LineEnd | undefined
  /** Absent while rows are plain. */
  #parser: ReturnType<Parse> | undefined
  #rows: CsvRow[] = []
  /** Of the row before. */
  #end = 0
  /** Cells of the header. */
  #width = 0
  #error: (Error & {code?: string}) | undefined
  #brokenRows = 0
  /** Bytes that may have to be read again. */
  readonly #recent = new Recent()

  constructor(
    private readonly parse: Parse,
    private readonly skipRows: number,
  ) {}

  async *read(piece: Buffer): AsyncGenerator<RowBatch | CsvBroken> {
    if (!this.#dialect) {
      this.#dialect = detectDialect(piece, this.skipRows)
      this.#end = this.#dialect.skip
      this.#lineEnd = detectPlainLineEnd(piece.toString('utf8', this.#end, this.#end + START_BYTES))
    }
    this.#recent.add(piece)
    if (!this.#error) {
      if (!this.#readPlain()) await this.#feedParser()
      yield* this.#readBatch()
    }
    while (this.#error) {
      const broken = this.#readBrokenRow(false)
      if (broken === 'wait') return
      yield* this.#resumeAfter(broken)
      if (this.isOver) return
      await this.#write(this.#recent.sliceFrom(this.#end))
      yield* this.#readBatch()
    }
    this.#recent.forget(this.#end)
  }

  async *end(): AsyncGenerator<RowBatch | CsvBroken> {
    if (this.#dialect && !this.#parser) await this.#feedParser()
    while (this.#parser) {
      if (!this.#error) await waitForEnd(this.#parser)
      yield* this.#readBatch()
      if (!this.#error) return
      yield* this.#resumeAfter(this.#readBrokenRow(true) as CsvBroken)
      if (this.isOver) return
      await this.#write(this.#recent.sliceFrom(this.#end))
    }
  }

  /** @returns whether the complete rows are plain, so that no parser is needed */
  #readPlain(): boolean {
    const {delimiter} = this.#dialect as Dialect
    if (!this.#lineEnd || delimiter.charCodeAt(0) >= BEYOND_ASCII) return false
    const found = readPlainRows(this.#recent.sliceFrom(this.#end), this.#end, {
      delimiter,
      lineEnd: this.#lineEnd,
    })
    if (!found || (found.rows.length === 0 && this.#recent.sliceFrom(this.#end).length > LONGEST_ROW))
      return false
    // It may have begun with the row that is now complete.
    this.#parser = undefined
    this.#rows.push(...found.rows.filter(({cells}) => cells.some(isFilled)))
    this.#end = found.end
    return true
  }

  async #feedParser(): Promise<void> {
    if (this.#parser) return this.#write(this.#recent.sliceNewest(this.#end))
    this.#open(this.#end, this.#lineEnd)
    return this.#write(this.#recent.sliceFrom(this.#end))
  }

  #open(start: number, lineEnd?: LineEnd): void {
    this.#end = start
    this.#error = undefined
    const parser = this.parse({
      ...(lineEnd ? {record_delimiter: lineEnd} : {}),
      delimiter: this.#dialect?.delimiter ?? ',',
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: LONGEST_ROW,
      on_record: (cells: string[], {bytes}: {bytes: number}) => {
        const end = start + bytes
        if (cells.some(isFilled)) this.#rows.push({cells, start: this.#end, end})
        this.#end = end
        return null
      },
    })
    parser.on('error', error => {
      this.#error = error
    })
    this.#parser = parser.resume()
  }

  async #write(bytes: Buffer): Promise<void> {
    const error = await writePiece(this.#parser as NodeJS.WritableStream, bytes)
    this.#error ??= error
  }

  *#readBatch(): Generator<RowBatch> {
    const rows = this.#rows
    if (rows.length === 0) return
    this.#rows = []
    this.#width ||= rows[0]?.cells.length ?? 0
    yield {rows, dialect: this.#dialect as Dialect}
  }

  /** @returns `wait` if the bytes read do not show yet where the next row begins */
  #readBrokenRow(isLast: boolean): CsvBroken | 'wait' {
    const {delimiter} = this.#dialect as Dialect
    const bytes = this.#recent.sliceFrom(this.#end)
    const isHopeless = this.#width === 0 || this.#brokenRows >= MOST_BROKEN || bytes.length > FARTHEST
    const found = isHopeless ? undefined : findNextRow(bytes, this.#width, delimiter, isLast)
    if (found === undefined && !isHopeless && !isLast) return 'wait'
    const start = this.#end
    return {
      message: explainCsvError(this.#error as Error),
      start,
      end: start + Math.min(found ?? bytes.length, LONGEST_ROW),
      locateIn: text => findBadQuote(text, delimiter),
      readOn: found === undefined ? undefined : start + found,
    }
  }

  *#resumeAfter(broken: CsvBroken): Generator<CsvBroken> {
    this.#brokenRows++
    yield broken
    if (broken.readOn === undefined) this.isOver = true
    else this.#open(broken.readOn)
  }
}

const BEYOND_ASCII = 0x80

const isFilled = (cell: string): boolean => cell !== '' && cell.trim() !== ''

/** Most unreadable rows before the rest of the table is skipped. */
const MOST_BROKEN = 100

/** How far to search for the next row, in bytes. */
const FARTHEST = 4 * 1024 * 1024

/** Characters; a thousand times the length of a normal row. */
const LONGEST_ROW = 1024 * 1024

/** Resolves when the rows of the piece have been found, or when one cannot be read, to the reason. */
function writePiece(parser: NodeJS.WritableStream, piece: Buffer): Promise<Error | undefined> {
  return new Promise(resolve => {
    parser.write(piece, error => resolve(error ?? undefined))
  })
}

function waitForEnd(parser: NodeJS.EventEmitter & {end(): unknown}): Promise<void> {
  return new Promise(resolve => {
    parser.once('end', resolve).once('error', () => resolve())
    parser.end()
  })
}

function explainCsvError(error: Error & {code?: string}): string {
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'unclosed quote'
    case 'CSV_INVALID_CLOSING_QUOTE':
      return 'text after the closing quote of a cell; double a quote inside a cell'
    case 'INVALID_OPENING_QUOTE':
      return 'quote in an unquoted cell: quote the whole cell and double the quote'
    case 'CSV_MAX_RECORD_SIZE':
      return 'this row is longer than 1 MiB; it may contain an unclosed quote'
    default:
      return `this row cannot be read: ${error.message}`
  }
}
