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
