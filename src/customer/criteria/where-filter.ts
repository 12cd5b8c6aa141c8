import type {Condition} from '../../language/where/condition.js'
import type {FieldFinder} from '../fields/fields.js'
import {comparisonFilter} from './comparison-filter.js'
import {allOf, anyOf, type Filter} from './criteria.js'

/**
 * The filter that a condition means.
 *
 * A comparison with a field that is empty is false, and `not` turns it round: what the shop leaves out of a negation
 * because the field is null is asked for explicitly.
 *
 * @param text what the condition was read from, for messages
 * @throws StorectlError `usage.where` for an unknown field, or a value or an operator that does not fit the field
 * @see protocol.md §6.3; in `not` only `equals` compares null-safe there
 */
export function filterOf(condition: Condition, text: string, fields: FieldFinder): Filter {
  return translated(condition, false)

  function translated(part: Condition, negated: boolean): Filter {
    if (part.kind === 'not') return translated(part.part, !negated)
    if (part.kind === 'and' || part.kind === 'or') {
      const parts = part.parts.map(each => translated(each, negated))
      return (part.kind === 'and') === negated ? anyOf(parts) : (allOf(parts) as Filter)
    }
    const filter = comparisonFilter(part, text, fields)
    if (!negated) return filter
    if (filter.type === 'not') return filter.queries[0] as Filter
    const opposite: Filter = {type: 'not', operator: 'and', queries: [filter]}
    return filter.type === 'equals'
      ? opposite
      : anyOf([opposite, {type: 'equals', field: part.field.name, value: null}])
  }
}
