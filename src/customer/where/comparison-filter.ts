import type {Filter, Scalar} from '../criteria.js'
import type {FieldFinder, FieldType} from '../fields.js'
import {whereFault} from './fault.js'
import type {Comparison, ListComparison, SingleComparison, Value, Word} from './tree.js'
import {fitting} from './value.js'

const RANGES = {'<': 'lt', '<=': 'lte', '>': 'gt', '>=': 'gte'} as const
const TEXT_MATCHES = {contains: 'contains', starts: 'prefix', ends: 'suffix'} as const

/** What may be asked of each type of field. */
const OPERATORS: Readonly<Record<FieldType, readonly Comparison['operator'][]>> = {
  text: ['=', '!=', '<', '<=', '>', '>=', 'contains', 'starts', 'ends', 'in', 'all'],
  id: ['=', '!=', 'in', 'all'],
  number: ['=', '!=', '<', '<=', '>', '>=', 'in'],
  boolean: ['=', '!='],
  time: ['=', '!=', '<', '<=', '>', '>='],
  date: ['=', '!=', '<', '<=', '>', '>=', 'in'],
  list: ['=', '!=', 'all'],
  any: ['=', '!=', '<', '<=', '>', '>=', 'contains', 'starts', 'ends', 'in', 'all'],
}

/**
 * The filter of one comparison.
 *
 * @throws StorectlError `usage.where`
 */
export function comparisonFilter(part: Comparison, text: string, fields: FieldFinder): Filter {
  const type = typeOf(part.field, text, fields)
  if (!OPERATORS[type].includes(part.operator)) {
    const problem = `"${part.operator}" does not work on ${part.field.name}, ${NAMES[type]}; use one of`
    throw whereFault(text, part.field.at, `${problem} ${OPERATORS[type].join(' ')}.`)
  }
  return part.kind === 'list' ? listFilter(part, type, text) : singleFilter(part, type, text)
}

const NAMES: Readonly<Record<FieldType, string>> = {
  text: 'which is text',
  id: 'which is an id',
  number: 'which is a number',
  boolean: 'which is true or false',
  time: 'which is a date and time',
  date: 'which is a date',
  list: 'which is a list',
  any: 'which may hold anything',
}

function listFilter(part: ListComparison, type: FieldType, text: string): Filter {
  const value = part.values.map(each => notNull(each, part, type, text))
  return {type: part.operator === 'in' ? 'equalsAny' : 'equalsAll', field: part.field.name, value}
}

function singleFilter(part: SingleComparison, type: FieldType, text: string): Filter {
  const {operator, value} = part
  const field = part.field.name
  if (operator === '=' || operator === '!=') {
    const wanted = value.kind === 'null' ? null : notNull(value, part, type, text)
    const equals: Filter = {type: 'equals', field, value: wanted}
    return operator === '=' ? equals : {type: 'not', operator: 'and', queries: [equals]}
  }
  const wanted = notNull(value, part, type, text)
  if (operator === 'contains' || operator === 'starts' || operator === 'ends') {
    return {type: TEXT_MATCHES[operator], field, value: String(wanted)}
  }
  return {type: 'range', field, parameters: {[RANGES[operator]]: wanted}}
}

function notNull(value: Value, part: Comparison, type: FieldType, text: string): Scalar {
  if (value.kind === 'null') {
    throw whereFault(text, value.at, `null goes with = and != only: ${part.field.name} = null.`)
  }
  const fit = fitting(value, type, part.field.name)
  if ('problem' in fit) throw whereFault(text, value.at, fit.problem)
  return fit.value
}

function typeOf(field: Word, text: string, fields: FieldFinder): FieldType {
  const found = fields.find(field.name)
  if ('type' in found) return found.type
  throw whereFault(text, field.at + found.at, found.problem)
}
