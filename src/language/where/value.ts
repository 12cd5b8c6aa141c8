import {readMoment} from '../quantities.js'
import type {ConditionValue} from './condition.js'

/** A value that fits its field; a `Date` for fields of time alone. */
export type FittedValue = string | number | boolean | Date

type Fit = {readonly value: FittedValue} | {readonly problem: string}

const NUMBER = /^-?\d+(\.\d+)?$/
const ID = /^(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i
const DATE = /^\d{4}-\d\d-\d\d$/

/**
 * A value as it is compared with a field of the type, or why it does not fit.
 *
 * @param field its name, for the message
 */
export function fitValue(
  value: Exclude<ConditionValue, {kind: 'null'}>,
  type: FieldType,
  field: string,
): Fit {
  if (type === 'any') return fitAnything(value, field)
  if (type === 'boolean') {
    return value.kind === 'boolean' ? {value: value.value} : {problem: `${field} is true or false.`}
  }
  if (type === 'number') return fitNumber(value, field)
  if (value.kind === 'boolean') return {problem: `${field} is never true or false.`}
  if (value.text === '') return createEmptyValueFault(field)
  if (type === 'time') return time(value.text, field)
  if (type === 'date' && !isDate(value.text)) return {problem: `${field} is a date: write 1990-01-31.`}
  if (type === 'id') {
    if (!ID.test(value.text)) return {problem: `${field} is an id: 32 digits from 0 to 9 and a to f.`}
    return {value: value.text.toLowerCase().replaceAll('-', '')}
  }
  return {value: value.text}
}

/** Numbers typed without quotes are compared as numbers. */
function fitAnything(value: Exclude<ConditionValue, {kind: 'null'}>, field: string): Fit {
  if (value.kind === 'boolean') return {value: value.value}
  if (value.kind === 'bare' && NUMBER.test(value.text)) return {value: Number(value.text)}
  return value.text === '' ? createEmptyValueFault(field) : {value: value.text}
}

function createEmptyValueFault(field: string): Fit {
  return {problem: `cannot compare with empty text; write ${field} = null.`}
}

function fitNumber(value: Exclude<ConditionValue, {kind: 'null'}>, field: string): Fit {
  if (value.kind === 'bare' && NUMBER.test(value.text)) return {value: Number(value.text)}
  const quoted = value.kind === 'text' && NUMBER.test(value.text)
  return {problem: `${field} is a number${quoted ? `; omit the quotes: ${value.text}` : ''}.`}
}

function time(text: string, field: string): Fit {
  const moment = readMoment(text)
  return 'problem' in moment ? {problem: `${field} is a date and time: ${moment.problem}`} : {value: moment}
}

function isDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`)
  return DATE.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** The type of a field's values; `any` is a field without a declared type. */
export type FieldType = 'text' | 'id' | 'number' | 'boolean' | 'time' | 'date' | 'list' | 'any'

/** A field of the type. */
export interface KnownField {
  readonly type: FieldType
}

/** Why a path leads nowhere; `at` is where the wrong part of it begins, from 0. */
export interface MissingField {
  readonly problem: string
  readonly at: number
}

/** Finds fields by dotted path: `email`, `defaultBillingAddress.city`, `customFields.colour`. */
export interface Fields<Found extends KnownField = KnownField> {
  find(path: string): Found | MissingField
}
