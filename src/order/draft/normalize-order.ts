import {isObject} from '../../language/json-object.js'
import type {FieldRule, Shape} from '../../wire/fulfillment-order/field-rules.js'
import {readDateCell} from './cell-values.js'

/**
 * Removes optional fields that are `null`, and writes unambiguous dates as the contract does.
 *
 * @param order is changed
 * @returns whether it was
 */
export function normalizeOrder(order: unknown, shape: Shape): boolean {
  if (!isObject(order)) return false
  let isChanged = false
  for (const name in shape.members) {
    const rule = shape.members[name]
    if (rule && Object.hasOwn(order, name)) isChanged = normalizeMember(order, name, rule) || isChanged
  }
  return isChanged
}

function normalizeMember(order: Record<string, unknown>, name: string, rule: FieldRule): boolean {
  const value = order[name]
  if (value === null) return !rule.required && delete order[name]
  if (rule.kind === 'object') return normalizeOrder(value, rule)
  if (rule.kind === 'list')
    return Array.isArray(value) && value.map(each => normalizeOrder(each, rule.each)).includes(true)
  if (typeof value !== 'string' || rule.holds === undefined || rule.holds === 'decimal') return false
  order[name] = readDateCell(value, rule.holds)
  return order[name] !== value
}
