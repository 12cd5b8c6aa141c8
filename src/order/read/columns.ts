import {nearest} from '../../nearest.js'
import {ORDER, type Shape} from '../../wire/fulfillment-order/rules.js'

/** What a column fills: a field of the order, or of the line that the row is. */
export interface Column {
  /** As in the contract: `shipTo.name`, `line.sku`. */
  readonly path: string
  readonly belongsTo: 'order' | 'line'
  /** Names inside the order or the line: `['shipTo', 'name']`. */
  readonly keys: readonly string[]
  /** Without it no row can be an order. */
  readonly isRequired: boolean
  /** A cell's text as the field takes it; text that does not fit stays text, and is then found wrong. */
  readonly read: (cell: string) => unknown
}

/** A mistake in the header; `at` counts columns from 0, `undefined` when one is missing. */
export interface HeaderFault {
  readonly at: number | undefined
  readonly name: string
  readonly message: string
}

/** What a header may hold. */
export interface Columns {
  readonly known: ReadonlyMap<string, Column>
  /** Fields by the names that the columns of this table have instead; `-` for a column that is passed over. */
  readonly renamed: ReadonlyMap<string, string>
  /** Fields that no column has to fill. */
  readonly filled: ReadonlySet<string>
}

/** A column of this name is passed over. */
export const PASSED_OVER = '-'

/**
 * What the columns of a header mean. Columns that begin with `_error` are passed over.
 *
 * @param names the cells of the header line
 * @returns one entry a cell, `undefined` for those that are passed over
 * @see fulfillment-order.md "In bulk"
 */
export function columnsOf(
  names: readonly string[],
  {known, renamed, filled}: Columns = contractColumns(),
): {columns: (Column | undefined)[]; faults: HeaderFault[]} {
  const faults: HeaderFault[] = []
  const seen = new Set<string>()
  const used = new Set<string>()
  const columns = names.map((cell, at) => {
    const name = cell.trim()
    if (name.startsWith('_error')) return undefined
    used.add(name)
    const field = renamed.get(name) ?? name
    if (field === PASSED_OVER && renamed.has(name)) return undefined
    const column = fieldNamed(field, known)
    if (!column) faults.push({at, name, message: unknownColumn(name, known)})
    else if (seen.has(field)) faults.push({at, name, message: 'stands in the header twice'})
    seen.add(field)
    return column
  })
  for (const name of renamed.keys()) {
    if (!used.has(name)) faults.push({at: undefined, name, message: notThere(name, names)})
  }
  for (const {path, isRequired} of known.values()) {
    if (isRequired && !seen.has(path) && !filled.has(path))
      faults.push({at: undefined, name: path, message: 'is missing: there is no such column'})
  }
  return {columns, faults}
}

const CUSTOM = 'customFields.'

/** The header of a table with every column. @returns paths, in the order of the contract */
export function allColumns(): string[] {
  return [...knownColumns(ORDER).keys()]
}

/** The columns of our own contract, under their own names. */
export function contractColumns(): Columns {
  return {known: knownColumns(ORDER), renamed: new Map(), filled: new Set()}
}

/** The columns that fill the fields of an order, in the order of the fields. */
export function knownColumns(shape: Shape): Map<string, Column> {
  return new Map([...leaves(shape, 'order', [], true)].map(column => [column.path, column]))
}

/** The field of this name, which may be a custom one. */
export function fieldNamed(name: string, known: ReadonlyMap<string, Column>): Column | undefined {
  return known.get(name) ?? customField(name)
}

/** The list that the rows of one order fill. */
const LINES = 'lines'

function* leaves(
  shape: Shape,
  belongsTo: Column['belongsTo'],
  keys: readonly string[],
  isNeeded: boolean,
): Generator<Column> {
  for (const [name, rule] of Object.entries(shape.members)) {
    const isRequired = isNeeded && rule.required
    const path = [...keys, name]
    if (name === 'customFields') continue
    if (rule.kind === 'list') {
      if (belongsTo === 'order' && path.join('.') === LINES) yield* leaves(rule.each, 'line', [], isRequired)
    } else if (rule.kind === 'object') yield* leaves(rule, belongsTo, path, isRequired)
    else {
      const full = (belongsTo === 'line' ? ['line', ...path] : path).join('.')
      yield {path: full, belongsTo, keys: path, isRequired, read: rule.read ?? asIs}
    }
  }
}

/** Any other name below `customFields` is the caller's own; what it holds is text. */
function customField(name: string): Column | undefined {
  if (!name.startsWith(CUSTOM) || name === CUSTOM) return undefined
  const keys = ['customFields', name.slice(CUSTOM.length)]
  return {path: name, belongsTo: 'order', keys, isRequired: false, read: asIs}
}

const asIs = (cell: string): unknown => cell

function unknownColumn(name: string, known: ReadonlyMap<string, Column>): string {
  const meant = fieldMeant(name, known)
  return meant === undefined ? 'is no field of an order' : `is no field; did you mean ${meant}?`
}

/** The field that a mistyped name most likely meant. */
export function fieldMeant(name: string, known: ReadonlyMap<string, Column>): string | undefined {
  const candidates = [...known.keys()]
  const alike = name.replace(/^lines?(\[\d*\])?\./i, 'line.')
  return nearest(alike, candidates) ?? candidates.find(each => each.endsWith(`.${name}`))
}

function notThere(name: string, names: readonly string[]): string {
  const meant = nearest(name, names)
  const hint = meant === undefined ? '' : `; did you mean ${JSON.stringify(meant)}?`
  return `is named by --map, and there is no such column${hint}`
}
