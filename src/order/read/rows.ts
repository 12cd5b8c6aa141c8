/** A row of a table of text. */
export interface CsvRow {
  readonly cells: readonly string[]
  /** Bytes of the input from the end of the row before: blank lines in between are part of it. */
  readonly start: number
  readonly end: number
}

/** A place from which the table cannot be read on. */
export class CsvBroken {
  constructor(
    readonly message: string,
    readonly start: number,
  ) {}
}

export interface Dialect {
  /** Between two cells. */
  readonly delimiter: string
  /** Bytes before the header: a line like `sep=;`. */
  readonly skip: number
}

const DELIMITERS = [',', ';', '\t', '|']

/**
 * How a table is written, as its first line tells: the delimiter that stands in it most often outside quotes, or the
 * one that a line `sep=;` names.
 *
 * @param start the beginning of the input, its first line whole where that is possible
 */
export function dialectOf(start: string): Dialect {
  const [, named, lineEnd] = /^"?sep=(.)"?(\r?\n)/.exec(start) ?? []
  if (named && lineEnd)
    return {delimiter: named, skip: Buffer.byteLength(start.slice(0, start.indexOf('\n') + 1))}
  const header = (/^(?:"(?:[^"]|"")*"|[^"\r\n])*/.exec(start)?.[0] ?? '').replace(/"(?:[^"]|"")*"/g, '')
  const [best = ','] = DELIMITERS.map(each => [each, header.split(each).length] as const)
    .sort((a, b) => b[1] - a[1])
    .map(([each]) => each)
  return {delimiter: best, skip: 0}
}

export interface RowBatch {
  readonly rows: readonly CsvRow[]
  readonly dialect: Dialect
}

/**
 * The rows of a table, header included; rows without any content are left out.
 *
 * @param pieces UTF-8 without a byte order mark
 * @returns rows in batches; a `CsvBroken` is the last
 * @see RFC 4180
 */
export async function* csvRows(pieces: AsyncIterable<Buffer>): AsyncGenerator<RowBatch | CsvBroken> {
  const {parse} = await import('csv-parse')
  let rows: CsvRow[] = []
  let previous = 0
  let dialect: Dialect = {delimiter: ',', skip: 0}
  let broken: CsvBroken | undefined
  const open = () => {
    const parser = parse({
      delimiter: dialect.delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: LONGEST_ROW,
      on_record: (cells: string[], {bytes}: {bytes: number}) => {
        const end = dialect.skip + bytes
        if (cells.some(cell => cell !== '')) rows.push({cells, start: previous, end})
        previous = end
        return null
      },
    })
    parser.on('error', error => {
      broken = new CsvBroken(explained(error as Error & {code?: string}), previous)
    })
    return parser.resume()
  }
  let parser: ReturnType<typeof open> | undefined
  for await (let piece of pieces) {
    if (!parser) {
      dialect = dialectOf(piece.toString('utf8', 0, 64 * 1024))
      previous = dialect.skip
      parser = open()
      piece = piece.subarray(dialect.skip)
    }
    await written(parser, piece)
    if (rows.length > 0) yield {rows, dialect}
    rows = []
    if (broken) break
  }
  if (parser && !broken) await ended(parser)
  if (rows.length > 0) yield {rows, dialect}
  if (broken) yield broken
}

/** Characters; a thousand times what an honest row needs. */
const LONGEST_ROW = 1024 * 1024

/** Resolves when the rows of the piece have been found, and also when one cannot be. */
function written(parser: NodeJS.WritableStream, piece: Buffer): Promise<void> {
  return new Promise(resolve => {
    parser.write(piece, () => resolve())
  })
}

function ended(parser: NodeJS.EventEmitter & {end(): unknown}): Promise<void> {
  return new Promise(resolve => {
    parser.once('end', resolve).once('error', () => resolve())
    parser.end()
  })
}

function explained(error: Error & {code?: string}): string {
  switch (error.code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'a quote is opened in this row and never closed'
    case 'CSV_INVALID_CLOSING_QUOTE':
      return 'a closing quote in this row is followed by something else than the end of the cell'
    case 'INVALID_OPENING_QUOTE':
      return 'a quote stands inside a cell of this row that does not begin with one'
    case 'CSV_MAX_RECORD_SIZE':
      return 'this row is longer than 1 MiB; a quote may be missing'
    default:
      return `the table cannot be read on from here: ${error.message}`
  }
}
