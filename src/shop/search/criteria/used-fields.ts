import type {EntityCriteria, EntityFilter} from '../../../shopware/criteria.js'
import {BUCKET_COUNT, type CriteriaAggregation} from '../../../shopware/criteria.js'

/** The fields in a filter, in order. */
export function listFilterFields(filter: EntityFilter): string[] {
  return 'field' in filter ? [filter.field] : filter.filters.flatMap(listFilterFields)
}

/** The fields that an aggregation counts, filters and sorts by, including nested ones. */
function listAggregationFields(aggregation: CriteriaAggregation): string[] {
  const {type} = aggregation
  if (type === 'filter') {
    return [
      ...aggregation.filters.flatMap(listFilterFields),
      ...listAggregationFields(aggregation.aggregation),
    ]
  }
  if (type !== 'terms' && type !== 'histogram') return [aggregation.field]
  const {field, sorting, aggregation: nested} = aggregation
  return [
    field,
    ...(sorting && sorting.field !== BUCKET_COUNT ? [sorting.field] : []),
    ...(nested ? listAggregationFields(nested) : []),
  ]
}

/** The filters in an aggregation, at any depth. */
export function listAggregationFilters(aggregation: CriteriaAggregation): readonly EntityFilter[] {
  if (aggregation.type === 'filter')
    return [...aggregation.filters, ...listAggregationFilters(aggregation.aggregation)]
  const nested = 'aggregation' in aggregation ? aggregation.aggregation : undefined
  return nested ? listAggregationFilters(nested) : []
}

/** Every field in criteria, without those inside associations, in the order of protocol.md §3.4. */
export function listCriteriaFields(criteria: EntityCriteria): string[] {
  return [
    ...criteria.filters.flatMap(listFilterFields),
    ...criteria.postFilters.flatMap(listFilterFields),
    ...criteria.sorting.map(({field}) => field).filter(field => field !== SCORE),
    ...criteria.queries.flatMap(({filter, scoreField}) => [
      ...listFilterFields(filter),
      ...(scoreField === undefined ? [] : [scoreField]),
    ]),
    ...criteria.aggregations.flatMap(listAggregationFields),
    ...criteria.grouping,
  ]
}

/** Name for sorting by score, which is not a field. @see protocol.md §6.7 */
export const SCORE = '_score'

/** How many values criteria contain, those inside associations included. */
export function countValues(criteria: EntityCriteria): number {
  const bounds = criteria.aggregations.map(countBounds)
  const nested = Object.values(criteria.associations).map(countValues)
  return sum([
    criteria.ids?.length ?? 0,
    ...listFilters(criteria).map(countFilterValues),
    ...bounds,
    ...nested,
  ])
}

/** How many associations criteria load, at any depth. */
export function countAssociations({associations}: EntityCriteria): number {
  const nested = Object.values(associations)
  return nested.length + sum(nested.map(countAssociations))
}

/** How many fields filters contain, with the associations on their paths, those inside associations included. */
export function countFilterSteps(criteria: EntityCriteria): number {
  const steps = listFilters(criteria)
    .flatMap(listFilterFields)
    .map(name => 1 + countCrossed(name))
  return sum([...steps, ...Object.values(criteria.associations).map(countFilterSteps)])
}

/** Most associations on the path to one field, without those inside associations. */
export function findLongestPath(criteria: EntityCriteria): number {
  return listCriteriaFields(criteria).reduce((longest, name) => Math.max(longest, countCrossed(name)), 0)
}

/** Dots before a field; those inside custom fields are part of their names. */
function countCrossed(name: string): number {
  let dots = 0
  for (let at = name.indexOf('.'); at >= 0; at = name.indexOf('.', at + 1)) {
    if (name.endsWith('customFields', at)) return dots
    dots++
  }
  return dots
}

function listFilters({filters, postFilters, queries, aggregations}: EntityCriteria): readonly EntityFilter[] {
  return [
    ...filters,
    ...postFilters,
    ...queries.map(({filter}) => filter),
    ...aggregations.flatMap(listAggregationFilters),
  ]
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}

export function countBounds(aggregation: CriteriaAggregation): number {
  if (aggregation.type === 'range') return 2 * aggregation.ranges.length
  return 'aggregation' in aggregation && aggregation.aggregation ? countBounds(aggregation.aggregation) : 0
}

function countFilterValues(filter: EntityFilter): number {
  if ('field' in filter) return filter.type === 'equalsAny' ? filter.values.length : 1
  return filter.filters.reduce((sum, member) => sum + countFilterValues(member), 0)
}
