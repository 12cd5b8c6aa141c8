import type {Difference} from '../contract/order-rows.js'
import {fillDefaults, writeCanonicalJson} from '../wire/fulfillment-order/content-hash.js'
import type {FulfillmentOrder} from '../wire/schemas/fulfillment-order.js'
import type {OrderRules, ValidOrder} from './draft/draft.js'
import {CONTRACT} from './validate/order-rules.js'

/** An order as a search shows it; missing values are `null`. */
export interface FoundOrder {
  readonly id: string
  readonly reference: string
  readonly [field: string]: unknown
}

/** Fields that an order is made of; what else a search shows (ids, times, states) is the shop's own. */
const FIELDS = [
  'reference',
  'orderNumber',
  'orderDate',
  'lines',
  'shipTo',
  'shippingMethod',
  'shipNotBefore',
  'hold',
  'fillPolicy',
  'note',
  'customFields',
] as const

/**
 * How an order differs from the one that the shop has under its reference.
 *
 * Defaults are filled in on both sides, because a shop may return just what was sent; times are compared as moments,
 * because the shop shows them in UTC.
 *
 * @param ours a valid one
 * @param rules by which it is valid; with another shop's rules, only fields that both have can be compared
 * @returns empty when they are the same order
 */
export function findDifferences(
  ours: ValidOrder,
  theirs: FoundOrder,
  rules: Pick<OrderRules, 'toStoredOrder'> = CONTRACT,
): Difference[] {
  const found: Difference[] = []
  const {order, all} = rules.toStoredOrder(ours)
  // A field that the shop's search leaves out is no difference; one that it shows as null is.
  const shown = FIELDS.filter(field => Object.hasOwn(theirs, field))
  const fields = all ? shown : Object.keys(order).filter(field => readMember(theirs, field) !== undefined)
  const complete: Record<string, unknown> = all ? fillShownDefaults(theirs) : theirs
  for (const field of fields) {
    const [mine, other] = [
      convertToComparable(field, order[field]),
      convertToComparable(field, complete[field]),
    ]
    compare(field, mine, all ? other : limitToOwnFields(mine, other), found)
  }
  return found
}

function fillShownDefaults(theirs: FoundOrder): Record<string, unknown> {
  const {lines} = theirs
  const isContract = Array.isArray(lines) && lines.every(isObject)
  return isContract ? {...fillDefaults(theirs as unknown as FulfillmentOrder)} : theirs
}

/** A value as another shop shows it, without its own additions: ids, states, defaults. */
function limitToOwnFields(mine: unknown, shown: unknown): unknown {
  if (Array.isArray(mine) && Array.isArray(shown)) {
    return mine.length === shown.length ? mine.map((each, at) => limitToOwnFields(each, shown[at])) : shown
  }
  if (!isObject(mine) || !isObject(shown)) return shown
  return Object.fromEntries(
    Object.keys(mine).map(name => [name, limitToOwnFields(mine[name], readMember(shown, name))]),
  )
}

function convertToComparable(field: string, value: unknown): unknown {
  if (value === null || value === undefined) return undefined
  if (field === 'orderDate') return parseMoment(value)
  if (field === 'shipNotBefore') return String(value).slice(0, 10)
  if (field === 'customFields' && Object.keys(value).length === 0) return undefined
  return value
}

/** Another shop may use the name for something else, so a value that is not a time stays unchanged. */
function parseMoment(value: unknown): unknown {
  const at = new Date(String(value))
  return Number.isNaN(at.getTime()) ? value : at.toISOString()
}

function compare(field: string, ours: unknown, theirs: unknown, found: Difference[]): void {
  if (ours === theirs) return
  if (isObject(ours) && isObject(theirs)) {
    for (const name of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
      if (name === 'status' && field.startsWith('lines[')) continue
      const path = Array.isArray(ours) ? `${field}[${Number(name) + 1}]` : `${field}.${name}`
      compare(path, readMember(ours, name), readMember(theirs, name), found)
    }
    return
  }
  if (writeCanonicalJson(ours ?? null) !== writeCanonicalJson(theirs ?? null))
    found.push({field, ours, theirs})
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function readMember(object: Record<string, unknown>, name: string): unknown {
  return (Object.hasOwn(object, name) ? object[name] : undefined) ?? undefined
}

const MOST_SHOWN = 3

/** The first differences in a sentence: `shipTo.street is "Weg 1" in the shop and "Weg 2" here; and 2 more`. */
export function formatDifferences(all: readonly Difference[]): string {
  const shown = all.slice(0, MOST_SHOWN).map(formatDifference)
  if (all.length > MOST_SHOWN) shown.push(`and ${all.length - MOST_SHOWN} more`)
  return shown.join('; ')
}

/** One field with both contents. */
export function formatDifference({field, ours, theirs}: Difference): string {
  return `${field} is ${formatValue(theirs)} in the shop and ${formatValue(ours)} here`
}

function formatValue(value: unknown): string {
  const text = value === undefined ? 'not given' : JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
