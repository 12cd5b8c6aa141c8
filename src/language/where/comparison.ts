import type {Comparison, Condition, ConditionValue, ListOperator, SingleOperator} from './condition.js'
import {createWhereError} from './tokenizer.js'
import type {Fields, FieldType, KnownField} from './value.js'
import {type FittedValue, fitValue} from './value.js'

/** One comparison whose field exists and whose values fit it. */
export type Test = SingleTest | ListTest

export interface SingleTest {
  readonly kind: 'single'
  /** The field's path. */
  readonly field: string
  readonly type: FieldType
  readonly operator: SingleOperator
  /** `null` with `=` and `!=` alone. */
  readonly value: FittedValue | null
}

export interface ListTest {
  readonly kind: 'list'
  readonly field: string
  readonly type: FieldType
  readonly operator: ListOperator
  readonly values: readonly FittedValue[]
}

/** A checked condition. */
export type Tested =
  | {readonly kind: 'and' | 'or'; readonly parts: readonly Tested[]}
  | {readonly kind: 'not'; readonly part: Tested}
  | Test

/** The operators of each type of field. */
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

/**
 * Checks every comparison of a condition against the fields.
 *
 * @param text what the condition was read from, for messages
 * @throws StorectlError `usage.where` for an unknown field, or a value or an operator that does not fit the field
 */
export function checkCondition(condition: Condition, text: string, fields: Fields): Tested {
  if (condition.kind === 'and' || condition.kind === 'or') {
    return {
      kind: condition.kind,
      parts: condition.parts.map(part => checkCondition(part, text, fields)),
    }
  }
  if (condition.kind === 'not') return {kind: 'not', part: checkCondition(condition.part, text, fields)}
  return testOf(condition, text, fields)
}

/** Checks one comparison against the fields; see `checkCondition`. */
export function testOf(part: Comparison, text: string, fields: Fields): Test {
  const {type} = findComparedField(part, text, fields)
  const field = part.field.name
  if (!OPERATORS[type].includes(part.operator)) {
    const problem = `"${part.operator}" does not work on ${field}, ${NAMES[type]}; use one of`
    throw createWhereError(text, part.field.at, `${problem} ${OPERATORS[type].join(' ')}.`)
  }
  const fit = (value: ConditionValue) => requireNotNull(value, field, type, text)
  if (part.kind === 'list') {
    return {kind: 'list', field, type, operator: part.operator, values: part.values.map(fit)}
  }
  const {operator, value} = part
  const isEquality = operator === '=' || operator === '!='
  return {
    ...{kind: 'single', field, type, operator},
    value: isEquality && value.kind === 'null' ? null : fit(value),
  }
}

function requireNotNull(value: ConditionValue, field: string, type: FieldType, text: string): FittedValue {
  if (value.kind === 'null') {
    throw createWhereError(text, value.at, `null works with = and != only: ${field} = null.`)
  }
  const fit = fitValue(value, type, field)
  if ('problem' in fit) throw createWhereError(text, value.at, fit.problem)
  return fit.value
}

function findComparedField({field}: Comparison, text: string, fields: Fields): KnownField {
  const found = fields.find(field.name)
  if ('type' in found) return found
  throw createWhereError(text, field.at + found.at, found.problem)
}
