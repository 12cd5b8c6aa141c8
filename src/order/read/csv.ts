import {type Column, columnsOf} from './columns.js'
import {CsvSource, cellPlace} from './csv-source.js'
import type {Breakage, Draft} from './draft.js'
import {CsvBroken, type CsvRow, csvRows, type Dialect} from './rows.js'

/**
 * The orders of a table: a row is a line of an order, rows of one reference stand together.
 *
 * A header that cannot be understood is the only draft then: nothing below it would make sense.
 *
 * @param pieces UTF-8 without a byte order mark
 * @see fulfillment-order.md "In bulk"
 */
export async function* csvDrafts(pieces: AsyncIterable<Buffer>): AsyncGenerator<Draft[]> {
  let table: Table | undefined
  for await (const batch of csvRows(pieces)) {
    if (batch instanceof CsvBroken) {
      yield [...(table?.finish() ?? []), brokenDraft(batch)]
      return
    }
    const {rows, dialect} = batch
    const drafts: Draft[] = []
    for (const row of rows) {
      if (table) drafts.push(...table.take(row))
      else {
        const header = headerOf(row, dialect)
        if ('faulty' in header) {
          yield [header.faulty]
          return
        }
        table = new Table(header.columns, dialect)
      }
    }
    if (drafts.length > 0) yield drafts
  }
  const rest = table?.finish() ?? []
  if (rest.length > 0) yield rest
}

function headerOf(row: CsvRow, dialect: Dialect): {columns: (Column | undefined)[]} | {faulty: Draft} {
  const {columns, faults} = columnsOf(row.cells)
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
  const source = {spot: () => spot, fieldAt: () => ''}
  return {order: undefined, body: () => '', source, broken: [{spot, field: '', message}]}
}

/** Gathers the rows of one order after the other. */
class Table {
  #rows: CsvRow[] = []
  #reference = ''
  readonly #referenceAt: number

  constructor(
    private readonly columns: readonly (Column | undefined)[],
    private readonly dialect: Dialect,
  ) {
    this.#referenceAt = columns.findIndex(column => column?.path === 'reference')
  }

  /** The order that ends before this row, if one does. */
  take(row: CsvRow): Draft[] {
    const reference = row.cells[this.#referenceAt] ?? ''
    const belongs = this.#rows.length > 0 && reference === this.#reference && reference !== ''
    const ended = belongs ? [] : this.finish()
    this.#rows.push(row)
    this.#reference = reference
    return ended
  }

  finish(): Draft[] {
    const rows = this.#rows
    if (rows.length === 0) return []
    this.#rows = []
    const source = new CsvSource(rows, this.columns, this.dialect)
    const broken = [...this.#wrongLengths(rows, source), ...this.#disagreements(rows, source)]
    if (broken.length > 0) return [{order: undefined, body: () => '', source, broken}]
    const order = this.#orderOf(rows)
    return [{order, body: () => JSON.stringify(order), source}]
  }

  #orderOf(rows: readonly CsvRow[]): Record<string, unknown> {
    const order: Record<string, unknown> = {}
    const lines = rows.map(() => ({}))
    for (const [at, column] of this.columns.entries()) {
      if (!column) continue
      const targets = column.belongsTo === 'order' ? [order] : lines
      for (const [index, target] of targets.entries()) {
        const cell = rows[index]?.cells[at] ?? ''
        if (cell !== '') place(target, column.keys, column.read(cell))
      }
    }
    return {...order, lines}
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
      this.columns.flatMap((column, at) => {
        const value = row.cells[at]
        if (column?.belongsTo !== 'order' || value === first?.cells[at]) return []
        const message = `differs from the first row of the same order, which says ${JSON.stringify(first?.cells[at])}`
        return [{spot: source.cell(index + 1, at), field: column.path, message, value}]
      }),
    )
  }
}

function place(target: Record<string, unknown>, keys: readonly string[], value: unknown): void {
  let inner = target
  for (const key of keys.slice(0, -1)) {
    if (!Object.hasOwn(inner, key)) inner[key] = {}
    inner = inner[key] as Record<string, unknown>
  }
  const last = keys.at(-1) as string
  Object.defineProperty(inner, last, {value, enumerable: true, writable: true, configurable: true})
}
