import type {Entity, Field} from '../../model/entity.js'
import {isId} from '../../model/ids.js'
import {
  createEmailViolation,
  createIdViolation,
  createTooLongViolation,
  createTooShortViolation,
  createTypeViolation,
  type Violation,
} from './violations.js'

/** Most characters of a text for which nothing else is said. */
export const USUAL_LENGTH = 255

/** What an e-mail address has to look like. */
export const EMAIL = /^[^\s@]+@[^\s@]+$/

/** Moments as the shop reads them: a day, with a time, with a zone. */
const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)?\s*(?:Z|[+-]\d{2}:?\d{2})?$/i

/** What is wrong with a value for a field, `undefined` when nothing is. `null` is never asked about. */
export function checkValue(entity: Entity, field: Field, value: unknown): Violation | undefined {
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
