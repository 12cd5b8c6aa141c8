import type {Association, Entity} from './entity.js'

export type FieldScalar = string | number | boolean

/** Bounds of a comparison; all of them must hold. A null bound never holds. */
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

/** A condition on entities of one kind. A group without members restricts nothing. @see protocol.md §6.3 */
export type EntityFilter =
  | FieldFilter
  | {type: Operator; filters: readonly EntityFilter[]}
  | {type: 'not'; operator: Operator; filters: readonly EntityFilter[]}

/** A condition that adds to the score where it holds. @see protocol.md §6.2, `query` */
export interface ScoredFilter {
  filter: FieldFilter | EntityFilter
  points: number
  /** Field by whose number the score is multiplied. */
  scoreField?: string
}

export interface Sorting {
  field: string
  descending: boolean
  /** Shorter texts first, so that 9 comes before 10. */
  natural: boolean
  /** By their number instead of by their value. */
  count: boolean
}

/** A search for entities. @see protocol.md §6.2 */
export interface EntityCriteria {
  /** As they were sent; with ids, limit, offset and count mode are ignored. */
  ids?: readonly string[]
  /** The entity that they belong to, and by which association. */
  owner?: {entity: string; association: Association; id: string}
  /** `undefined` for all, only inside associations. */
  limit: number | undefined
  offset: number
  term?: string
  filters: readonly EntityFilter[]
  postFilters: readonly EntityFilter[]
  queries: readonly ScoredFilter[]
  sorting: readonly Sorting[]
  countMode: 'none' | 'exact' | 'next-pages'
  /** Fields whose values, or sets of values, are returned once each. */
  grouping: readonly string[]
  /** Over all results: they ignore post-filters, sorting, groups and pages. */
  aggregations: readonly CriteriaAggregation[]
  associations: Readonly<Record<string, EntityCriteria>>
  /** Members to load; all of them when absent. */
  fields?: readonly string[]
  /** Associations that are loaded only because of `fields`, for which no privilege is needed. */
  loadedByFields?: ReadonlySet<string>
  /** Values in `includes` that are not lists, by alias: refused once such an entity is shown. */
  unlisted?: Readonly<Record<string, unknown>>
  /** Members to keep, by alias. */
  includes?: Readonly<Record<string, readonly string[]>>
}

/** A search for entities of one kind. */
export interface EntitySearch {
  readonly entity: Entity
  readonly criteria: EntityCriteria
  /** Scored conditions, those of the term included. */
  readonly scored: readonly ScoredFilter[]
}

/** One or a few numbers over all values of a field. */
export interface Metric {
  type: 'count' | 'avg' | 'sum' | 'min' | 'max' | 'stats'
  name: string
  field: string
}

/** How many values are between bounds; the lower one is inclusive, the upper one exclusive. */
export interface RangeAggregation {
  type: 'range'
  name: string
  field: string
  ranges: readonly {key: string; from?: number; to?: number}[]
}

/** The entities that a field's ids refer to. */
interface EntityAggregation {
  type: 'entity'
  name: string
  field: string
  /** Name of the entity. */
  definition: string
}

/** Another aggregation, over entities that match filters. Its own name does not appear in the response. */
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
  /** Most buckets; all of them when absent. */
  limit?: number
  sorting?: Sorting
  /** Over the entities in each bucket. */
  aggregation?: CriteriaAggregation
}

export const INTERVALS = ['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const
export type Interval = (typeof INTERVALS)[number]

/** A bucket for each non-empty interval of time. */
export interface HistogramAggregation {
  type: 'histogram'
  name: string
  field: string
  interval: Interval
  /** Format of the keys, as in PHP's `date`. */
  format?: string
  sorting?: Sorting
  /** Over the entities in each bucket. */
  aggregation?: CriteriaAggregation
}

export type Buckets = TermsAggregation | HistogramAggregation

/** An aggregation over everything that criteria find, not only over one page. @see protocol.md §6.5 */
export type CriteriaAggregation = Metric | RangeAggregation | EntityAggregation | FilterAggregation | Buckets

/** Sort field for the size of buckets. */
export const BUCKET_COUNT = '_count'

/** A flattened aggregation: filters of all levels, buckets from the outermost in, and the innermost aggregation. */
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
