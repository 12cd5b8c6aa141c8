import {type Aggregation, BUCKET_COUNT} from '../../../shop-model/aggregation.js'
import type {Criteria, Filter} from '../../../shop-model/criteria.js'

/** The fields that a filter compares, in the order in which they stand. */
export function fieldsOfFilter(filter: Filter): string[] {
  return 'field' in filter ? [filter.field] : filter.filters.flatMap(fieldsOfFilter)
}

/** The fields that an aggregation counts, filters and sorts by, and those inside it. */
export function fieldsOfAggregation(aggregation: Aggregation): string[] {
  const {type} = aggregation
  if (type === 'filter') {
    return [...aggregation.filters.flatMap(fieldsOfFilter), ...fieldsOfAggregation(aggregation.aggregation)]
  }
  if (type !== 'terms' && type !== 'histogram') return [aggregation.field]
  const {field, sorting, aggregation: nested} = aggregation
  return [
    field,
    ...(sorting && sorting.field !== BUCKET_COUNT ? [sorting.field] : []),
    ...(nested ? fieldsOfAggregation(nested) : []),
  ]
}

/** The filters that stand in an aggregation, at any depth. */
export function filtersOfAggregation(aggregation: Aggregation): readonly Filter[] {
  if (aggregation.type === 'filter')
    return [...aggregation.filters, ...filtersOfAggregation(aggregation.aggregation)]
  const nested = 'aggregation' in aggregation ? aggregation.aggregation : undefined
  return nested ? filtersOfAggregation(nested) : []
}

/** Every field that criteria name, not those inside associations, in the order of protocol.md §3.4. */
export function fieldsOf(criteria: Criteria): string[] {
  return [
    ...criteria.filters.flatMap(fieldsOfFilter),
    ...criteria.postFilters.flatMap(fieldsOfFilter),
    ...criteria.sorting.map(({field}) => field).filter(field => field !== SCORE),
    ...criteria.queries.flatMap(({filter, scoreField}) => [
      ...fieldsOfFilter(filter),
      ...(scoreField === undefined ? [] : [scoreField]),
    ]),
    ...criteria.aggregations.flatMap(fieldsOfAggregation),
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
    ...criteria.aggregations.flatMap(filtersOfAggregation),
  ]
  const bounds = criteria.aggregations.map(boundsOf)
  const nested = Object.values(criteria.associations).map(countValues)
  const counts = [criteria.ids?.length ?? 0, ...filters.map(valuesOfFilter), ...bounds, ...nested]
  return counts.reduce((sum, count) => sum + count, 0)
}

/** How many bounds the ranges of an aggregation may have. */
export function boundsOf(aggregation: Aggregation): number {
  if (aggregation.type === 'range') return 2 * aggregation.ranges.length
  return 'aggregation' in aggregation && aggregation.aggregation ? boundsOf(aggregation.aggregation) : 0
}

function valuesOfFilter(filter: Filter): number {
  if ('field' in filter) return filter.type === 'equalsAny' ? filter.values.length : 1
  return filter.filters.reduce((sum, member) => sum + valuesOfFilter(member), 0)
}
