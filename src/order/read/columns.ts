import {nearest} from '../../nearest.js'
import {ORDER, type Rule, type Shape} from '../../wire/fulfillment-order/rules.js'

/** What a column fills: a field of the order, or of the line that the row is. */
export interface Column {
  /** As in the contract: `shipTo.name`, `line.sku`. */
  readonly path: string
  readonly belongsTo: 'order' | 'line'
  /** Names inside the order or the line: `['shipTo', 'name']`. */
  readonly keys: readonly string[]
  /** A cell's text as the field takes it; text that does not fit stays text, and is then found wrong. */
  readonly read: (cell: string) => unknown
}

/** A mistake in the header; `at` counts columns from 0, `undefined` when one is missing. */
export interface HeaderFault {
  readonly at: number | undefined
  readonly name: string
  readonly message: string
}

/**
 * What the columns of a header mean. Columns that begin with `_error` are passed over.
 *
 * @param names the cells of the header line
 * @returns one entry a cell, `undefined` for those that are passed over
 * @see fulfillment-order.md "In bulk"
 */
export function columnsOf(names: readonly string[]): {
  columns: (Column | undefined)[]
  faults: HeaderFault[]
} {
  const known = knownColumns()
  const faults: HeaderFault[] = []
  const seen = new Set<string>()
  const columns = names.map((cell, at) => {
    const name = cell.trim()
    if (name.startsWith('_error')) return undefined
    const column = known.get(name) ?? customField(name)
    if (!column) faults.push({at, name, message: unknownColumn(name, known)})
    else if (seen.has(name)) faults.push({at, name, message: 'stands in the header twice'})
    seen.add(name)
    return column
  })
  for (const name of REQUIRED) {
    if (!seen.has(name)) faults.push({at: undefined, name, message: 'is missing: there is no such column'})
  }
  return {columns, faults}
}

/** Without these columns no row can be an order. */
const REQUIRED = [...requiredPaths(ORDER, 'order', [])]

const CUSTOM = 'customFields.'

/** The header of a table with every column. @returns paths, in the order of the contract */
export function allColumns(): string[] {
  return [...knownColumns().keys()]
}

function knownColumns(): Map<string, Column> {
  return new Map([...leaves(ORDER, 'order', [])].map(column => [column.path, column]))
}

function* leaves(shape: Shape, belongsTo: Column['belongsTo'], keys: readonly string[]): Generator<Column> {
  for (const [name, rule] of Object.entries(shape.members)) {
    if (name === 'customFields') continue
    if (rule.kind === 'list') yield* leaves(rule.each, 'line', [])
    else if (rule.kind === 'object') yield* leaves(rule, belongsTo, [...keys, name])
    else yield column(belongsTo, [...keys, name])
  }
}

function* requiredPaths(
  shape: Shape,
  belongsTo: Column['belongsTo'],
  keys: readonly string[],
): Generator<string> {
  for (const [name, rule] of Object.entries(shape.members) as [string, Rule][]) {
    if (!rule.required) continue
    if (rule.kind === 'list') yield* requiredPaths(rule.each, 'line', [])
    else if (rule.kind === 'object') yield* requiredPaths(rule, belongsTo, [...keys, name])
    else yield pathTo(belongsTo, [...keys, name])
  }
}

function column(belongsTo: Column['belongsTo'], keys: readonly string[]): Column {
  const path = pathTo(belongsTo, keys)
  return {path, belongsTo, keys, read: READERS[path] ?? asIs}
}

function pathTo(belongsTo: Column['belongsTo'], keys: readonly string[]): string {
  return (belongsTo === 'line' ? ['line', ...keys] : keys).join('.')
}

/** Any other name below `customFields` is the caller's own; what it holds is text. */
function customField(name: string): Column | undefined {
  if (!name.startsWith(CUSTOM) || name === CUSTOM) return undefined
  return {path: name, belongsTo: 'order', keys: ['customFields', name.slice(CUSTOM.length)], read: asIs}
}

const asIs = (cell: string): unknown => cell

const READERS: Readonly<Record<string, (cell: string) => unknown>> = {
  'line.quantity': cell => (/^\d{1,15}$/.test(cell) ? Number(cell) : cell),
  hold: cell => ({true: true, false: false})[cell.toLowerCase()] ?? cell,
}

function unknownColumn(name: string, known: ReadonlyMap<string, Column>): string {
  const candidates = [...known.keys()]
  const alike = name.replace(/^lines?(\[\])?\./i, 'line.')
  const meant = nearest(alike, candidates) ?? candidates.find(each => each.endsWith(`.${name}`))
  return meant === undefined ? 'is no field of an order' : `is no field; did you mean ${meant}?`
}
