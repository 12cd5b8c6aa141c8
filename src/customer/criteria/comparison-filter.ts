import {testOf} from '../../language/where/comparison.js'
import type {Comparison} from '../../language/where/condition.js'
import type {Scalar as Fit} from '../../language/where/value.js'
import type {FieldFinder} from '../fields/fields.js'
import type {Filter, Scalar} from './criteria.js'
import {storedTime} from './time.js'

const RANGES = {'<': 'lt', '<=': 'lte', '>': 'gt', '>=': 'gte'} as const
const TEXT_MATCHES = {contains: 'contains', starts: 'prefix', ends: 'suffix'} as const

/**
 * The filter of one comparison.
 *
 * @throws StorectlError `usage.where`
 */
export function comparisonFilter(part: Comparison, text: string, fields: FieldFinder): Filter {
  const test = testOf(part, text, fields)
  const {field} = test
  if (test.kind === 'list') {
    return {type: test.operator === 'in' ? 'equalsAny' : 'equalsAll', field, value: test.values.map(sent)}
  }
  const {operator, value} = test
  if (operator === '=' || operator === '!=') {
    const equals: Filter = {type: 'equals', field, value: value === null ? null : sent(value)}
    return operator === '=' ? equals : {type: 'not', operator: 'and', queries: [equals]}
  }
  const wanted = sent(value as Fit)
  if (operator === 'contains' || operator === 'starts' || operator === 'ends') {
    return {type: TEXT_MATCHES[operator], field, value: String(wanted)}
  }
  return {type: 'range', field, parameters: {[RANGES[operator]]: wanted}}
}

/** As the shop keeps it. */
function sent(value: Fit): Scalar {
  return value instanceof Date ? storedTime(value) : value
}
