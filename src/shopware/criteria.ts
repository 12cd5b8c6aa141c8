import type {Association, Entity} from './entity.js'

export type FieldScalar = string | number | boolean

/** What is compared with; several bounds must all hold. A null bound holds for nothing. */
export interface FieldBounds {
  gt?: string | number | null
  gte?: string | number | null
  lt?: string | number | null
  lte?: string | number | null
}

/** One condition on a field. @see protocol.md §6.3 */
export type FieldFilter =
  | {type: 'equals'; field: string; value: FieldScalar | null}
  | {type: 'equalsAny'; field: string; values: readonly FieldScalar[]}
  | {type: 'contains' | 'prefix' | 'suffix'; field: string; value: FieldScalar}
  | {type: 'range'; field: string; bounds: FieldBounds}

export type Operator = 'and' | 'or' | 'xor'

/** A condition on things of one kind. A group without members restricts nothing. @see protocol.md §6.3 */
export type EntityFilter =
  | FieldFilter
  | {type: Operator; filters: readonly EntityFilter[]}
  | {type: 'not'; operator: Operator; filters: readonly EntityFilter[]}

/** A condition that earns points where it holds. @see protocol.md §6.2, `query` */
export interface ScoredFilter {
  filter: FieldFilter | EntityFilter
  points: number
  /** A number by which the points are multiplied. */
  scoreField?: string
}

export interface Sorting {
  field: string
  descending: boolean
  /** Shorter texts first, so that 9 comes before 10. */
  natural: boolean
  /** By how many there are instead of by their value. */
  count: boolean
}

/** Which things are wanted. @see protocol.md §6.2 */
export interface EntityCriteria {
  /** As they were sent; then limit, offset and count mode count for nothing. */
  ids?: readonly string[]
  /** The thing that they hang on, and how. */
  owner?: {entity: string; association: Association; id: string}
  /** `undefined` only inside associations: all of them. */
  limit: number | undefined
  offset: number
  term?: string
  filters: readonly EntityFilter[]
  postFilters: readonly EntityFilter[]
  queries: readonly ScoredFilter[]
  sorting: readonly Sorting[]
  countMode: 'none' | 'exact' | 'next-pages'
  /** Fields of which each value, or each set of values, is to come once. */
  grouping: readonly string[]
  /** Of all that is found: they take no notice of post-filters, sorting, groups and pages. */
  aggregations: readonly CriteriaAggregation[]
  associations: Readonly<Record<string, EntityCriteria>>
  /** Members to load, where not all of them are wanted. */
  fields?: readonly string[]
  /** Associations that are loaded for the sake of `fields` alone, which asks for no privilege. */
  loadedByFields?: ReadonlySet<string>
  /** What was sent in `includes` where a list should be, by alias: refused where such a thing is shown. */
  unlisted?: Readonly<Record<string, unknown>>
  /** Members to keep, by alias. */
  includes?: Readonly<Record<string, readonly string[]>>
}

/** A search of one kind of things. */
export interface EntitySearch {
  readonly entity: Entity
  readonly criteria: EntityCriteria
  /** What earns points, the term's conditions included. */
  readonly scored: readonly ScoredFilter[]
}

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
interface EntityAggregation {
  type: 'entity'
  name: string
  field: string
  /** Name of the entity. */
  definition: string
}

/** Another aggregation, of what fits filters. Its own name appears nowhere. */
interface FilterAggregation {
  type: 'filter'
  name: string
  filters: readonly EntityFilter[]
  aggregation: CriteriaAggregation
}

/** A bucket for each value. */
interface TermsAggregation {
  type: 'terms'
  name: string
  field: string
  /** The most buckets; all of them when absent. */
  limit?: number
  sorting?: Sorting
  /** Of the things in each bucket. */
  aggregation?: CriteriaAggregation
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
  sorting?: Sorting
  /** Of the things in each bucket. */
  aggregation?: CriteriaAggregation
}

export type Buckets = TermsAggregation | HistogramAggregation

/** What is to be told about everything that criteria find, not only about one page of it. @see protocol.md §6.5 */
export type CriteriaAggregation = Metric | RangeAggregation | EntityAggregation | FilterAggregation | Buckets

/** Sorting buckets by this is sorting by how much is in them. */
export const BUCKET_COUNT = '_count'

/** An aggregation laid out flat: filters of all its levels, its buckets from the outermost in, and what is innermost. */
export interface AggregationPlan {
  filters: readonly EntityFilter[]
  levels: readonly Buckets[]
  leaf: Metric | RangeAggregation | EntityAggregation | undefined
}

/** Each level holds at most one other, so that one grouped query answers for all of them. */
export function planOf(aggregation: CriteriaAggregation | undefined): AggregationPlan {
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
