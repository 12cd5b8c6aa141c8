import {type DecimalMark, isSignOf, parseCellNumber} from '../draft/cell-values.js'
import {type OrderColumn, setNested} from '../draft/columns.js'
import type {Draft, ParseError} from '../draft/draft.js'
import type {Columns, Header} from '../draft/header.js'
import {findDamage} from './cell-damage.js'
import type {Dialect} from './csv-rows.js'
import {buildCellSpan, buildColumnPath, CsvSource, createInputDraft} from './csv-source.js'
import {DecimalVote} from './decimal-vote.js'
import {createOddRowTest} from './odd-rows.js'
import type {CsvRow} from './plain-rows.js'

interface Cell {
  readonly at: number
  readonly column: OrderColumn
}

/** Groups rows into orders. */
export class Table {
  #rows: CsvRow[] = []
  #reference = ''
  readonly #referenceAt: number
  readonly #ofOrder: readonly Cell[]
  readonly #ofLine: readonly Cell[]
  /** Those that have a column. */
  readonly #cells: readonly Cell[]
  /** Objects that every order has, so that missing values are reported by column. */
  readonly #parents: readonly string[]
  /** Fewest cells of a row: programs leave out empty ones at its end. */
  readonly #fewest: number
  /** Whether rows of one reference are lines of one order. */
  readonly #isGrouped: boolean
  readonly #isHidden: Draft['isHidden']
  /** Whether a cell may be damaged. */
  #isDoubtful = false
  readonly #describeOdd: ReturnType<typeof createOddRowTest>
  readonly #vote: DecimalVote | undefined
  /** Whether a sign means a currency, by sign and code. */
  readonly #signs = new Map<string, boolean>()

  constructor(
    private readonly header: Header & {readonly row: CsvRow},
    private readonly known: Columns,
    private readonly dialect: Dialect,
    private readonly decimal: DecimalMark | undefined,
  ) {
    const {columns, faults} = header
    const {lines} = known
    this.#referenceAt = columns.findIndex(column => column?.path === 'reference')
    const cells = columns.flatMap((column, at) => (column ? [{at, column}] : []))
    this.#ofOrder = cells.filter(({column}) => column.belongsTo === 'order')
    this.#ofLine = cells.filter(({column}) => column.belongsTo === 'line')
    this.#cells = cells
    this.#describeOdd = createOddRowTest(header)
    this.#vote = decimal === undefined ? new DecimalVote(columns) : undefined
    const nested = this.#ofOrder.filter(({column}) => column.isRequired && column.keys.length > 1)
    this.#parents = [...new Set(nested.map(({column}) => column.keys[0] as string))]
    this.#fewest = Math.max(0, ...cells.map(({at}) => at + 1))
    this.#isGrouped = lines === 'always' || (lines === 'maybe' && this.#ofLine.length > 0)
    this.#isHidden = faults.length > 0 ? pointer => !this.#hasColumnFor(pointer) : undefined
  }

  /** The order that ends before this row, if any; or the errors of a row that is not part of an order. */
  take(given: CsvRow): Draft | undefined {
    const row = this.header.joined.size > 0 ? joinCells(given, this.header.joined) : given
    const odd = this.#describeOdd(row)
    if (odd !== undefined) {
      return createInputDraft(this.#describeCell(row, 0, {message: odd}))
    }
    this.#vote?.add(row)
    const reference = row.cells[this.#referenceAt] ?? ''
    const belongs =
      this.#isGrouped && this.#rows.length > 0 && reference === this.#reference && reference !== ''
    const ended = belongs ? undefined : this.finish()
    this.#rows.push(row)
    this.#reference = reference
    return ended
  }

  /** The order of the rows collected so far, if any. */
  finish(): Draft | undefined {
    const rows = this.#rows
    if (rows.length === 0) return undefined
    this.#rows = []
    const whole = rows.every(row => this.#fits(row)) ? rows : rows.filter(row => this.#fits(row))
    const broken = whole === rows ? [] : this.#findWrongLengths(rows)
    if (this.header.unnamed.length > 0) broken.push(...this.#findStrayRows(whole))
    const [first] = whole
    const source = new CsvSource(first ? whole : rows, this.header.columns, this.dialect, this.#isGrouped)
    if (!first) return {order: undefined, renderBody: () => '', source, broken}
    if (whole.length > 1) broken.push(...this.#findDisagreements(whole))
    const order = this.#fillOrder(this.#ofOrder, first)
    for (const parent of this.#parents) order[parent] ??= {}
    this.#addLines(order, whole)
    const isDoubtful = this.#isDoubtful
    this.#isDoubtful = false
    for (const [at, row] of whole.entries())
      if (row.isUnusual || isDoubtful) this.#addDamaged(row, at, broken)
    const renderBody = () => JSON.stringify(order)
    const warnings = this.#findSameRows(whole)
    return {
      ...{order, renderBody, source, warnings, isHidden: this.#isHidden},
      broken: broken.length > 0 ? broken : undefined,
    }
  }

  /** The error if all rows so far write numbers in another way than the chosen one. */
  listDecimalFaults(): ParseError[] {
    const found = this.#vote?.decide()
    return found ? [this.#describeCell(this.header.row, found.at, found)] : []
  }

  #addLines(order: Record<string, unknown>, rows: readonly CsvRow[]): void {
    if (!this.#isGrouped) return
    const lines = rows.map(row => this.#fillOrder(this.#ofLine, row))
    if (this.known.lines === 'always' || lines.some(line => Object.keys(line).length > 0)) order.lines = lines
  }

  /** Empty cells are ignored. */
  #fillOrder(cells: readonly Cell[], row: CsvRow): Record<string, unknown> {
    const object: Record<string, unknown> = {}
    for (const {at, column} of cells) {
      const cell = row.cells[at]
      if (cell === undefined || cell === '') continue
      if (this.#findDoubt(column, cell, row) !== undefined) this.#isDoubtful = true
      setNested(object, column.keys, column.read(this.#readNumber(column, cell)))
    }
    return object
  }

  #fits({cells}: CsvRow): boolean {
    const wanted = this.header.columns.length
    if (cells.length === wanted) return true
    if (cells.length < wanted) return cells.length >= this.#fewest
    for (let at = wanted; at < cells.length; at++) if (cells[at] !== '') return false
    return true
  }

  #findWrongLengths(rows: readonly CsvRow[]): ParseError[] {
    const wanted = this.header.columns.length
    const describeWrongLength = (row: CsvRow) => {
      const {length} = row.cells
      const hint =
        length > wanted ? `; a cell that holds ${nameDelimiter(this.dialect.delimiter)} needs quotes` : ''
      const message = `this row has ${length} ${length === 1 ? 'cell' : 'cells'}, and the header has ${wanted}${hint}`
      return this.#describeCell(row, 0, {message})
    }
    return rows.filter(row => !this.#fits(row)).map(describeWrongLength)
  }

  #findStrayRows(rows: readonly CsvRow[]): ParseError[] {
    return rows.flatMap(row =>
      this.header.unnamed.flatMap(at => {
        const value = row.cells[at]?.trim() ?? ''
        const message = 'its column has no name in the header'
        return value === '' ? [] : [this.#describeCell(row, at, {message, value})]
      }),
    )
  }

  #findDisagreements([first, ...others]: readonly CsvRow[]): ParseError[] {
    return others.flatMap(row =>
      this.#ofOrder.flatMap(({at, column}) => {
        const value = row.cells[at]
        if (value === first?.cells[at] || value === undefined || value === '') return []
        const message = `differs from the first row of the same order (${JSON.stringify(first?.cells[at])})`
        return [this.#describeCell(row, at, {field: column.path, message, value})]
      }),
    )
  }

  /** Equal lines of an order may be intended, or a row that was copied twice. */
  #findSameRows(rows: readonly CsvRow[]): readonly ParseError[] {
    if (rows.length === 1 || !this.#isGrouped) return NONE
    const seen = new Map<string, CsvRow>()
    return rows.flatMap(row => {
      let text = ''
      for (const {at} of this.#ofLine) text += `${row.cells[at] ?? ''}\0`
      const first = seen.get(text)
      if (!first) seen.set(text, row)
      if (!first) return []
      return [this.#describeCell(row, 0, {other: buildCellSpan(first, 0, this.dialect), message: SAME_ROW})]
    })
  }

  #readNumber({holds, isText}: OrderColumn, cell: string): string {
    const parsed = this.decimal && holds === 'decimal' ? parseCellNumber(cell, this.decimal) : undefined
    if (!parsed) return cell
    return isText ? parsed.number : parsed.number.replace(/\.0+$/, '')
  }

  /** Why the text of a cell may be damaged. */
  #findDoubt({holds, path}: OrderColumn, cell: string, row: CsvRow): string | undefined {
    if (path === 'line.sku' ? holdsItems(cell) : path === 'line.quantity' && QUANTITIES.test(cell))
      return ITEMS_IN_CELL
    if (holds !== 'decimal' || this.decimal === undefined) return undefined
    const parsed = parseCellNumber(cell, this.decimal)
    if (!parsed) return `is not a number with a decimal ${this.decimal}, as --decimal says`
    if (parsed.currency === '') return undefined
    const sibling = `${path.slice(0, path.lastIndexOf('.') + 1)}currency`
    const at = this.header.columns.findIndex(column => column?.path === sibling)
    const currency = this.known.filled.get(sibling) ?? row.cells[at]
    if (typeof currency !== 'string' || currency === '') return undefined
    return this.#isSign(parsed.currency, currency) ? undefined : `is not in ${currency}`
  }

  #isSign(sign: string, currency: string): boolean {
    const key = `${sign} ${currency}`
    const found = this.#signs.get(key) ?? isSignOf(sign, currency)
    this.#signs.set(key, found)
    return found
  }

  #addDamaged(row: CsvRow, index: number, broken: ParseError[]): void {
    for (const {at, column} of this.#cells) {
      const value = row.cells[at] ?? ''
      const damage = row.isUnusual ? findDamage(value, column) : undefined
      const message = damage ?? (value === '' ? undefined : this.#findDoubt(column, value, row))
      if (message === undefined) continue
      const {belongsTo, path, keys} = column
      if (belongsTo === 'order' && index > 0) continue
      const pointer = `/${[...(belongsTo === 'line' ? ['lines', index] : []), ...keys].join('/')}`
      broken.push(this.#describeCell(row, at, {field: path, message, value, pointer}))
    }
  }

  #describeCell(row: CsvRow, at: number, rest: Partial<ParseError> & {readonly message: string}): ParseError {
    return {span: buildCellSpan(row, at, this.dialect), field: '', ...rest}
  }

  #hasColumnFor(pointer: string): boolean {
    const path = buildColumnPath(pointer)
    const isList = path === '' || path === 'lines' || path === 'line'
    return (
      isList ||
      this.header.columns.some(column => column?.path === path || column?.path.startsWith(`${path}.`))
    )
  }
}

/** A value of several cells is stored in the first of them. */
function joinCells(row: CsvRow, joined: Header['joined']): CsvRow {
  const cells = [...row.cells]
  for (const [first, ats] of joined) {
    const texts = ats.map(at => row.cells[at]?.trim() ?? '')
    if (first < cells.length) cells[first] = texts.filter(text => text !== '').join(' ')
  }
  return {...row, cells}
}

const NONE: readonly ParseError[] = []

const SAME_ROW = 'is the same item again as in another row of its order'

/** `1;2` */
const QUANTITIES = /^\d+[;|/\r\n][\d;|/\s]*\d$/

/** `2x MUG, 1x SHIRT`, or JSON. */
function holdsItems(cell: string): boolean {
  if (/^\[?\{"/.test(cell)) return true
  return /[,;|/+\r\n]/.test(cell) && (cell.match(/\d ?[x×] ?[A-Z]/gi)?.length ?? 0) > 1
}

const ITEMS_IN_CELL =
  'holds several items, which is not supported: write a row for each, with the reference of its order'

function nameDelimiter(delimiter: string): string {
  return delimiter === '\t' ? 'a tab' : JSON.stringify(delimiter)
}
