/** A row of a page, with values in the order of the page's columns. */
export type PageRow = readonly unknown[]

/** A value of the row; null is written in the same way for all kinds. */
export interface ValuePiece {
  column: number
  encode(value: unknown): string
}

/** A piece of JSON: constant, a value of the row, or written by a function. */
export type TemplatePiece = string | ValuePiece | ((row: PageRow) => string)

/** Writes a row. */
export type PageRowWriter = (row: PageRow) => string

/** Most cached null patterns: rows have few different ones; further ones are built each time. */
const MOST_KEPT = 1000

/** Most columns for a null pattern in a number's safe bits. */
const MOST_COLUMNS = 52

/**
 * Compiles pieces to a writer. Constant text, including the nulls of each null pattern, is joined once, so that a row
 * costs only its non-null values.
 */
export function compileTemplate(pieces: readonly TemplatePiece[]): PageRowWriter {
  const columns = [...new Set(pieces.flatMap(piece => (typeof piece === 'object' ? [piece.column] : [])))]
  if (columns.length === 0 || columns.length > MOST_COLUMNS) return joinPieces(pieces)
  const kept = new Map<number, PageRowWriter>()
  return row => {
    let gaps = 0
    for (let at = 0; at < columns.length; at++) {
      gaps = gaps * 2 + (row[columns[at] as number] === null ? 1 : 0)
    }
    const known = kept.get(gaps)
    if (known) return known(row)
    const writer = joinPieces(pieces.map(piece => (isGap(piece, row) ? 'null' : piece)))
    if (kept.size < MOST_KEPT) kept.set(gaps, writer)
    return writer(row)
  }
}

function isGap(piece: TemplatePiece, row: PageRow): boolean {
  return typeof piece === 'object' && row[piece.column] === null
}

function joinPieces(pieces: readonly TemplatePiece[]): PageRowWriter {
  const literals: string[] = ['']
  const columns: number[] = []
  const encoders: ((value: never) => string)[] = []
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      literals[literals.length - 1] += piece
      continue
    }
    const isValue = typeof piece === 'object'
    columns.push(isValue ? piece.column : WHOLE_ROW)
    encoders.push(isValue ? piece.encode : piece)
    literals.push('')
  }
  const [start = '', ...ends] = literals
  return row => {
    let text = start
    for (let at = 0; at < encoders.length; at++) {
      const column = columns[at] as number
      const value = column === WHOLE_ROW ? row : row[column]
      text += (encoders[at] as (value: unknown) => string)(value) + ends[at]
    }
    return text
  }
}

const WHOLE_ROW = -1

/** Joins members to a JSON object; without any the result is `[]`, like an empty PHP array. */
export function joinMembers(
  list: readonly (readonly [name: string, ...value: TemplatePiece[]])[],
): TemplatePiece[] {
  if (list.length === 0) return ['[]']
  const pieces = list.flatMap(([name, ...value], index) => [`${index === 0 ? '{' : ','}"${name}":`, ...value])
  return [...pieces, '}']
}
