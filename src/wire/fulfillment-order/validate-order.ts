import {findNearest} from '../../language/nearest-word.js'
import {hasPostalCode} from './codes.js'
import {getLineReference} from './content-hash.js'
import {type FieldRule, type LeafRule, ORDER_SHAPE, type Shape} from './field-rules.js'

/** One reason why an order is invalid. */
export interface OrderFault {
  /** JSON pointer into the order: `/lines/0/sku`. @see RFC 6901 */
  readonly pointer: string
  /** The field as the contract's table names it: `lines[].sku`, `shipTo.country`; empty for the order itself. */
  readonly field: string
  /** The rest of a sentence that begins with the field: `must be text`. */
  readonly message: string
  /** The value found there; `undefined` where there is none. */
  readonly value: unknown
}

/** Most suggestions for one order: they cost time, and with this many mistakes it is the wrong file. */
const SUGGESTIONS = 100

/**
 * Everything that is wrong with an order, in the order of the contract's table, unknown fields last at each level. Both
 * the shop and the command line use this function, so that they never disagree.
 *
 * @param order any JSON value
 * @param now `orderDate` may be at most 5 minutes after it
 * @returns empty when the order is valid
 * @see fulfillment-order.md "Request"
 */
export function findFaults(order: unknown, now: Date): OrderFault[] {
  const faults: OrderFault[] = []
  new OrderChecker(faults, now).checkObject(ORDER_SHAPE, order, '', '')
  if (isObject(order)) {
    checkPostalCode(order.shipTo, faults)
    checkLineReferences(order.lines, faults)
  }
  return faults
}

/** Checks values against the shape of an order, and collects the faults. */
class OrderChecker {
  constructor(
    private readonly faults: OrderFault[],
    private readonly now: Date,
  ) {}

  checkObject(shape: Shape, value: unknown, pointer: string, field: string): void {
    if (!isObject(value)) {
      this.faults.push({pointer, field, message: 'must be an object', value})
      return
    }
    const prefix = field === '' ? '' : `${field}.`
    for (const name in shape.members) {
      const rule = shape.members[name] as FieldRule
      const member = getOwnMember(value, name)
      if (rule.kind === 'leaf' && isFine(rule, member, this.now)) continue
      this.#check(rule, member, `${pointer}/${name}`, prefix + name)
    }
    for (const name of Object.keys(value)) {
      if (Object.hasOwn(shape.members, name)) continue
      const message = this.#describeUnknownField(shape, name, prefix)
      const where = {pointer: `${pointer}/${escapePointer(name)}`, field: prefix + name}
      this.faults.push({...where, message, value: value[name]})
    }
  }

  #check(rule: FieldRule, value: unknown, pointer: string, field: string): void {
    if (value === undefined) {
      if (rule.required) this.faults.push({pointer, field, message: 'is required', value})
    } else if (rule.kind === 'object') this.checkObject(rule, value, pointer, field)
    else if (rule.kind === 'list') this.#checkList(rule, value, pointer, field)
    else {
      const message = rule.check(value, this.now)
      if (message !== undefined) this.faults.push({pointer, field, message, value})
    }
  }

  #checkList(
    {each, max}: Extract<FieldRule, {kind: 'list'}>,
    value: unknown,
    pointer: string,
    field: string,
  ) {
    const addFault = (message: string) => this.faults.push({pointer, field, message, value})
    if (!Array.isArray(value)) return addFault('must be a list')
    if (value.length === 0) return addFault('must hold at least one')
    if (value.length > max) addFault(`must hold at most ${max}`)
    for (const [index, item] of value.slice(0, max).entries()) {
      this.checkObject(each, item, `${pointer}/${index}`, `${field}[]`)
    }
  }

  #describeUnknownField(shape: Shape, name: string, prefix: string): string {
    const known = Object.keys(shape.members)
    const isWorthIt = this.faults.length < SUGGESTIONS && name.length <= 40
    const meant = isWorthIt ? findNearest(name, known) : undefined
    return meant === undefined
      ? 'is not a field of an order'
      : `is not a field; did you mean ${prefix}${meant}?`
  }
}

/** Builds no name for a valid field: a million valid orders have some twenty million of them. */
function isFine(rule: LeafRule, value: unknown, now: Date): boolean {
  return value === undefined ? !rule.required : rule.check(value, now) === undefined
}

function checkPostalCode(shipTo: unknown, faults: OrderFault[]): void {
  if (!isObject(shipTo) || getOwnMember(shipTo, 'postalCode') !== undefined) return
  if (typeof shipTo.country !== 'string' || !hasPostalCode(shipTo.country)) return
  const message = `is required in ${shipTo.country}`
  faults.push({pointer: '/shipTo/postalCode', field: 'shipTo.postalCode', message, value: undefined})
}

/** The default reference of a line is its position, which another line may have as its reference. */
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
