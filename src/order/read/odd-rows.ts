import type {Header} from '../draft/header.js'
import type {CsvRow} from './plain-rows.js'

/** How a row begins that adds others up. */
const TOTAL =
  /^(?:(?:grand|sub|zwischen|gesamt)[ -]?)?(?:totale?s?|totaal|sum|summe|gesamt|insgesamt|suma|celkem|razem):?$/i

/** Tells rows that are no part of an order: the header once more, and sums. */
export class OddRows {
  readonly #names: readonly string[]
  readonly #referenceAt: number
  /** Cells of an order, its reference aside. */
  readonly #ofOrder: readonly number[]
  /** Cells that each line needs. */
  readonly #ofLine: readonly number[]

  constructor({names, columns}: Header) {
    const list = (belongsTo: 'order' | 'line') =>
      columns.flatMap((column, at) => (column?.belongsTo === belongsTo ? [{at, column}] : []))
    this.#names = names.map(name => name.trim().toLowerCase())
    this.#referenceAt = columns.findIndex(column => column?.path === 'reference')
    this.#ofOrder = list('order').flatMap(({at}) => (at === this.#referenceAt ? [] : [at]))
    this.#ofLine = list('line').flatMap(({at, column}) => (column.isRequired ? [at] : []))
  }

  /** What is wrong with a row that is no part of an order; `undefined` for one that is. */
  describe({cells}: CsvRow): string | undefined {
    const at = this.#referenceAt
    if (at < 0) return undefined
    const isName = (name: string, index: number) => cells[index]?.trim().toLowerCase() === name
    if (isName(this.#names[at] ?? '', at) && this.#names.every(isName))
      return 'this is the header once more: delete the line'
    // Asked for every row: nearly all of them have something of an order.
    const isBlank = (index: number) => (cells[index] ?? '').trim() === ''
    if (!this.#ofOrder.every(isBlank)) return undefined
    const reference = (cells[at] ?? '').trim()
    if (reference !== '' && !TOTAL.test(reference)) return undefined
    const isAlone = this.#ofOrder.length > 0 || this.#ofLine.some(isBlank)
    if (isAlone && cells.some(cell => TOTAL.test(cell.trim())))
      return 'this looks like a row of totals, and not like an order: delete the line'
    if (reference !== '' || this.#ofOrder.length === 0) return undefined
    return 'this row has no reference: write that of its order into each of its rows, and delete a row of totals'
  }
}
