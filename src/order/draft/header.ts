import {findNearest} from '../../language/nearest-word.js'
import {ORDER_SHAPE} from '../../wire/fulfillment-order/field-rules.js'
import {findField, findNearestField, hasLines, mapColumns, type OrderColumn} from './columns.js'

/** A mistake in the header; `at` counts columns from 0, `undefined` when one is missing. */
export interface HeaderFault {
  readonly at: number | undefined
  readonly name: string
  readonly message: string
}

/** What a header may hold. */
export interface Columns {
  readonly known: ReadonlyMap<string, OrderColumn>
  /** Fields by the names that the columns of this table have instead; `-` for a column that is passed over. */
  readonly renamed: ReadonlyMap<string, string>
  /** Fields that no column has to fill. */
  readonly filled: ReadonlySet<string>
  /** Whether an order has a list that its rows fill: always, if it likes to, or none. */
  readonly lines: 'always' | 'maybe' | 'none'
}

/** What the columns of a table mean. */
export interface Header {
  /** One entry a cell, `undefined` for those that are passed over, or cannot be used. */
  readonly columns: readonly (OrderColumn | undefined)[]
  /** Columns without a name, from 0, which have to be empty. */
  readonly unnamed: readonly number[]
  readonly faults: readonly HeaderFault[]
}

/** A column of this name is passed over. */
export const PASSED_OVER = '-'

/** The columns of our own contract, under their own names. */
export function listContractColumns(): Columns {
  return {known: mapColumns(ORDER_SHAPE), renamed: new Map(), filled: new Set(), lines: hasLines(ORDER_SHAPE)}
}

/**
 * What the cells of a header line mean. Columns that begin with `_error` are passed over, and spreadsheet programs leave
 * columns behind that have neither a name nor anything in them.
 *
 * @see fulfillment-order.md "In bulk"
 */
export function readHeader(names: readonly string[], given: Columns = listContractColumns()): Header {
  const reading = new HeaderReading(names, given)
  const cells = names.map((cell, at) => reading.readColumn(cell.trim(), at))
  const {twice, unnamed} = reading
  const columns = cells.map(column => (column && twice.has(column.path) ? undefined : column))
  return {columns, unnamed, faults: reading.listFaults()}
}

class HeaderReading {
  readonly unnamed: number[] = []
  readonly twice = new Set<string>()
  readonly #faults: HeaderFault[] = []
  readonly #seen = new Set<string>()
  readonly #used = new Set<string>()
  /** Fields that the name of a column which is none comes near to. */
  readonly #meant = new Set<string>()

  constructor(
    private readonly names: readonly string[],
    private readonly given: Columns,
  ) {}

  readColumn(name: string, at: number): OrderColumn | undefined {
    const {known} = this.given
    if (name === '') this.unnamed.push(at)
    if (name === '' || name.startsWith('_error')) return undefined
    const field = this.#findRenamed(name) ?? name
    if (field === PASSED_OVER && field !== name) return undefined
    const column = findField(field, known)
    if (!column) {
      const meant = findNearestField(name, known)
      if (meant !== undefined) this.#meant.add(meant)
      this.#faults.push({at, name, message: createUnknownColumnFault(meant)})
    } else if (this.#seen.has(column.path)) {
      this.twice.add(column.path)
      this.#faults.push({at, name, message: 'appears twice in the header'})
    }
    if (column) this.#seen.add(column.path)
    return column
  }

  listFaults(): HeaderFault[] {
    const {renamed, known, filled} = this.given
    for (const name of renamed.keys()) {
      if (!this.#used.has(name))
        this.#faults.push({at: undefined, name, message: createMissingColumnFault(name, this.names)})
    }
    for (const {path, isRequired} of known.values()) {
      if (isRequired && !this.#seen.has(path) && !filled.has(path) && !this.#meant.has(path))
        this.#faults.push({at: undefined, name: path, message: 'required column missing'})
    }
    return this.#faults
  }

  /** The field that `--map` names for a column: of the same name, else of one in other capitals. */
  #findRenamed(name: string): string | undefined {
    const {renamed} = this.given
    const lower = name.toLowerCase()
    const key = renamed.has(name) ? name : [...renamed.keys()].find(each => each.toLowerCase() === lower)
    if (key === undefined) return undefined
    this.#used.add(key)
    return renamed.get(key)
  }
}

function createUnknownColumnFault(meant: string | undefined): string {
  return meant === undefined ? 'unknown column' : `unknown column; did you mean ${meant}?`
}

function createMissingColumnFault(name: string, names: readonly string[]): string {
  const meant = findNearest(name, names)
  const hint = meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`
  return `is in --map, but not in the file${hint}`
}
