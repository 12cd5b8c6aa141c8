import {findNearest} from '../../language/nearest-word.js'
import {ORDER_SHAPE} from '../../wire/fulfillment-order/field-rules.js'
import {findField, findNearestField, hasLines, mapColumns, type OrderColumn} from './columns.js'

/** A mistake in the header; `at` counts columns from 0, `undefined` when one is missing. */
export interface HeaderFault {
  readonly at: number | undefined
  readonly name: string
  readonly message: string
}

/** What a header may contain. */
export interface Columns {
  readonly known: ReadonlyMap<string, OrderColumn>
  /** Fields by the names of this table's columns; `-` for an ignored column, `first+last` for two that fill one field. */
  readonly renamed: ReadonlyMap<string, string>
  /** Fields with fixed values, which need no column. */
  readonly filled: ReadonlyMap<string, unknown>
  /** Whether an order has a list that its rows fill: always, optionally, or never. */
  readonly lines: 'always' | 'maybe' | 'none'
}

/** The meaning of a table's columns. */
export interface Header {
  /** As written. */
  readonly names: readonly string[]
  /** One entry per cell, `undefined` for those that are ignored or unusable. */
  readonly columns: readonly (OrderColumn | undefined)[]
  /** Cells whose texts form one value, in order, by the first of them. */
  readonly joined: ReadonlyMap<number, readonly number[]>
  /** Columns without a name, from 0, which must be empty. */
  readonly unnamed: readonly number[]
  readonly faults: readonly HeaderFault[]
}

/** A column of this name is ignored. */
export const PASSED_OVER = '-'

/** The columns of our own contract, under their own names. */
export function listContractColumns(): Columns {
  return {known: mapColumns(ORDER_SHAPE), renamed: new Map(), filled: new Map(), lines: hasLines(ORDER_SHAPE)}
}

/**
 * The meaning of a header line's cells. Columns that begin with `_error` are ignored, and so are the columns without
 * name and content that spreadsheet programs leave behind.
 *
 * @see fulfillment-order.md "In bulk"
 */
export function readHeader(names: readonly string[], given: Columns = listContractColumns()): Header {
  const reading = new HeaderReading(names, given)
  const cells = names.map((cell, at) => reading.readColumn(cell.trim(), at))
  const {twice, unnamed, joined} = reading
  const columns = cells.map(column => (column && twice.has(column.path) ? undefined : column))
  return {names, columns, joined, unnamed, faults: reading.listFaults()}
}

const isSameName = (a: string, b: string) => a.trim().toLowerCase() === b.toLowerCase()

/** Names of unmapped columns that contain an item: `sku2`, `Item 1 price`, `line_items`. */
const ITEM = /item|sku|artikel|article|product|produkt|position|quantity|qty|menge/i
const ITEMS = /\d|items|products|produkte|^artikel$|positionen/i
const ITEMS_ELSEWHERE =
  'items in columns of their own, or in one cell, are not supported: write a row for each item, with the reference of its order'

class HeaderReading {
  readonly unnamed: number[] = []
  readonly twice = new Set<string>()
  readonly joined = new Map<number, readonly number[]>()
  #faults: HeaderFault[] = []
  /** Names of columns by the fields that they fill. */
  readonly #seen = new Map<string, string>()
  readonly #used = new Set<string>()
  readonly #renamed = new Map<string, string>()
  /** Fields that resemble the name of an unknown column. */
  readonly #meant = new Set<string>()

  constructor(
    private readonly names: readonly string[],
    private readonly given: Columns,
  ) {
    const find = (part: string) => names.findIndex(name => isSameName(name, part))
    for (const [name, field] of given.renamed) {
      const parts = find(name) < 0 ? name.split('+').map(part => part.trim()) : [name]
      const ats = parts.map(find).filter(at => at >= 0)
      const [first = 0] = ats
      if (ats.length > 1) this.joined.set(first, ats)
      for (const part of parts) this.#renamed.set(part, find(part) === first ? field : PASSED_OVER)
    }
  }

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
      return undefined
    }
    const first = this.#seen.get(column.path)
    if (first === undefined) this.#seen.set(column.path, name)
    else {
      this.twice.add(column.path)
      this.#faults.push({at, name, message: createTwiceFault(first, name, column)})
    }
    return column
  }

  listFaults(): HeaderFault[] {
    const {known, filled} = this.given
    this.#nameItems()
    for (const name of this.#renamed.keys()) {
      if (!this.#used.has(name))
        this.#faults.push({at: undefined, name, message: createMissingColumnFault(name, this.names)})
    }
    for (const {path, isRequired} of known.values()) {
      if (isRequired && !this.#seen.has(path) && !filled.has(path) && !this.#meant.has(path))
        this.#faults.push({at: undefined, name: path, message: 'required column missing'})
    }
    return this.#faults
  }

  /** The field that `--map` gives a column: by the same name, else ignoring case. */
  #findRenamed(name: string): string | undefined {
    const renamed = this.#renamed
    const key = renamed.has(name) ? name : [...renamed.keys()].find(each => isSameName(each, name))
    if (key === undefined) return undefined
    this.#used.add(key)
    return renamed.get(key)
  }

  /** If no column has the items' fields, and unknown ones look as if they did, one error covers all of them. */
  #nameItems(): void {
    const missing = [...this.given.known.values()].filter(
      ({path, belongsTo, isRequired}) => belongsTo === 'line' && isRequired && !this.#seen.has(path),
    )
    const isUnknown = ({name, message}: HeaderFault) => ITEM.test(name) && message.startsWith('unknown')
    const first = this.#faults.find(fault => isUnknown(fault) && ITEMS.test(fault.name))
    if (missing.length === 0 || !first) return
    for (const {path} of missing) this.#meant.add(path)
    const others = this.#faults.filter(fault => !isUnknown(fault))
    this.#faults = [...others, {...first, message: ITEMS_ELSEWHERE}]
  }
}

function createTwiceFault(first: string, name: string, {path, belongsTo}: OrderColumn): string {
  if (isSameName(first, name)) return 'appears twice in the header'
  if (belongsTo === 'line') return `two columns map to ${path}; ${ITEMS_ELSEWHERE}`
  return `two columns map to ${path}; join them by --map "${first}+${name}=${path}", or ignore one by --map "${name}=-"`
}

function createUnknownColumnFault(meant: string | undefined): string {
  return meant === undefined ? 'unknown column' : `unknown column; did you mean ${meant}?`
}

function createMissingColumnFault(name: string, names: readonly string[]): string {
  const meant = findNearest(name, names)
  const hint = meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`
  return `is in --map, but not in the file${hint}`
}
