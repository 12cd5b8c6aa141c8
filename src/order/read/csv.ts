import {type Column, type Columns, columnsOf} from './columns.js'
import {CsvSource, cellPlace} from './csv-source.js'
import type {Breakage, Draft} from './draft.js'
import {place} from './place.js'
import {CsvBroken, type CsvRow, csvRows, type Dialect} from './rows.js'

/**
 * The orders of a table: a row is a line of an order, rows of one reference stand together.
 *
 * A header that cannot be understood is the only draft then: nothing below it would make sense.
 *
 * @param pieces UTF-8 without a byte order mark
 * @param known what the header may hold
 * @see fulfillment-order.md "In bulk"
 */
export async function* csvDrafts(pieces: AsyncIterable<Buffer>, known: Columns): AsyncGenerator<Draft[]> {
  let table: Table | undefined
  for await (const batch of csvRows(pieces)) {
    if (batch instanceof CsvBroken) {
      const last = table?.finish()
      yield [...(last ? [last] : []), brokenDraft(batch)]
      return
    }
    const {rows, dialect} = batch
    const drafts: Draft[] = []
    for (const row of rows) {
      if (table) {
        const draft = table.take(row)
        if (draft) drafts.push(draft)
      } else {
        const header = headerOf(row, dialect, known)
        if ('faulty' in header) {
          yield [header.faulty]
          return
        }
        table = new Table(header.columns, dialect)
      }
    }
    if (drafts.length > 0) yield drafts
  }
  const last = table?.finish()
  if (last) yield [last]
}

function headerOf(
  row: CsvRow,
  dialect: Dialect,
  known: Columns,
): {columns: (Column | undefined)[]} | {faulty: Draft} {
  const {columns, faults} = columnsOf(row.cells, known)
  if (faults.length === 0) return {columns}
  const source = new CsvSource([row], columns, dialect)
  const broken = faults.map(({at, name, message}) => {
    const within = (text: string) => cellPlace(text, at ?? 0, dialect.delimiter)
    return {spot: {start: row.start, end: row.end, within}, field: name, message}
  })
  return {faulty: {order: undefined, body: () => '', source, broken}}
}

function brokenDraft({message, start}: CsvBroken): Draft {
  const spot = {start, end: start + 1, within: () => 0}
  const source = {spot: () => spot, fieldAt: () => '', stretches: () => [spot]}
  return {order: undefined, body: () => '', source, broken: [{spot, field: '', message}]}
}

interface Cell {
  readonly at: number
  readonly column: Column
}

/** Gathers the rows of one order after the other. */
class Table {
  #rows: CsvRow[] = []
  #reference = ''
  readonly #referenceAt: number
  readonly #ofOrder: readonly Cell[]
  readonly #ofLine: readonly Cell[]

  constructor(
    private readonly columns: readonly (Column | undefined)[],
    private readonly dialect: Dialect,
  ) {
    this.#referenceAt = columns.findIndex(column => column?.path === 'reference')
    const cells = columns.flatMap((column, at) => (column ? [{at, column}] : []))
    this.#ofOrder = cells.filter(({column}) => column.belongsTo === 'order')
    this.#ofLine = cells.filter(({column}) => column.belongsTo === 'line')
  }

  /** The order that ends before this row, if one does. */
  take(row: CsvRow): Draft | undefined {
    const reference = row.cells[this.#referenceAt] ?? ''
    const belongs = this.#rows.length > 0 && reference === this.#reference && reference !== ''
    const ended = belongs ? undefined : this.finish()
    this.#rows.push(row)
    this.#reference = reference
    return ended
  }

  /** The order whose rows were gathered, if there are any. */
  finish(): Draft | undefined {
    const rows = this.#rows
    const [first] = rows
    if (!first) return undefined
    this.#rows = []
    const source = new CsvSource(rows, this.columns, this.dialect)
    const isUneven = rows.some(({cells}) => cells.length !== this.columns.length)
    const broken = isUneven ? this.#wrongLengths(rows, source) : []
    if (rows.length > 1) broken.push(...this.#disagreements(rows, source))
    if (broken.length > 0) return {order: undefined, body: () => '', source, broken}
    const order = filled(this.#ofOrder, first)
    order.lines = rows.map(row => filled(this.#ofLine, row))
    return {order, body: () => JSON.stringify(order), source}
  }

  #wrongLengths(rows: readonly CsvRow[], source: CsvSource): Breakage[] {
    const wanted = this.columns.length
    return rows.flatMap(({cells}, index) => {
      const extra = cells.slice(wanted).some(cell => cell !== '')
      if (cells.length >= wanted && !extra) return []
      const message = `this row has ${cells.length} cells, and the header has ${wanted}`
      return [{spot: source.cell(index, 0), field: '', message}]
    })
  }

  #disagreements([first, ...others]: readonly CsvRow[], source: CsvSource): Breakage[] {
    return others.flatMap((row, index) =>
      this.#ofOrder.flatMap(({at, column}) => {
        const value = row.cells[at]
        if (value === first?.cells[at]) return []
        const message = `differs from the first row of the same order, which says ${JSON.stringify(first?.cells[at])}`
        return [{spot: source.cell(index + 1, at), field: column.path, message, value}]
      }),
    )
  }
}

/** Empty cells say nothing. */
function filled(cells: readonly Cell[], row: CsvRow): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (const {at, column} of cells) {
    const cell = row.cells[at]
    if (cell !== undefined && cell !== '') place(object, column.keys, column.read(cell))
  }
  return object
}
