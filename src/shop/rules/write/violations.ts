import type {ViolationEntry} from '../../../wire/schemas/error-envelope.js'
import {createHttpError, createShopError, type ShopError} from '../../runtime/shop-error.js'

/** A rule that a value violates: its code, and its text with and without parameters. */
export interface Violation {
  readonly code: string
  readonly template: string
  /** By placeholder in the template; in order where that is `%s`. */
  readonly parameters: Readonly<Record<string, string>> | readonly string[]
  /** Whether the shop appends the field's name to the pointer again. */
  readonly isNamedTwice?: true
}

/** The codes are those of the rules in the shop's framework. */
export const createBlankViolation = (): Violation => ({
  code: 'c1051bb4-d103-4f74-8988-acbcafc7fdc3',
  template: 'This value should not be blank.',
  parameters: {'{{ value }}': 'null'},
})

export const createTypeViolation = (type: string, value: unknown): Violation => ({
  code: 'ba785a8c-82cb-4283-967c-3cf342181b40',
  template: 'This value should be of type {{ type }}.',
  parameters: {'{{ value }}': formatViolationValue(value), '{{ type }}': type},
})

export const createTooLongViolation = (limit: number, value: string): Violation => ({
  code: 'd94b19cc-114f-4f44-9cc4-4138e80a87b9',
  template: inNumbers('This value is too long. It should have {{ limit }} ', ' or less.'),
  parameters: describeLength(limit, value),
})

export const createTooShortViolation = (limit: number, value: string): Violation => ({
  code: '9ff3fdc4-b214-49db-8718-39c315e33d45',
  template: inNumbers('This value is too short. It should have {{ limit }} ', ' or more.'),
  parameters: describeLength(limit, value),
})

/** A singular and a plural text; the error shows the second. */
function inNumbers(start: string, end: string): string {
  return `${start}character${end}|${start}characters${end}`
}

function describeLength(limit: number, value: string): Violation['parameters'] {
  return {
    '{{ value }}': formatViolationValue(value),
    '{{ limit }}': String(limit),
    '{{ value_length }}': String([...value].length),
  }
}

export const createEmailViolation = (value: string): Violation => ({
  code: 'bd79c0ab-ddba-46cc-a703-a7a4b08de310',
  template: 'This value is not a valid email address.',
  parameters: {'{{ value }}': formatViolationValue(value)},
})

export const createIdViolation = (value: unknown): Violation => ({
  code: 'FRAMEWORK__WRITE_CONSTRAINT_VIOLATION',
  template: 'The string "{{ string }}" is not a valid uuid.',
  parameters: {'{{ string }}': typeof value === 'string' ? value : formatViolationValue(value)},
})

/** Follows the violation of the type, where PHP cannot convert the value to text. */
export const createNoTextViolation = (): Violation => ({
  code: 'FRAMEWORK__WRITE_CONSTRAINT_VIOLATION',
  template: 'This value should be of type {{ type }}.',
  parameters: {'{{ type }}': 'string'},
})

/** @param isSystems whether the shop itself may write it */
export const writeProtected = (isSystems: boolean): Violation => ({
  code: 'FRAMEWORK__WRITE_CONSTRAINT_VIOLATION',
  template: isSystems
    ? 'This field is write-protected. (Got: "%s" scope and "%s" is required)'
    : 'This field is write-protected.',
  parameters: ['crud', isSystems ? 'system' : ''],
  isNamedTwice: true,
})

/** Longest text that an error repeats. */
const SHOWN = 10_000

function formatViolationValue(value: unknown): string {
  if (typeof value === 'string') return `"${value.slice(0, SHOWN)}"`
  if (value === null) return 'null'
  return typeof value === 'object' ? (Array.isArray(value) ? 'array' : 'object') : String(value)
}

/** @param pointer `/0/addresses/1/city` */
export function createViolationEntry(
  {code, template, parameters, isNamedTwice}: Violation,
  pointer: string,
): ViolationEntry {
  const ofMany = template.split('|').at(-1) as string
  const detail = Object.entries(parameters).reduce(
    (text, [name, value]) => text.replace(Array.isArray(parameters) ? '%s' : name, () => value),
    ofMany,
  )
  const name = pointer.slice(pointer.lastIndexOf('/') + 1)
  return {
    code,
    status: '400',
    detail,
    template,
    meta: {parameters: parameters as ViolationEntry['meta']['parameters']},
    source: {pointer: isNamedTwice ? `${pointer}${name}` : pointer},
  }
}

/** For an invalid payload. */
export function createPayloadError(): ShopError {
  return createHttpError(400, 'Invalid payload. Should be associative array')
}

/** For an invalid nested value. @param path `/0/addresses` */
export function createMalformedInputError(path: string): ShopError {
  const detail = `Expected data at ${path} to be an array.`
  return createShopError(400, 'FRAMEWORK__WRITE_MALFORMED_INPUT', detail, {parameters: {path}})
}

/** A dangling foreign key, in the words of the shop's database. */
export function createDanglingIdError(entity: string, column: string): ShopError {
  return createHttpError(
    500,
    `An exception occurred while executing a query: SQLSTATE[23000]: Integrity constraint violation: 1452 Cannot add or update a child row: a foreign key constraint fails (${entity}.${column})`,
    '1452',
  )
}

/** A text too long for its column, in the words of the shop's database. */
export function createTooLongForColumnError(column: string): ShopError {
  const reason = `SQLSTATE[22001]: String data, right truncated: 1406 Data too long for column '${column}' at row 1`
  return createHttpError(500, `An exception occurred while executing a query: ${reason}`, '1406')
}

/** A duplicate of a unique value, in the words of the shop's database. @see protocol.md §1.3 */
export function createDuplicateError(entity: string, field: string, value: string): ShopError {
  const detail =
    'An exception occurred while executing a query: SQLSTATE[23000]: Integrity constraint violation: ' +
    `1062 Duplicate entry '${value}' for key '${entity}.uniq.${entity}.${field}'`
  return createHttpError(400, detail, '1062')
}

/** An update of a missing row, or a creation with an existing id. */
export function createWrongIntentError(entity: string, intended: 'create' | 'update'): ShopError {
  const [expectedClass, actualClass] = intended === 'create' ? [INSERT, UPDATE] : [UPDATE, INSERT]
  const hint = intended === 'update' ? 'Hint: Use POST method to create new entities.' : ''
  const detail = `Expected command for "${entity}" to be "${expectedClass}". (Got: ${actualClass})${hint}`
  const parameters = {definition: entity, expectedClass, actualClass}
  return createShopError(400, 'FRAMEWORK__WRITE_TYPE_INTEND_ERROR', detail, {parameters})
}

const COMMANDS = 'Shopware\\Core\\Framework\\DataAbstractionLayer\\Write\\Command'
const INSERT = `${COMMANDS}\\InsertCommand`
const UPDATE = `${COMMANDS}\\UpdateCommand`

export function createInUseError(entity: string, usages: Readonly<Record<string, number>>): ShopError {
  const usagesString = Object.entries(usages)
    .map(([name, count]) => `${name} (${count})`)
    .join(', ')
  const detail = `The delete request for ${entity} was denied due to a conflict. The entity is currently in use by: ${usagesString}`
  return createShopError(409, 'FRAMEWORK__DELETE_RESTRICTED', detail, {
    parameters: {entity, usagesString, usages},
  })
}
