import type {Criteria, Filter} from '../../model/criteria.js'
import {type Aggregation, BUCKET_COUNT} from '../../model/criteria.js'

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
  const bounds = criteria.aggregations.map(boundsOf)
  const nested = Object.values(criteria.associations).map(countValues)
  return sum([criteria.ids?.length ?? 0, ...filtersOf(criteria).map(valuesOfFilter), ...bounds, ...nested])
}

/** How many associations criteria load, at any depth. */
export function countAssociations({associations}: Criteria): number {
  const nested = Object.values(associations)
  return nested.length + sum(nested.map(countAssociations))
}

/** How many fields filters name, with the associations on the way to each, those inside associations included. */
export function countFilterSteps(criteria: Criteria): number {
  const steps = filtersOf(criteria)
    .flatMap(fieldsOfFilter)
    .map(name => 1 + crossed(name))
  return sum([...steps, ...Object.values(criteria.associations).map(countFilterSteps)])
}

/** Most associations on the way to one field, not those inside associations. */
export function longestPath(criteria: Criteria): number {
  return fieldsOf(criteria).reduce((longest, name) => Math.max(longest, crossed(name)), 0)
}

/** Dots in front of a field; those inside custom fields are part of their names. */
function crossed(name: string): number {
  let dots = 0
  for (let at = name.indexOf('.'); at >= 0; at = name.indexOf('.', at + 1)) {
    if (name.endsWith('customFields', at)) return dots
    dots++
  }
  return dots
}

function filtersOf({filters, postFilters, queries, aggregations}: Criteria): readonly Filter[] {
  return [
    ...filters,
    ...postFilters,
    ...queries.map(({filter}) => filter),
    ...aggregations.flatMap(filtersOfAggregation),
  ]
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
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
