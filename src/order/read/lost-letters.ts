import type {OrderColumn} from '../draft/columns.js'
import type {ParseError} from '../draft/draft.js'
import {WAY_OUT} from './cell-damage.js'
import type {Dialect} from './csv-rows.js'
import {buildCellSpan} from './csv-source.js'
import type {CsvRow} from './plain-rows.js'

/** Most names kept until the end of a table shows whether they are right. */
const MOST = 1000
const MESSAGE = `has a question mark for a letter: letters beyond ASCII were lost${WAY_OUT}`

/** Finds names with question marks for letters, in a table without any letter beyond ASCII. */
export class LostLetters {
  #found: ParseError[] | undefined = []

  constructor(
    private readonly columns: readonly (OrderColumn | undefined)[],
    private readonly dialect: Dialect,
  ) {}

  /** @param row the header too, and each row whose cells are not all plain */
  look(row: CsvRow): void {
    if (!this.#found) return
    if (row.cells.some(cell => /(?![A-Za-z])\p{L}/u.test(cell))) this.#found = undefined
    else if (this.#found.length < MOST) this.#found.push(...this.#listLost(row))
  }

  /** The findings of the rows so far: a thousand of them, or a few more. */
  list(): readonly ParseError[] {
    return this.#found ?? []
  }

  #listLost(row: CsvRow): ParseError[] {
    return this.columns.flatMap((column, at) => {
      const value = row.cells[at] ?? ''
      if (!column || !LOST.test(value) || !isName(column)) return []
      return [{span: buildCellSpan(row, at, this.dialect), field: column.path, message: MESSAGE, value}]
    })
  }
}

/** A question mark inside a word, or for all letters of one. */
const LOST = /\p{L}\?+\p{L}|(?:^|\s)\?{3,}(?:[\s.,]|$)|^\?\?$/u

/** Whether a column contains a person's, a street's or a city's name. */
function isName({belongsTo, keys}: OrderColumn): boolean {
  const name = keys.at(-1) ?? ''
  return belongsTo === 'order' && /^(?:(?:first|last|full|given|family)?name|street|city)$/i.test(name)
}
