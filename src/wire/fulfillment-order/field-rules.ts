import {COUNTRY_CODES, CURRENCIES} from './codes.js'

/** What is wrong with a value, as the end of a sentence that begins with its field; `undefined` where it is valid. */
type FieldCheck = (value: unknown, now: Date) => string | undefined

export interface LeafRule {
  readonly kind: 'leaf'
  readonly required: boolean
  readonly check: FieldCheck
  /** Converts a table cell to the field's type; text that does not fit stays as it is. Absent for text fields. */
  readonly read?: ((cell: string) => unknown) | undefined
  /** Kinds of values that people write in several formats; a table cell is normalized before it is read. */
  readonly holds?: 'decimal' | 'date' | 'date-time' | undefined
}

/** An object that may have these members only. */
export interface Shape {
  readonly kind: 'object'
  readonly required: boolean
  readonly members: Readonly<Record<string, FieldRule>>
}

interface List {
  readonly kind: 'list'
  readonly required: boolean
  readonly each: Shape
  readonly max: number
}

export type FieldRule = LeafRule | Shape | List

const FUTURE_LIMIT_MS = 5 * 60_000
const CUSTOM_FIELDS_BYTES = 16 * 1024
const CUSTOM_FIELDS_DEPTH = 64
// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is what PostgreSQL's text cannot hold
const UNSTORABLE = /[\u0000\p{Surrogate}]/u

function checkText(min: number, max: number): FieldCheck {
  return value => {
    if (typeof value !== 'string') return `must be text${describeValue(value)}`
    if (value.length < min) return 'must not be empty'
    // A text has no more characters than UTF-16 units, so the common case needs no count.
    if (value.length > max && [...value].length > max) return `must have at most ${max} characters`
    return UNSTORABLE.test(value) ? 'holds a NUL or half a character' : undefined
  }
}

function describeValue(value: unknown): string {
  if (value === null) return ', not null; leave it out instead'
  if (typeof value === 'number') return ', not a number; put it in quotes'
  return ''
}

function checkPattern(pattern: RegExp, max: number, requirement: string): FieldCheck {
  const isText = checkText(1, max)
  return value => isText(value, NEVER) ?? (pattern.test(value as string) ? undefined : requirement)
}

/** For checks that ignore the time. */
const NEVER = new Date(0)

function checkChoice(...choices: string[]): FieldCheck {
  const requirement = `must be one of ${choices.join(', ')}`
  return value => (choices.includes(value as string) ? undefined : requirement)
}

function checkListed(list: ReadonlySet<string>, requirement: string): FieldCheck {
  return value => {
    if (typeof value === 'string' && list.has(value)) return undefined
    const upper = typeof value === 'string' ? value.trim().toUpperCase() : ''
    return list.has(upper) ? `${requirement}, in capitals: ${upper}` : requirement
  }
}

const checkQuantity: FieldCheck = value => {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 1_000_000)
    return undefined
  return typeof value === 'string'
    ? 'must be a whole number from 1 to 1000000, not text'
    : 'must be a whole number from 1 to 1000000'
}

const checkAmount: FieldCheck = value => {
  if (typeof value === 'number')
    return 'must be a decimal in quotes, such as "12.90"; a bare number loses cents'
  const isDecimal = typeof value === 'string' && /^(0|[1-9]\d{0,14})(\.\d{1,6})?$/.test(value)
  return isDecimal ? undefined : 'must be a decimal with a point and no sign, such as "12.90"'
}

const orderDate: FieldCheck = (value, now) => {
  const instant = typeof value === 'string' ? readDateTime(value) : 'shape'
  if (instant === 'no-zone') return 'needs a zone, such as 2024-10-24T21:30:46Z or 2024-10-24T23:30:46+02:00'
  if (instant === 'calendar') return 'is no real date and time'
  if (instant === 'shape') return 'must be a date and time with a zone, such as 2024-10-24T21:30:46Z'
  return instant > now.getTime() + FUTURE_LIMIT_MS ? 'lies more than 5 minutes in the future' : undefined
}

const checkFullDate: FieldCheck = value =>
  typeof value === 'string' && isFullDate(value) ? undefined : 'must be a real date, such as 2024-10-24'

const checkBoolean: FieldCheck = value => (typeof value === 'boolean' ? undefined : 'must be true or false')

const checkCustomFields: FieldCheck = value => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object'
  const unwritable = findUnwritable(value, CUSTOM_FIELDS_DEPTH)
  if (unwritable !== undefined) return unwritable
  const sizeBytes = Buffer.byteLength(JSON.stringify(value))
  return sizeBytes > CUSTOM_FIELDS_BYTES ? 'is larger than 16 KiB of JSON' : undefined
}

/** Why a value cannot be written as JSON again: `1e999` reads as infinite, and deep nesting uses up the stack. */
function findUnwritable(value: unknown, levels: number): string | undefined {
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : 'holds a number that JSON cannot hold'
  if (typeof value !== 'object' || value === null) return undefined
  if (levels === 0) return `is nested more than ${CUSTOM_FIELDS_DEPTH} levels deep`
  for (const member of Object.values(value)) {
    const found = findUnwritable(member, levels - 1)
    if (found !== undefined) return found
  }
  return undefined
}

const requireField = (check: FieldCheck): LeafRule => ({kind: 'leaf', required: true, check})
const allowField = (check: FieldCheck): LeafRule => ({kind: 'leaf', required: false, check})
const country = checkListed(COUNTRY_CODES, 'must be a country code of two letters (ISO 3166-1), such as DE')
const currency = checkListed(CURRENCIES, 'must be a currency code of three letters (ISO 4217), such as EUR')
const reference = checkPattern(/^[A-Za-z0-9._:-]+$/, 64, 'may hold letters, digits and . _ : - only')

const UNIT_PRICE: Shape = {
  kind: 'object',
  required: false,
  members: {amount: {...requireField(checkAmount), holds: 'decimal'}, currency: requireField(currency)},
}

const LINE: Shape = {
  kind: 'object',
  required: true,
  members: {
    sku: requireField(checkText(1, 64)),
    quantity: {
      ...requireField(checkQuantity),
      holds: 'decimal',
      read: cell => (/^\d{1,15}$/.test(cell) ? Number(cell) : cell),
    },
    reference: allowField(checkText(1, 64)),
    unitPrice: UNIT_PRICE,
  },
}

const SHIP_TO: Shape = {
  kind: 'object',
  required: true,
  members: {
    name: requireField(checkText(1, 100)),
    company: allowField(checkText(1, 100)),
    street: requireField(checkText(1, 100)),
    additionalLine: allowField(checkText(1, 100)),
    postalCode: allowField(checkText(1, 16)),
    city: requireField(checkText(1, 100)),
    state: allowField(checkText(1, 100)),
    country: requireField(country),
    email: allowField(checkText(1, 254)),
    phone: allowField(checkText(1, 40)),
  },
}

/** Every field of a fulfillment order. @see fulfillment-order.md "Request" */
export const ORDER_SHAPE: Shape = {
  kind: 'object',
  required: true,
  members: {
    reference: requireField(reference),
    orderNumber: allowField(checkText(1, 64)),
    orderDate: {...allowField(orderDate), holds: 'date-time'},
    lines: {kind: 'list', required: true, each: LINE, max: 1000},
    shipTo: SHIP_TO,
    shippingMethod: allowField(checkChoice('standard', 'express', 'priority', 'pickup')),
    shipNotBefore: {...allowField(checkFullDate), holds: 'date'},
    hold: {
      ...allowField(checkBoolean),
      read: cell => ({true: true, false: false})[cell.toLowerCase()] ?? cell,
    },
    fillPolicy: allowField(checkChoice('all-or-nothing', 'what-is-available')),
    note: allowField(checkText(0, 500)),
    customFields: allowField(checkCustomFields),
  },
}

/** Why a text is not a date-time; `no-zone` is separate because it is the usual mistake. */
type TimeFault = 'shape' | 'no-zone' | 'calendar'

const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d+)?([Zz]|[+-]\d\d:\d\d)?$/
const FULL_DATE = /^(\d{4})-(\d\d)-(\d\d)$/

/**
 * Parses an RFC 3339 date-time; requires a zone and a real calendar day. A leap second counts as the second before it.
 *
 * @returns milliseconds since the epoch, or what is wrong
 * @see RFC 3339 §5.6, §5.7
 */
export function readDateTime(text: string): number | TimeFault {
  const parts = DATE_TIME.exec(text)
  if (!parts) return 'shape'
  const [, year, month, day, hour, minute, second, zone] = parts
  if (zone === undefined) return 'no-zone'
  const inZone = Number(hour) <= 23 && Number(minute) <= 59 && Number(second) <= 60 && isZone(zone)
  if (!isCalendarDay(Number(year), Number(month), Number(day)) || !inZone) return 'calendar'
  const withoutLeapSecond = second === '60' ? text.replace(/:60/, ':59') : text
  const instant = Date.parse(withoutLeapSecond.toUpperCase())
  if (instant < FIRST_INSTANT_MS) return 'calendar'
  return second === '60' && !isEndOfDay(instant) ? 'calendar' : instant
}

/** A zone can move a time before year 0, which a four-digit UTC year cannot express. */
const FIRST_INSTANT_MS = Date.parse('0000-01-01T00:00:00Z')

/** Whether a text is an RFC 3339 full-date of a real day: `2024-02-29`. */
export function isFullDate(text: string): boolean {
  const [, year, month, day] = FULL_DATE.exec(text) ?? []
  return day !== undefined && isCalendarDay(Number(year), Number(month), Number(day))
}

function isCalendarDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  return day <= (lengths[month - 1] as number)
}

function isZone(zone: string): boolean {
  if (zone.length === 1) return true
  return Number(zone.slice(1, 3)) <= 23 && Number(zone.slice(4)) <= 59
}

/** Leap seconds occur at the end of a UTC day. */
function isEndOfDay(instant: number): boolean {
  return new Date(instant).toISOString().slice(11, 19) === '23:59:59'
}
