import {testOf} from '../../language/where/comparison.js'
import type {Comparison, Condition} from '../../language/where/condition.js'
import type {FittedValue as Fit} from '../../language/where/value.js'
import type {FieldFinder} from '../fields/fields.js'
import {type CriteriaFilter, combineWithAnd, combineWithOr} from './criteria.js'

/**
 * The filter of a condition.
 *
 * A comparison with an empty field is false, and `not` inverts it: rows that the shop leaves out of a negation because
 * the field is null are requested explicitly.
 *
 * @param text what the condition was read from, for messages
 * @throws StorectlError `usage.where` for an unknown field, or a value or an operator that does not fit the field
 * @see protocol.md §6.3; in `not` only `equals` compares null-safe there
 */
export function filterOf(condition: Condition, text: string, fields: FieldFinder): CriteriaFilter {
  return translateCondition(condition, false)

  function translateCondition(part: Condition, negated: boolean): CriteriaFilter {
    if (part.kind === 'not') return translateCondition(part.part, !negated)
    if (part.kind === 'and' || part.kind === 'or') {
      const parts = part.parts.map(each => translateCondition(each, negated))
      return (part.kind === 'and') === negated
        ? combineWithOr(parts)
        : (combineWithAnd(parts) as CriteriaFilter)
    }
    const named = expandShortName(part)
    const filter = buildComparisonFilter(named, text, fields)
    if (!negated) return filter
    if (filter.type === 'not') return filter.queries?.[0] as CriteriaFilter
    const opposite: CriteriaFilter = {type: 'not', operator: 'and', queries: [filter]}
    return filter.type === 'equals'
      ? opposite
      : combineWithOr([opposite, {type: 'equals', field: named.field.name, value: null}])
  }
}

/** Names of flags that are fields of the default billing address. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  country: 'defaultBillingAddress.country.iso',
  city: 'defaultBillingAddress.city',
  zip: 'defaultBillingAddress.zipcode',
}

function expandShortName(part: Comparison): Comparison {
  const {name} = part.field
  return Object.hasOwn(SHORT_NAMES, name)
    ? {...part, field: {...part.field, name: SHORT_NAMES[name] as string}}
    : part
}

const RANGES = {'<': 'lt', '<=': 'lte', '>': 'gt', '>=': 'gte'} as const
const TEXT_MATCHES = {contains: 'contains', starts: 'prefix', ends: 'suffix'} as const

/**
 * The filter of one comparison.
 *
 * @throws StorectlError `usage.where`
 */
function buildComparisonFilter(part: Comparison, text: string, fields: FieldFinder): CriteriaFilter {
  const test = testOf(part, text, fields)
  const {field} = test
  if (test.kind === 'list') {
    return {
      type: test.operator === 'in' ? 'equalsAny' : 'equalsAll',
      field,
      value: test.values.map(convertToScalar),
    }
  }
  const {operator, value} = test
  if (operator === '=' || operator === '!=') {
    const equals: CriteriaFilter = {
      type: 'equals',
      field,
      value: value === null ? null : convertToScalar(value),
    }
    return operator === '=' ? equals : {type: 'not', operator: 'and', queries: [equals]}
  }
  const wanted = convertToScalar(value as Fit)
  if (operator === 'contains' || operator === 'starts' || operator === 'ends') {
    return {type: TEXT_MATCHES[operator], field, value: String(wanted)}
  }
  return {type: 'range', field, parameters: {[RANGES[operator]]: wanted}}
}

/** As the shop stores it. */
function convertToScalar(value: Fit): string | number | boolean {
  return value instanceof Date ? formatStoredTime(value) : value
}

/** `2024-10-24 21:30:46.123`, UTC: a moment as the shop keeps and compares it. @see protocol.md §1.6 */
export function formatStoredTime(time: Date): string {
  return time.toISOString().replace('T', ' ').replace('Z', '')
}

/** The moment that such a text names, with or without a zone; `undefined` for whatever else it is. */
export function parseStoredTime(text: string): Date | undefined {
  const [, day, clock, zone = 'Z'] = STORED.exec(text) ?? []
  const moment = new Date(`${day}T${clock}${zone}`)
  return Number.isNaN(moment.getTime()) ? undefined : moment
}

const STORED = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d+)?)(Z|[+-]\d\d:\d\d)?$/
