import type {Criteria, Filter} from '../../../shop-model/criteria.js'

/** The fields that a filter compares, in the order in which they stand. */
export function fieldsOfFilter(filter: Filter): string[] {
  return 'field' in filter ? [filter.field] : filter.filters.flatMap(fieldsOfFilter)
}

/** Every field that criteria name, not those inside associations: filters, post-filters, queries, sorting, groups. */
export function fieldsOf(criteria: Criteria): string[] {
  return [
    ...criteria.filters.flatMap(fieldsOfFilter),
    ...criteria.postFilters.flatMap(fieldsOfFilter),
    ...criteria.queries.flatMap(({filter, scoreField}) => [
      ...fieldsOfFilter(filter),
      ...(scoreField === undefined ? [] : [scoreField]),
    ]),
    ...criteria.sorting.map(({field}) => field).filter(field => field !== SCORE),
    ...criteria.grouping,
  ]
}

/** Sorting by this is sorting by points, which is no field. @see protocol.md §6.7 */
export const SCORE = '_score'

/** How many values criteria compare with, those inside associations included. */
export function countValues(criteria: Criteria): number {
  const filters = [
    ...criteria.filters,
    ...criteria.postFilters,
    ...criteria.queries.map(({filter}) => filter),
  ]
  const nested = Object.values(criteria.associations).map(countValues)
  const counts = [criteria.ids?.length ?? 0, ...filters.map(valuesOfFilter), ...nested]
  return counts.reduce((sum, count) => sum + count, 0)
}

function valuesOfFilter(filter: Filter): number {
  if ('field' in filter) return filter.type === 'equalsAny' ? filter.values.length : 1
  return filter.filters.reduce((sum, member) => sum + valuesOfFilter(member), 0)
}
