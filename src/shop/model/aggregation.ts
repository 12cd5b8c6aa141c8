import type {Filter, Sorting} from './criteria.js'

/** One number, or a few, over all values of a field. */
export interface Metric {
  type: 'count' | 'avg' | 'sum' | 'min' | 'max' | 'stats'
  name: string
  field: string
}

/** How many values lie between bounds; the lower one is inside, the upper one is not. */
export interface RangeAggregation {
  type: 'range'
  name: string
  field: string
  ranges: readonly {key: string; from?: number; to?: number}[]
}

/** The things that a field's ids stand for. */
export interface EntityAggregation {
  type: 'entity'
  name: string
  field: string
  /** Name of the entity. */
  definition: string
}

/** Another aggregation, of what fits filters. Its own name appears nowhere. */
export interface FilterAggregation {
  type: 'filter'
  name: string
  filters: readonly Filter[]
  aggregation: Aggregation
}

/** A bucket for each value. */
export interface TermsAggregation {
  type: 'terms'
  name: string
  field: string
  /** The most buckets; all of them when absent. */
  limit?: number
  sorting?: Sorting
  /** Of the things in each bucket. */
  aggregation?: Aggregation
}

export const INTERVALS = ['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const
export type Interval = (typeof INTERVALS)[number]

/** A bucket for each stretch of time that has something in it. */
export interface HistogramAggregation {
  type: 'histogram'
  name: string
  field: string
  interval: Interval
  /** Of the keys, in the letters of PHP's `date`. */
  format?: string
  /** Name of a zone, or an offset such as `+02:00`; UTC when absent. */
  timeZone?: string
  sorting?: Sorting
  /** Of the things in each bucket. */
  aggregation?: Aggregation
}

export type Buckets = TermsAggregation | HistogramAggregation

/** What is to be told about everything that criteria find, not only about one page of it. @see protocol.md §6.5 */
export type Aggregation = Metric | RangeAggregation | EntityAggregation | FilterAggregation | Buckets

/** Sorting buckets by this is sorting by how much is in them. */
export const BUCKET_COUNT = '_count'

/** An aggregation laid out flat: filters of all its levels, its buckets from the outermost in, and what is innermost. */
export interface AggregationPlan {
  filters: readonly Filter[]
  levels: readonly Buckets[]
  leaf: Metric | RangeAggregation | EntityAggregation | undefined
}

/** Each level holds at most one other, so that one grouped query answers for all of them. */
export function planOf(aggregation: Aggregation | undefined): AggregationPlan {
  if (!aggregation) return {filters: [], levels: [], leaf: undefined}
  if (aggregation.type === 'filter') {
    const inner = planOf(aggregation.aggregation)
    return {...inner, filters: [...aggregation.filters, ...inner.filters]}
  }
  if (aggregation.type !== 'terms' && aggregation.type !== 'histogram')
    return {filters: [], levels: [], leaf: aggregation}
  const inner = planOf(aggregation.aggregation)
  return {...inner, levels: [aggregation, ...inner.levels]}
}
