import {type DecimalMark, MARKS, parseCellNumber} from '../draft/cell-values.js'
import type {OrderColumn} from '../draft/columns.js'
import type {CsvRow} from './plain-rows.js'

/** Rows that show how a table writes numbers. */
const MOST_ROWS = 1000

/** Decides from the first rows of a table whether all numbers use a decimal mark that the contract does not take. */
export class DecimalVote {
  readonly #marks = new Set<DecimalMark>(MARKS)
  /** The first cell with that mark. */
  #strange: {readonly at: number; readonly field: string} | undefined
  #rows = 0

  constructor(private readonly columns: readonly (OrderColumn | undefined)[]) {}

  add({cells}: CsvRow): void {
    if (++this.#rows > MOST_ROWS) return
    for (const [at, column] of this.columns.entries()) {
      const cell = cells[at] ?? ''
      if (column?.holds !== 'decimal' || /^\d*$/.test(cell)) continue
      const readable = MARKS.filter(mark => parseCellNumber(cell, mark))
      if (readable.length === 0) continue
      for (const mark of MARKS) if (!readable.includes(mark)) this.#marks.delete(mark)
      if (!/^\d+\.\d+$/.test(cell)) this.#strange ??= {at, field: column.path}
    }
  }

  decide() {
    const [mark, other] = this.#marks
    if (!this.#strange || mark === undefined || other !== undefined) return undefined
    const example = mark === 'comma' ? '1.234,50 €' : '$1,234.50'
    return {...this.#strange, message: `numbers are written like ${example}: add --decimal ${mark}`}
  }
}
