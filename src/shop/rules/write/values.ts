import {isIPv4, isIPv6} from 'node:net'
import {DEFAULT_EDITION, type ShopEdition} from '../../../shopware/editions.js'
import type {Association, Entity, Field} from '../../../shopware/entity.js'
import {isPlainId} from '../../../shopware/ids.js'
import {describeType, isIntegerKey, isNumeric} from '../../../shopware/php-values.js'
import {stripTags} from '../../../shopware/strip-tags.js'
import {createHttpError, type ShopError} from '../../runtime/shop-error.js'
import {interpretMoment} from './moments.js'
import {
  createBlankViolation,
  createEmailViolation,
  createIdViolation,
  createNoTextViolation,
  createTooLongForColumnError,
  createTooLongViolation,
  createTooShortViolation,
  createTypeViolation,
  type Violation,
  writeProtected,
} from './violations.js'

export type Values = Readonly<Record<string, unknown>>

interface Reading {
  readonly edition: ShopEdition
  readonly now: () => Date
  readonly kind: 'insert' | 'update'
  readonly hashes: ReadonlyMap<string, string>
  /** Ids of the entities around it, by entity name. */
  readonly around: Readonly<Record<string, string>>
  note(violation: Violation, field: string): void
}

/** A row whose values are being read. */
interface Row extends Reading {
  readonly entity: Entity
  readonly written: Values
}

/**
 * The values of a row, by field name, from the request: checked, with defaults and computed values. Unknown members are
 * ignored.
 */
export function readValues(entity: Entity, written: Values, reading: Reading): Values {
  const values: Record<string, unknown> = {}
  const row = {...reading, entity, written}
  for (const field of listInWriteOrder(entity, reading.edition)) {
    if (field.name === 'id' || field.constant !== undefined || field.madeOf || isPassedOver(field, row))
      continue
    const value = readMoment(field, readSentValue(field, row), row)
    if (value === undefined) continue
    if (isRefused(field, value, row)) continue
    values[field.name] = convertValue(field, value, row)
  }
  return {...values, ...computeDerivedValues(entity, values)}
}

/** Ids come first, because the entities that they refer to do. */
function listInWriteOrder({fields, plainOrder}: Entity, {name}: ShopEdition): readonly Field[] {
  const isIdField = ({kind}: Field) => kind === 'id'
  const others = fields.filter(field => !isIdField(field))
  const ids = fields.filter(isIdField)
  // Older shops describe a customer in another order.
  if (name === '6.5') ids.sort((one, other) => plainOrder.indexOf(one.name) - plainOrder.indexOf(other.name))
  return [...ids, ...others]
}

/** Fields that are accepted without effect: author and times, except `createdAt` of a new row. */
const PASSED_OVER: ReadonlySet<string> = new Set(['updatedAt', 'createdById', 'updatedById'])

function isPassedOver({name}: Field, {entity, kind}: Row): boolean {
  if (!entity.writing) return false
  return PASSED_OVER.has(name) || (name === 'createdAt' && kind === 'update')
}

/** Hashes secrets, shortens IP addresses to their network, and removes markup from texts. */
function convertValue({name, kind}: Field, value: unknown, {entity: {writing}, hashes}: Row): unknown {
  if (value === null || !writing) return value
  if (Object.hasOwn(writing.secrets, name)) return hashes.get(String(value))
  if (writing.remoteAddresses.includes(name)) return anonymizeAddress(String(value))
  return kind === 'text' ? stripTags(String(value)) : value
}

/** The value sent for a field, or its default; `undefined` leaves it unchanged. */
function readSentValue(field: Field, {entity, written, kind, around}: Row): unknown {
  const {name} = field
  const value = Object.hasOwn(written, name) ? written[name] : undefined
  const instead = entity.writing?.insteadOfNone[name]
  if (value !== undefined) return normalizeValue(field, value) ?? instead ?? null
  if (kind === 'update') return undefined
  const fallback = entity.writing?.defaults[name] ?? instead
  if (fallback !== undefined) return fallback
  if (!isRequired(entity, name)) return undefined
  return around[findTargetAssociation(entity, field)?.target ?? ''] ?? null
}

function isRequired({writing}: Entity, name: string): boolean {
  return writing?.required.includes(name) ?? false
}

/** Parses a date; other values stay unchanged. @throws ShopError 500 for an invalid text */
function readMoment({kind}: Field, value: unknown, {entity, now}: Row): unknown {
  if (!entity.writing || (kind !== 'date' && kind !== 'date-time')) return value
  const written = typeof value === 'object' && value !== null ? (value as {date?: unknown}).date : value
  return typeof written === 'string' ? interpretMoment(written, now()) : value
}

/** A text of spaces becomes null, and empty custom fields an empty object. */
function normalizeValue({kind}: Field, value: unknown): unknown {
  if (kind === 'custom-fields' && Array.isArray(value) && value.length === 0) return {}
  return kind === 'text' && typeof value === 'string' && value.trim() === '' ? null : value
}

export function findTargetAssociation({associations}: Entity, {column}: Field): Association | undefined {
  return associations.find(one => one.kind === 'to-one' && column !== 'id' && one.column === column)
}

function isRefused(field: Field, value: unknown, {entity, written, kind, edition, note}: Row): boolean {
  const {readOnly = [], onlyNew = []} = entity.writing ?? {}
  const {name} = field
  const required = isRequired(entity, name)
  const isSent = Object.hasOwn(written, name)
  const isLocked = isSent && (readOnly.includes(name) || (kind === 'update' && onlyNew.includes(name)))
  const blank = required ? [createBlankViolation()] : []
  const violations: readonly ValueViolation[] = isLocked
    ? [writeProtected(isSystems(entity, name))]
    : value === null
      ? blank
      : listViolations(entity, field, value, edition)
  for (const {at = '', ...violation} of violations) note(violation, `${name}${at}`)
  return violations.length > 0
}

/** Whether the shop itself may write a read-only field: not where the database or other fields determine its value. */
function isSystems({writing}: Entity, name: string): boolean {
  return name !== 'autoIncrement' && !Object.hasOwn(writing?.computed ?? {}, name)
}

/** Values computed from other fields; null where those have none. */
function computeDerivedValues(entity: Entity, values: Values): Values {
  const all: Record<string, unknown> = {}
  for (const [name, source] of Object.entries(entity.writing?.computed ?? {})) {
    const [from = '', member] = source.split('.')
    if (!Object.hasOwn(values, from)) continue
    const whole = values[from]
    const value = member === undefined ? whole : (whole as Record<string, unknown> | null)?.[member]
    const field = entity.fields.find(one => one.name === name) as Field
    all[name] =
      value === null || listViolations(entity, field, value, DEFAULT_EDITION).length > 0 ? null : value
  }
  return all
}

const NETWORK_GROUPS = 4

/**
 * The network of an IP address: three of four bytes, or half of an IPv6 address. Other texts stay unchanged.
 *
 * @see protocol.md §7.1, `remoteAddress`
 */
export function anonymizeAddress(text: string): string {
  if (isIPv4(text)) return text.replace(/\d{1,3}$/, '0')
  if (!isIPv6(text) || text.includes('%')) return text
  const [head = '', tail = ''] = shortenIpv6(text).split('::')
  const before = head.split(':').filter(group => group !== '')
  const after = tail.split(':').filter(group => group !== '')
  const between = Array.from({length: 8 - before.length - after.length}, () => '0')
  return shortenIpv6(`${[...before, ...between, ...after].slice(0, NETWORK_GROUPS).join(':')}::`)
}

/** The canonical form, without an embedded IPv4 address. @see RFC 5952 */
function shortenIpv6(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1)
}

/** Default maximum length of a text. */
export const USUAL_LENGTH = 255

/** Pattern of an e-mail address. */
export const EMAIL = /^(?:.*[^\S\n\r\u2028\u2029]|\S)[^\s@]*@\S[^\s.]*\.\S+$/

/** A rule that a value violates, or a part of it: `/0` after the field's name. */
interface ValueViolation extends Violation {
  readonly at?: string
}

/** The violations of a field's value, which is never `null`. */
function listViolations(
  entity: Entity,
  field: Field,
  value: unknown,
  edition: ShopEdition,
): readonly ValueViolation[] {
  if (field.kind === 'list') return listListViolations(value)
  const violation = checkValue(entity, field, value, edition)
  if (!violation) return []
  const isStructure = field.kind === 'text' && typeof value === 'object'
  return isStructure ? [violation, createNoTextViolation()] : [violation]
}

function listListViolations(value: unknown): readonly ValueViolation[] {
  if (!Array.isArray(value)) return [createTypeViolation('array', value)]
  return value.flatMap((one, index) =>
    typeof one === 'string' ? [] : [{...createTypeViolation('string', one), at: `/${index}`}],
  )
}

function checkValue(
  entity: Entity,
  field: Field,
  value: unknown,
  edition: ShopEdition,
): Violation | undefined {
  switch (field.kind) {
    case 'id':
      return isPlainId(value) ? undefined : createIdViolation(value)
    case 'text':
      return checkText(entity, field, value, edition)
    case 'int':
      return Number.isSafeInteger(value) ? undefined : createTypeViolation('int', value)
    case 'float':
      return isNumeric(value) ? undefined : createTypeViolation('numeric', value)
    case 'bool':
      return typeof value === 'boolean' ? undefined : createTypeViolation('bool', value)
    case 'date':
    case 'date-time':
      return value instanceof Date ? undefined : createTypeViolation('DateTimeInterface', value)
    case 'custom-fields':
      return checkCustomFields(value)
    case 'json':
      return typeof value === 'object' ? undefined : createTypeViolation('array', value)
    default:
      return undefined
  }
}

/** The maximum length of a text in the database, where the shop itself checks none. */
function findLimit({name: entity, writing}: Entity, name: string, edition: ShopEdition): number {
  const isName = name === 'firstName' || name === 'lastName'
  if (!edition.limitsAddressNames && entity === 'customer_address' && isName) return USUAL_LENGTH
  return writing?.longest[name] ?? USUAL_LENGTH
}

function checkText(
  entity: Entity,
  {name}: Field,
  value: unknown,
  edition: ShopEdition,
): Violation | undefined {
  const {writing} = entity
  if (typeof value !== 'string' && writing?.emails.includes(name)) throw createEmailTypeError(value)
  if (typeof value !== 'string') return createTypeViolation('string', value)
  const limit = findLimit(entity, name, edition)
  const least = writing?.shortest[name] ?? 0
  const {length} = [...value]
  if (length > limit && limit < USUAL_LENGTH && !edition.checksLengths)
    throw createTooLongForColumnError(name)
  if (length > limit) return createTooLongViolation(limit, value)
  if (length < least) return createTooShortViolation(least, value)
  return writing?.emails.includes(name) && !EMAIL.test(value) ? createEmailViolation(value) : undefined
}

/** For an e-mail address that is not text, which fails before validation. */
function createEmailTypeError(value: unknown): ShopError {
  const encode = 'Shopware\\Core\\Checkout\\Customer\\Service\\EmailIdnConverter::encode()'
  return createHttpError(
    500,
    `${encode}: Argument #1 ($email) must be of type string, ${describeType(value)} given`,
  )
}

/** @throws ShopError 500 for names that are whole numbers, as in a list */
function checkCustomFields(value: unknown): Violation | undefined {
  if (typeof value !== 'object') return createTypeViolation('array', value)
  if (!Object.keys(value as object).some(isIntegerKey)) return undefined
  throw createHttpError(
    500,
    'Shopware\\Core\\System\\CustomField\\CustomFieldService::getCustomField(): Argument #1 ($attributeName) must be of type string, int given',
  )
}

/** An empty object becomes an empty list in PHP. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && (!Array.isArray(value) || value.length === 0)
}
