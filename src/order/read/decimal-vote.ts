import {type DecimalMark, MARKS, parseCellNumber} from '../draft/cell-values.js'
import type {OrderColumn} from '../draft/columns.js'
import type {CsvRow} from './plain-rows.js'

/** Rows that show how a table writes numbers. */
const MOST_ROWS = 1000

/** Tells by the first rows of a table whether all its numbers are written with one mark that the contract does not take. */
export class DecimalVote {
  readonly #marks = new Set<DecimalMark>(MARKS)
  readonly #cells: readonly {readonly at: number; readonly path: string}[]
  /** The first cell that the contract does not take. */
  #strange: {readonly at: number; readonly path: string} | undefined
  #rows = 0

  constructor(columns: readonly (OrderColumn | undefined)[]) {
    this.#cells = columns.flatMap((column, at) =>
      column?.holds === 'decimal' ? [{at, path: column.path}] : [],
    )
  }

  add({cells}: CsvRow): void {
    if (++this.#rows > MOST_ROWS) return
    for (const each of this.#cells) {
      const cell = cells[each.at] ?? ''
      if (/^\d*$/.test(cell)) continue
      const readable = MARKS.filter(mark => parseCellNumber(cell, mark))
      if (readable.length === 0) continue
      for (const mark of MARKS) if (!readable.includes(mark)) this.#marks.delete(mark)
      if (!/^\d+\.\d+$/.test(cell)) this.#strange ??= each
    }
  }

  decide() {
    const [mark, other] = this.#marks
    if (!this.#strange || mark === undefined || other !== undefined) return undefined
    const {at, path} = this.#strange
    const example = mark === 'comma' ? '1.234,50 €' : '$1,234.50'
    return {at, field: path, message: `numbers are written like ${example}: add --decimal ${mark}`}
  }
}
