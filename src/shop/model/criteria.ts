import type {Aggregation} from './aggregation.js'
import type {Association} from './entity.js'

export type Scalar = string | number | boolean

/** What is compared with; several bounds must all hold. A null bound holds for nothing. */
export interface Bounds {
  gt?: string | number | null
  gte?: string | number | null
  lt?: string | number | null
  lte?: string | number | null
}

/** One condition on a field. @see protocol.md §6.3 */
export type Leaf =
  | {type: 'equals'; field: string; value: Scalar | null}
  | {type: 'equalsAny'; field: string; values: readonly Scalar[]}
  | {type: 'contains' | 'prefix' | 'suffix'; field: string; value: Scalar}
  | {type: 'range'; field: string; bounds: Bounds}

export type Operator = 'and' | 'or' | 'xor'

/** A condition on things of one kind. A group without members restricts nothing. @see protocol.md §6.3 */
export type Filter =
  | Leaf
  | {type: Operator; filters: readonly Filter[]}
  | {type: 'not'; operator: Operator; filters: readonly Filter[]}

/** A condition that earns points where it holds. @see protocol.md §6.2, `query` */
export interface ScoredFilter {
  filter: Leaf | Filter
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
export interface Criteria {
  /** In lower case; then limit, offset and count mode count for nothing. */
  ids?: readonly string[]
  /** The thing that they hang on, and how. */
  owner?: {entity: string; association: Association; id: string}
  /** `undefined` only inside associations: all of them. */
  limit: number | undefined
  offset: number
  term?: string
  filters: readonly Filter[]
  postFilters: readonly Filter[]
  queries: readonly ScoredFilter[]
  sorting: readonly Sorting[]
  countMode: 'none' | 'exact' | 'next-pages'
  /** Fields of which each value, or each set of values, is to come once. */
  grouping: readonly string[]
  /** Of all that is found: they take no notice of post-filters, sorting, groups and pages. */
  aggregations: readonly Aggregation[]
  associations: Readonly<Record<string, Criteria>>
  /** Members to load, where not all of them are wanted. */
  fields?: readonly string[]
  /** Members to keep, by alias. */
  includes?: Readonly<Record<string, readonly string[]>>
}
