import {findNearest} from '../../language/nearest-word.js'
import {type LeafRule, ORDER_SHAPE, type Shape} from '../../wire/fulfillment-order/field-rules.js'
import {readDateCell} from './cell-values.js'

/** The target of a column: a field of the order, or of the row's line. */
export interface OrderColumn {
  /** As in the contract: `shipTo.name`, `line.sku`. */
  readonly path: string
  readonly belongsTo: 'order' | 'line'
  /** Names inside the order or the line: `['shipTo', 'name']`. */
  readonly keys: readonly string[]
  /** Whether every order needs it. */
  readonly isRequired: boolean
  /** Whether a cell is taken unchanged. */
  readonly isText: boolean
  readonly holds?: LeafRule['holds']
  /** A cell's text as a value of the field; text that does not fit stays text, which the rules then refuse. */
  readonly read: (cell: string) => unknown
}

const CUSTOM = 'customFields.'
const CUSTOM_LOWER = CUSTOM.toLowerCase()

/** The header of a table with every column. @returns paths, in the order of the contract */
export function listOrderColumns(): string[] {
  return [...mapColumns(ORDER_SHAPE).keys()]
}

/** The columns that fill the fields of an order, in the order of the fields. */
export function mapColumns(shape: Shape): Map<string, OrderColumn> {
  return new Map([...listLeaves(shape, 'order', [], true)].map(column => [column.path, column]))
}

/**
 * The field of this name, which may be a custom one. Case is ignored if that leaves a single field: people write headers
 * as they like.
 */
export function findField(name: string, known: ReadonlyMap<string, OrderColumn>): OrderColumn | undefined {
  return known.get(name) ?? buildCustomColumn(name) ?? findByCapitals(name, known)
}

function findByCapitals(name: string, known: ReadonlyMap<string, OrderColumn>): OrderColumn | undefined {
  const lower = name.toLowerCase()
  const found = [...known.values()].filter(({path}) => path.toLowerCase() === lower)
  return found.length === 1 ? found[0] : undefined
}

/** The list that the rows of one order fill. */
const LINES = 'lines'

/** Whether orders of this shape have a list that the rows of a table fill. */
export function hasLines({members}: Shape): 'always' | 'maybe' | 'none' {
  const rule = Object.hasOwn(members, LINES) ? members[LINES] : undefined
  if (rule?.kind !== 'list') return 'none'
  return rule.required ? 'always' : 'maybe'
}

function* listLeaves(
  shape: Shape,
  belongsTo: OrderColumn['belongsTo'],
  keys: readonly string[],
  isNeeded: boolean,
): Generator<OrderColumn> {
  for (const [name, rule] of Object.entries(shape.members)) {
    const isRequired = isNeeded && rule.required
    const path = [...keys, name]
    if (rule.kind === 'object') yield* listLeaves(rule, belongsTo, path, isRequired)
    else if (rule.kind === 'leaf') {
      if (name !== 'customFields') yield buildLeafColumn(rule, belongsTo, path, isRequired)
    } else if (belongsTo === 'order' && path.join('.') === LINES)
      yield* listLeaves(rule.each, 'line', [], isRequired)
  }
}

function buildLeafColumn(
  {read, holds}: LeafRule,
  belongsTo: OrderColumn['belongsTo'],
  keys: readonly string[],
  isRequired: boolean,
): OrderColumn {
  const path = (belongsTo === 'line' ? ['line', ...keys] : keys).join('.')
  const isDate = holds === 'date' || holds === 'date-time'
  const readCell = isDate ? (cell: string) => readDateCell(cell, holds) : keepCell
  return {path, belongsTo, keys, isRequired, isText: !read, holds, read: read ?? readCell}
}

/** Any other name below `checkCustomFields` is the caller's own; its value is text. */
function buildCustomColumn(name: string): OrderColumn | undefined {
  const own = name.slice(CUSTOM.length)
  if (own === '' || name.slice(0, CUSTOM.length).toLowerCase() !== CUSTOM_LOWER) return undefined
  const keys = ['customFields', own]
  return {path: CUSTOM + own, belongsTo: 'order', keys, isRequired: false, isText: true, read: keepCell}
}

const keepCell = (cell: string): unknown => cell

/** The field that a mistyped name most likely meant. */
export function findNearestField(name: string, known: ReadonlyMap<string, OrderColumn>): string | undefined {
  const candidates = [...known.keys()]
  const alike = name.replace(/^lines?(\[\d*\])?\./i, 'line.')
  const bare = removeGaps(alike)
  return (
    candidates.find(each => removeGaps(each) === bare) ??
    findNearest(alike, candidates) ??
    candidates.find(each => removeGaps(each.slice(each.lastIndexOf('.') + 1)) === bare)
  )
}

/** `Postal Code` and `postal_code` as `postalcode`. */
function removeGaps(name: string): string {
  return name.toLowerCase().replace(/[\s_.-]+/g, '')
}

/**
 * Puts a value into an object, and makes the objects on the way to it.
 *
 * @param keys one or more
 */
export function setNested(object: Record<string, unknown>, keys: readonly string[], value: unknown): void {
  let inner = object
  const last = keys.length - 1
  for (let at = 0; at < last; at++) {
    const key = keys[at] as string
    const found = Object.hasOwn(inner, key) ? inner[key] : undefined
    if (typeof found === 'object' && found !== null) inner = found as Record<string, unknown>
    else {
      const made = {}
      put(inner, key, made)
      inner = made
    }
  }
  put(inner, keys[last] as string, value)
}

/** A custom field may have any name. */
function put(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') object[key] = value
  else Object.defineProperty(object, key, {value, enumerable: true, writable: true, configurable: true})
}
