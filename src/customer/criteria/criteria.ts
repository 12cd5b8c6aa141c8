import type {Frozen} from '../../wire/schemas/allow.js'
import type * as Wire from '../../wire/schemas/search.js'

/** One filter, or several joined by an operator. @see protocol.md §6.3 */
export type CriteriaFilter = Frozen<Wire.Filter>

/** @see protocol.md §6.2 */
export type Sort = Frozen<Pick<Wire.Sort, 'field'> & Required<Pick<Wire.Sort, 'order'>>>

/** How many customers there are of each value of a field. @see protocol.md §6.5 */
export type TermsAggregation = Frozen<Extract<Wire.Aggregation, {type: 'terms'}>>

/**
 * A search as it is sent: the part of the shop's criteria that storectl uses.
 *
 * @see protocol.md §6.2
 */
export interface SearchCriteria {
  ids?: readonly string[]
  /** 1 to 500; the shop takes 500 when it is left out. */
  limit?: number
  /** From 1; without `limit` the shop ignores it. */
  page?: number
  term?: string
  filter?: readonly CriteriaFilter[]
  sort?: readonly Sort[]
  /** 1 counts every match, at the cost of one more query. */
  'total-count-mode'?: 0 | 1 | 2
  associations?: Associations
  /** Requested properties, by `apiAlias`. */
  includes?: Readonly<Record<string, readonly string[]>>
  /** Partial loading, by dotted path. */
  fields?: readonly string[]
  aggregations?: readonly TermsAggregation[]
}

/** Associations to load, nested by name; each may have criteria of its own. */
export interface Associations {
  readonly [name: string]: Omit<SearchCriteria, 'ids' | 'includes'>
}

/** Most rows that the shop returns in one answer. @see protocol.md §6.2 */
export const LARGEST_PAGE = 500

/** All filters combined; `undefined` if there are none. */
export function combineWithAnd(filters: readonly CriteriaFilter[]): CriteriaFilter | undefined {
  return filters.length <= 1 ? filters[0] : {type: 'and', queries: filters}
}

/** At least one of the filters. @param filters one or more */
export function combineWithOr(filters: readonly CriteriaFilter[]): CriteriaFilter {
  const [only] = filters
  return filters.length === 1 && only ? only : {type: 'or', queries: filters}
}
