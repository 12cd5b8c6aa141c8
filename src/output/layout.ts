import {omitWords, pick, type Row, type View} from './view.js'

/** What a format needs to know of the place it prints to. */
export interface Layout {
  readonly view: View
  /** Paths asked for with `--fields`; `undefined` means the view's own columns, or the whole row in JSON. */
  readonly fields: readonly string[] | undefined
  /** Width of the terminal, `undefined` for unlimited. */
  readonly columns: number | undefined
  /** CSV leaves text that looks like a formula as it is. */
  readonly csvRaw?: boolean | undefined
  /** CSV and TSV begin with the first row. */
  readonly noHeader?: boolean | undefined
  /** CSV begins with a byte order mark. */
  readonly bom?: boolean | undefined
  /** Set where a person reads a table on a terminal. */
  readonly forEyes?: ForEyes | undefined
}

/** How a table is shown to a person. */
export interface ForEyes {
  /** Times are shown by their age at this time; in full where it is `undefined`. */
  readonly now: Date | undefined
  readonly hasColor: boolean
}

/** Rows as JSON that need not be parsed, one comma between two. @see JsonRows */
export interface UnparsedRows {
  readonly bytes: Uint8Array
  readonly count: number
  /** Where a row begins in `bytes`. @param row from 0 */
  startOf(row: number): number
  endOf(row: number): number
  /** Each row on a line of its own; may be called once. */
  toLines(): Uint8Array[]
  /** The rows with commas between them. */
  list(): Uint8Array
}

/** Turns rows into text, a piece at a time. Each piece ends with a line feed. */
export interface RowWriter {
  /** What comes before the first row. */
  begin(): string
  formatRow(formatRow: Row): string
  /** Rows that need not be parsed, in pieces; absent where the format has to look into them. */
  formatJson?(rows: UnparsedRows): (string | Uint8Array)[]
  /** The rows that are held back; absent where none are. */
  pause?(): string
  /** What comes after the last row. */
  end(): string
}

/** The row as JSON and YAML print it. */
export function pickFields(row: Row, {fields, view}: Layout): Row {
  return fields ? pick(row, fields) : omitWords(row, view)
}
