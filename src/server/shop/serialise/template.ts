/** A row of a page, its values in the order of the page's columns. */
export type Row = readonly unknown[]

/** A piece of JSON: the same in every row, or written anew for each. */
export type Piece = string | ((row: Row) => string)

/** Writes rows of one kind. */
export type RowWriter = (row: Row) => string

/**
 * Joins pieces into a writer. What is the same in every row is put together once, so that a row costs its values and
 * nothing else.
 */
export function template(pieces: readonly Piece[]): RowWriter {
  const literals: string[] = ['']
  const writers: ((row: Row) => string)[] = []
  for (const piece of pieces) {
    if (typeof piece === 'string') literals[literals.length - 1] += piece
    else {
      writers.push(piece)
      literals.push('')
    }
  }
  const [start = '', ...ends] = literals
  return row => {
    let text = start
    for (let index = 0; index < writers.length; index++) {
      text += (writers[index] as (row: Row) => string)(row) + ends[index]
    }
    return text
  }
}

/** Members of a JSON object with commas between them; none at all gives `[]`, as an empty PHP array does. */
export function members(list: readonly (readonly [name: string, ...value: Piece[]])[]): Piece[] {
  if (list.length === 0) return ['[]']
  const pieces = list.flatMap(([name, ...value], index) => [`${index === 0 ? '{' : ','}"${name}":`, ...value])
  return [...pieces, '}']
}
