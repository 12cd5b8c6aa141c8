import {isIPv4, isIPv6} from 'node:net'
import type {Association, Entity, Field} from '../../model/entity.js'
import {isId} from '../../model/ids.js'
import {
  createBlankViolation,
  createEmailViolation,
  createIdViolation,
  createTooLongViolation,
  createTooShortViolation,
  createTypeViolation,
  type Violation,
  writeProtected,
} from './violations.js'

export type Values = Readonly<Record<string, unknown>>

interface Reading {
  readonly kind: 'insert' | 'update'
  readonly hashes: ReadonlyMap<string, string>
  /** Ids by the name of the entity that it is nested in. */
  readonly around: Readonly<Record<string, string>>
  note(violation: Violation, field: string): void
}

/** One row that is read. */
interface Row extends Reading {
  readonly entity: Entity
  readonly written: Values
}

/**
 * The values of one row, by field name, from what was sent: checked, with defaults and with what is computed. Members
 * that no field has are passed over.
 */
export function readValues(entity: Entity, written: Values, reading: Reading): Values {
  const values: Record<string, unknown> = {}
  const row = {...reading, entity, written}
  for (const field of entity.fields) {
    if (field.name === 'id' || field.constant !== undefined) continue
    const value = readSentValue(field, row)
    if (value === undefined) continue
    if (isRefused(field, value, row)) continue
    values[field.name] = convertSecret(field, value, row)
  }
  return {...values, ...computeDerivedValues(entity, values)}
}

/** Of a secret its hash, of an Internet address its network. */
function convertSecret({name}: Field, value: unknown, {entity: {writing}, hashes}: Row): unknown {
  if (value === null || !writing) return value
  if (Object.hasOwn(writing.secrets, name)) return hashes.get(String(value))
  return writing.remoteAddresses.includes(name) ? anonymizeAddress(String(value)) : value
}

/** What was sent for a field, or stands there when nothing was; `undefined` leaves it as it is. */
function readSentValue(field: Field, {entity, written, kind, around}: Row): unknown {
  const {name} = field
  const value = Object.hasOwn(written, name) ? written[name] : undefined
  if (value !== undefined) return normalizeValue(field, value)
  if (kind === 'update') return undefined
  const fallback = entity.writing?.defaults[name]
  if (fallback !== undefined) return fallback
  if (!entity.writing?.required.includes(name)) return undefined
  return around[findTargetAssociation(entity, field)?.target ?? ''] ?? null
}

/** Ids are kept in lower case, a text without characters is none, and no custom fields are an empty object. */
function normalizeValue({kind}: Field, value: unknown): unknown {
  if (kind === 'id' && typeof value === 'string') return value.toLowerCase()
  if (kind === 'custom-fields' && Array.isArray(value) && value.length === 0) return {}
  return kind === 'text' && value === '' ? null : value
}

export function findTargetAssociation({associations}: Entity, {column}: Field): Association | undefined {
  return associations.find(one => one.kind === 'to-one' && column !== 'id' && one.column === column)
}

function isRefused(field: Field, value: unknown, {entity, written, kind, note}: Row): boolean {
  const {required = [], readOnly = [], onlyNew = []} = entity.writing ?? {}
  const {name} = field
  const isSent = Object.hasOwn(written, name)
  const violation =
    isSent && (readOnly.includes(name) || (kind === 'update' && onlyNew.includes(name)))
      ? writeProtected()
      : value === null
        ? required.includes(name)
          ? createBlankViolation()
          : undefined
        : checkValue(entity, field, value)
  if (violation) note(violation, name)
  return violation !== undefined
}

/** What follows from other fields; what they do not have is null. */
function computeDerivedValues(entity: Entity, values: Values): Values {
  const all: Record<string, unknown> = {}
  for (const [name, source] of Object.entries(entity.writing?.computed ?? {})) {
    const [from = '', member] = source.split('.')
    if (!Object.hasOwn(values, from)) continue
    const whole = values[from]
    const value = member === undefined ? whole : (whole as Record<string, unknown> | null)?.[member]
    const field = entity.fields.find(one => one.name === name) as Field
    all[name] = value === null || checkValue(entity, field, value) ? null : value
  }
  return all
}

const NETWORK_GROUPS = 4

/**
 * The network that an Internet address belongs to: three of four bytes, or half of an IPv6 address. Other texts stay.
 *
 * @see protocol.md §7.1, `remoteAddress`
 */
export function anonymizeAddress(text: string): string {
  if (isIPv4(text)) return text.replace(/\d+$/, '0')
  if (!isIPv6(text) || text.includes('%')) return text
  const [head = '', tail = ''] = shortenIpv6(text).split('::')
  const before = head.split(':').filter(group => group !== '')
  const after = tail.split(':').filter(group => group !== '')
  const between = Array.from({length: 8 - before.length - after.length}, () => '0')
  return shortenIpv6(`${[...before, ...between, ...after].slice(0, NETWORK_GROUPS).join(':')}::`)
}

/** The form that everybody writes, without an embedded IPv4 address. @see RFC 5952 */
function shortenIpv6(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1)
}

/** Most characters of a text for which nothing else is said. */
export const USUAL_LENGTH = 255

/** What an e-mail address has to look like. */
export const EMAIL = /^[^\s@]+@[^\s@]+$/

/** Moments as the shop reads them: a day, with a time, with a zone. */
const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)?\s*(?:Z|[+-]\d{2}:?\d{2})?$/i

/** What is wrong with a value for a field, `undefined` when nothing is. `null` is never asked about. */
function checkValue(entity: Entity, field: Field, value: unknown): Violation | undefined {
  switch (field.kind) {
    case 'id':
      return isId(value) ? undefined : createIdViolation(value)
    case 'text':
      return checkText(entity, field, value)
    case 'int':
      return Number.isSafeInteger(value) ? undefined : createTypeViolation('int', value)
    case 'float':
      return Number.isFinite(value) ? undefined : createTypeViolation('float', value)
    case 'bool':
      return typeof value === 'boolean' ? undefined : createTypeViolation('bool', value)
    case 'date':
    case 'date-time':
      return isMoment(value) ? undefined : createTypeViolation('datetime', value)
    case 'list':
      return isTexts(value) ? undefined : createTypeViolation('list', value)
    case 'custom-fields':
      return isJsonObject(value) ? undefined : createTypeViolation('array', value)
    case 'json':
      return typeof value === 'object' ? undefined : createTypeViolation('array', value)
  }
}

function checkText({writing}: Entity, {name}: Field, value: unknown): Violation | undefined {
  if (typeof value !== 'string') return createTypeViolation('string', value)
  const limit = writing?.longest[name] ?? USUAL_LENGTH
  const least = writing?.shortest[name] ?? 0
  const {length} = [...value]
  if (length > limit) return createTooLongViolation(limit, value)
  if (length < least) return createTooShortViolation(least)
  return writing?.emails.includes(name) && !EMAIL.test(value) ? createEmailViolation(value) : undefined
}

function isMoment(value: unknown): boolean {
  const [, day] = typeof value === 'string' ? (MOMENT.exec(value.trim()) ?? []) : []
  if (day === undefined) return false
  const parsed = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(day)
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(one => typeof one === 'string')
}

/** An empty list is what an empty object becomes on its way through PHP. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && (!Array.isArray(value) || value.length === 0)
}
