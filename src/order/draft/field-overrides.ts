import {createUsageError} from '../../errors.js'
import {isObject} from '../../language/json-object.js'
import type {Shape} from '../../wire/fulfillment-order/field-rules.js'
import {findField, findNearestField, mapColumns, type OrderColumn, setNested} from './columns.js'

/** A field that is the same in every order, whatever the input has. */
export interface FieldOverride {
  readonly column: OrderColumn
  /** Of the line, from 0; `undefined` for every line. */
  readonly line: number | undefined
  readonly value: unknown
}

/**
 * Reads `shipTo.country=DE`, `line.quantity=2`, `lines[2].sku=MUG`, `customFields.channel=web`.
 *
 * @throws StorectlError `usage.set`
 */
export function parseOverride(text: string, shape: Shape): FieldOverride {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined) {
    throw createUsageError('set', `--set: expected FIELD=VALUE, got "${text}".`, ['--set shipTo.country=DE'])
  }
  const known = mapColumns(shape)
  const [, index, rest] = /^lines\[(\d{1,4})\]\.(.+)$/.exec(name) ?? []
  const column = findField(index === undefined ? name : `line.${rest}`, known)
  if (!column || index === '0') {
    const meant = findNearestField(name, known)
    const hint = meant === undefined ? [] : [`--set ${meant}=${value}`]
    throw createUsageError('set', `--set: unknown field "${name}".`, hint)
  }
  return {column, line: index === undefined ? undefined : Number(index) - 1, value: column.read(value)}
}

/**
 * Sets the fields, even if the input has other values: a flag that works only sometimes would be noticed too late.
 * Missing lists and objects on the way are created, and a non-object is left for the rules to refuse.
 */
export function applySettings(order: unknown, settings: readonly FieldOverride[]): void {
  if (!isObject(order)) return
  for (const {column, line, value} of settings) {
    if (column.belongsTo === 'order') setNested(order, column.keys, value)
    else for (const each of listLines(order, line)) setNested(each, column.keys, value)
  }
}

function listLines(order: Record<string, unknown>, line: number | undefined): Record<string, unknown>[] {
  order.lines ??= []
  const {lines} = order
  if (!Array.isArray(lines)) return []
  const wanted = line ?? 0
  if (lines.length <= wanted && (line !== undefined || lines.length === 0)) {
    while (lines.length <= wanted) lines.push({})
  }
  return (line === undefined ? lines : [lines[line]]).filter(isObject)
}
