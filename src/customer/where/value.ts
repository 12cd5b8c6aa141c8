import type {Scalar} from '../criteria.js'
import type {FieldType} from '../fields.js'
import {readTime} from '../time.js'
import type {Value} from './tree.js'

type Fit = {readonly value: Scalar} | {readonly problem: string}

const NUMBER = /^-?\d+(\.\d+)?$/
const ID = /^[0-9a-f]{32}$/i
const DATE = /^\d{4}-\d\d-\d\d$/

/**
 * A value as the shop compares it with a field of the type, or why it does not fit.
 *
 * @param field its name, for the message
 */
export function fitting(value: Exclude<Value, {kind: 'null'}>, type: FieldType, field: string): Fit {
  if (type === 'any') return anything(value)
  if (type === 'boolean') {
    return value.kind === 'boolean' ? {value: value.value} : {problem: `${field} is true or false.`}
  }
  if (type === 'number') return number(value, field)
  if (value.kind === 'boolean') return {problem: `${field} is never true or false.`}
  if (value.text === '')
    return {problem: `the shop cannot compare with an empty text; write ${field} = null.`}
  if (type === 'time') return time(value.text, field)
  if (type === 'date' && !isDate(value.text)) return {problem: `${field} is a date: write 1990-01-31.`}
  if (type === 'id') {
    if (!ID.test(value.text)) return {problem: `${field} is an id: 32 digits from 0 to 9 and a to f.`}
    return {value: value.text.toLowerCase()}
  }
  return {value: value.text}
}

/** Custom fields may hold any JSON; numbers typed without quotes are sent as numbers. */
function anything(value: Exclude<Value, {kind: 'null'}>): Fit {
  if (value.kind === 'boolean') return {value: value.value}
  if (value.kind === 'bare' && NUMBER.test(value.text)) return {value: Number(value.text)}
  return value.text === '' ? {problem: 'the shop cannot compare with an empty text.'} : {value: value.text}
}

function number(value: Exclude<Value, {kind: 'null'}>, field: string): Fit {
  if (value.kind === 'bare' && NUMBER.test(value.text)) return {value: Number(value.text)}
  const quoted = value.kind === 'text' && NUMBER.test(value.text)
  return {problem: `${field} is a number${quoted ? `; leave the quotes off: ${value.text}` : ''}.`}
}

function time(text: string, field: string): Fit {
  const read = readTime(text)
  return 'problem' in read ? {problem: `${field} is a date and time: ${read.problem}`} : {value: read.stored}
}

function isDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`)
  return DATE.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}
