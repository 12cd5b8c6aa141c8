import {type OrderColumn, setNested} from '../draft/columns.js'
import type {Draft, ParseError} from '../draft/draft.js'
import type {Columns, Header} from '../draft/header.js'
import {findDamage} from './cell-damage.js'
import type {Dialect} from './csv-rows.js'
import {buildCellSpan, buildColumnPath, CsvSource} from './csv-source.js'
import type {CsvRow} from './plain-rows.js'

interface Cell {
  readonly at: number
  readonly column: OrderColumn
}

/** Gathers the rows of one order after the other. */
export class Table {
  #rows: CsvRow[] = []
  #reference = ''
  readonly #columns: readonly (OrderColumn | undefined)[]
  readonly #unnamed: readonly number[]
  readonly #referenceAt: number
  readonly #ofOrder: readonly Cell[]
  readonly #ofLine: readonly Cell[]
  readonly #cells: readonly Cell[]
  /** Objects that every order has, so that what is missing is named by its column. */
  readonly #parents: readonly string[]
  /** Cells that a row needs at least: programs leave out empty ones at its end. */
  readonly #fewest: number
  /** Whether rows of one reference are lines of one order. */
  readonly #isGrouped: boolean
  readonly #isHidden: Draft['isHidden']

  constructor(
    {columns, unnamed, faults}: Header,
    private readonly lines: Columns['lines'],
    private readonly dialect: Dialect,
  ) {
    this.#columns = columns
    this.#unnamed = unnamed
    this.#referenceAt = columns.findIndex(column => column?.path === 'reference')
    const cells = columns.flatMap((column, at) => (column ? [{at, column}] : []))
    this.#ofOrder = cells.filter(({column}) => column.belongsTo === 'order')
    this.#ofLine = cells.filter(({column}) => column.belongsTo === 'line')
    this.#cells = cells
    const nested = this.#ofOrder.filter(({column}) => column.isRequired && column.keys.length > 1)
    this.#parents = [...new Set(nested.map(({column}) => column.keys[0] as string))]
    this.#fewest = (cells.at(-1)?.at ?? -1) + 1
    this.#isGrouped = lines === 'always' || (lines === 'maybe' && this.#ofLine.length > 0)
    this.#isHidden = faults.length > 0 ? pointer => !this.#hasColumnFor(pointer) : undefined
  }

  /** The order that ends before this row, if one does. */
  take(row: CsvRow): Draft | undefined {
    const reference = row.cells[this.#referenceAt] ?? ''
    const belongs =
      this.#isGrouped && this.#rows.length > 0 && reference === this.#reference && reference !== ''
    const ended = belongs ? undefined : this.finish()
    this.#rows.push(row)
    this.#reference = reference
    return ended
  }

  /** The order whose rows were gathered, if there are any. */
  finish(): Draft | undefined {
    const rows = this.#rows
    if (rows.length === 0) return undefined
    this.#rows = []
    const whole = rows.every(row => this.#fits(row)) ? rows : rows.filter(row => this.#fits(row))
    const broken = whole === rows ? [] : this.#findWrongLengths(rows)
    if (this.#unnamed.length > 0) broken.push(...this.#findStrayRows(whole))
    const [first] = whole
    const source = new CsvSource(first ? whole : rows, this.#columns, this.dialect)
    if (!first) return {order: undefined, renderBody: () => '', source, broken}
    if (whole.length > 1) broken.push(...this.#findDisagreements(whole))
    const order = this.#fillOrder(this.#ofOrder, first)
    for (const parent of this.#parents) order[parent] ??= {}
    this.#addLines(order, whole)
    for (const [at, row] of whole.entries()) if (row.isUnusual) this.#addDamaged(row, at, broken)
    const renderBody = () => JSON.stringify(order)
    if (broken.length === 0 && !this.#isHidden) return {order, renderBody, source}
    return {order, renderBody, source, broken, ...(this.#isHidden && {isHidden: this.#isHidden})}
  }

  #addLines(order: Record<string, unknown>, rows: readonly CsvRow[]): void {
    if (!this.#isGrouped) return
    const lines = rows.map(row => this.#fillOrder(this.#ofLine, row))
    if (this.lines === 'always' || lines.some(line => Object.keys(line).length > 0)) order.lines = lines
  }

  /** Empty cells say nothing. */
  #fillOrder(cells: readonly Cell[], row: CsvRow): Record<string, unknown> {
    const object: Record<string, unknown> = {}
    for (const {at, column} of cells) {
      const cell = row.cells[at]
      if (cell === undefined || cell === '') continue
      setNested(object, column.keys, column.read(cell))
    }
    return object
  }

  #fits({cells}: CsvRow): boolean {
    const wanted = this.#columns.length
    if (cells.length === wanted) return true
    if (cells.length < wanted) return cells.length >= this.#fewest
    for (let at = wanted; at < cells.length; at++) if (cells[at] !== '') return false
    return true
  }

  #findWrongLengths(rows: readonly CsvRow[]): ParseError[] {
    const wanted = this.#columns.length
    const describeWrongLength = (row: CsvRow) => {
      const {length} = row.cells
      const hint =
        length > wanted ? `; a cell that holds ${nameDelimiter(this.dialect.delimiter)} needs quotes` : ''
      const message = `this row has ${length} cells, and the header has ${wanted}${hint}`
      return {span: buildCellSpan(row, 0, this.dialect), field: '', message}
    }
    return rows.filter(row => !this.#fits(row)).map(describeWrongLength)
  }

  #findStrayRows(rows: readonly CsvRow[]): ParseError[] {
    return rows.flatMap(row =>
      this.#unnamed.flatMap(at => {
        const value = row.cells[at]?.trim() ?? ''
        const message = 'its column has no name in the header'
        return value === '' ? [] : [{span: buildCellSpan(row, at, this.dialect), field: '', message, value}]
      }),
    )
  }

  #findDisagreements([first, ...others]: readonly CsvRow[]): ParseError[] {
    return others.flatMap(row =>
      this.#ofOrder.flatMap(({at, column}) => {
        const value = row.cells[at]
        if (value === first?.cells[at]) return []
        const message = `differs from the first row of the same order (${JSON.stringify(first?.cells[at])})`
        return [{span: buildCellSpan(row, at, this.dialect), field: column.path, message, value}]
      }),
    )
  }

  #addDamaged(row: CsvRow, index: number, broken: ParseError[]): void {
    for (const {at, column} of this.#cells) {
      const value = row.cells[at] ?? ''
      const message = findDamage(value, column)
      if (message === undefined) continue
      const {belongsTo, path, keys} = column
      if (belongsTo === 'order' && index > 0) continue
      const pointer = `/${[...(belongsTo === 'line' ? ['lines', index] : []), ...keys].join('/')}`
      const span = buildCellSpan(row, at, this.dialect)
      broken.push({span, field: path, message, value, pointer})
    }
  }

  #hasColumnFor(pointer: string): boolean {
    const path = buildColumnPath(pointer)
    const isList = path === '' || path === 'lines' || path === 'line'
    return (
      isList || this.#columns.some(column => column?.path === path || column?.path.startsWith(`${path}.`))
    )
  }
}

function nameDelimiter(delimiter: string): string {
  return delimiter === '\t' ? 'a tab' : JSON.stringify(delimiter)
}
