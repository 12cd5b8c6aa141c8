import {findNearest} from '../../language/nearest-word.js'
import {hasPostalCode} from './codes.js'
import {getLineReference} from './content-hash.js'
import {type FieldRule, type LeafRule, ORDER_SHAPE, type Shape} from './field-rules.js'

/** One thing that keeps an order from being accepted. */
export interface OrderFault {
  /** JSON pointer into the order: `/lines/0/sku`. @see RFC 6901 */
  readonly pointer: string
  /** The field as the contract's table names it: `lines[].sku`, `shipTo.country`; empty for the order itself. */
  readonly field: string
  /** The rest of a sentence that begins with the field: `must be text`. */
  readonly message: string
  /** What stood there; `undefined` when nothing did. */
  readonly value: unknown
}

/** Suggestions cost time; whoever has made this many mistakes has the wrong file. */
const SUGGESTIONS = 100

/**
 * Everything that is wrong with an order, in the order of the contract's table, unknown fields last at each level.
 * The shop and the command line both decide by this alone, so that they never disagree.
 *
 * @param order any JSON value
 * @param now the moment that `orderDate` must not lie ahead of by more than 5 minutes
 * @returns empty when the order is acceptable
 * @see fulfillment-order.md "Request"
 */
export function findFaults(order: unknown, now: Date): OrderFault[] {
  const faults: OrderFault[] = []
  checkObject(ORDER_SHAPE, order, '', '', {faults, now})
  if (isObject(order)) {
    checkPostalCode(order.shipTo, faults)
    checkLineReferences(order.lines, faults)
  }
  return faults
}

interface Findings {
  readonly faults: OrderFault[]
  readonly now: Date
}

function check(rule: FieldRule, value: unknown, pointer: string, field: string, findings: Findings): void {
  if (value === undefined) {
    if (rule.required) findings.faults.push({pointer, field, message: 'is required', value})
  } else if (rule.kind === 'object') checkObject(rule, value, pointer, field, findings)
  else if (rule.kind === 'list') checkList(rule.each, rule.max, value, pointer, field, findings)
  else {
    const message = rule.check(value, findings.now)
    if (message !== undefined) findings.faults.push({pointer, field, message, value})
  }
}

function checkObject(shape: Shape, value: unknown, pointer: string, field: string, findings: Findings): void {
  if (!isObject(value)) {
    findings.faults.push({pointer, field, message: 'must be an object', value})
    return
  }
  const prefix = field === '' ? '' : `${field}.`
  for (const name in shape.members) {
    const rule = shape.members[name] as FieldRule
    const member = getOwnMember(value, name)
    if (rule.kind === 'leaf' && isFine(rule, member, findings.now)) continue
    check(rule, member, `${pointer}/${name}`, prefix + name, findings)
  }
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(shape.members, name))
      describeUnknownField(shape, name, value[name], pointer, prefix, findings)
  }
}

/** Names are put together for what is wrong alone: a million good orders have some twenty million good fields. */
function isFine(rule: LeafRule, value: unknown, now: Date): boolean {
  return value === undefined ? !rule.required : rule.check(value, now) === undefined
}

function checkList(
  each: Shape,
  max: number,
  value: unknown,
  pointer: string,
  field: string,
  findings: Findings,
) {
  const addFault = (message: string) => findings.faults.push({pointer, field, message, value})
  if (!Array.isArray(value)) return addFault('must be a list')
  if (value.length === 0) return addFault('must hold at least one')
  if (value.length > max) addFault(`must hold at most ${max}`)
  for (const [index, item] of value.slice(0, max).entries()) {
    checkObject(each, item, `${pointer}/${index}`, `${field}[]`, findings)
  }
}

function describeUnknownField(
  shape: Shape,
  name: string,
  value: unknown,
  pointer: string,
  prefix: string,
  {faults}: Findings,
): void {
  const known = Object.keys(shape.members)
  const meant = faults.length < SUGGESTIONS && name.length <= 40 ? findNearest(name, known) : undefined
  const message =
    meant === undefined ? 'is not a field of an order' : `is not a field; did you mean ${prefix}${meant}?`
  faults.push({pointer: `${pointer}/${escapePointer(name)}`, field: prefix + name, message, value})
}

function checkPostalCode(shipTo: unknown, faults: OrderFault[]): void {
  if (!isObject(shipTo) || getOwnMember(shipTo, 'postalCode') !== undefined) return
  if (typeof shipTo.country !== 'string' || !hasPostalCode(shipTo.country)) return
  const message = `is required in ${shipTo.country}`
  faults.push({pointer: '/shipTo/postalCode', field: 'shipTo.postalCode', message, value: undefined})
}

/** A line without a reference is known by its position, which another line may have taken. */
function checkLineReferences(lines: unknown, faults: OrderFault[]): void {
  if (!Array.isArray(lines)) return
  const seen = new Map<string, number>()
  for (const [index, line] of lines.slice(0, 1000).entries()) {
    if (!isObject(line) || typeof (line.reference ?? '') !== 'string') continue
    const reference = getLineReference(line, index)
    const first = seen.get(reference)
    if (first === undefined) seen.set(reference, index)
    else {
      const message = `is the reference of line ${first + 1} already`
      faults.push({
        pointer: `/lines/${index}/reference`,
        field: 'lines[].reference',
        message,
        value: reference,
      })
    }
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An order read from JSON may hold any name, `constructor` too; only its own members count. */
function getOwnMember(object: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** @see RFC 6901 §3 */
function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
