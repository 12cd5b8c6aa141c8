import {createUsageError, type StorectlError} from '../../errors.js'
import {LARGEST_PAGE, type SearchCriteria, type Sort} from '../criteria/criteria.js'
import type {GivenCriteria} from '../criteria/criteria-file.js'
import {type CustomerQuery, trimWords} from '../criteria/customer-query.js'
import {BY_AGE} from './keyset.js'

/** Which customers to find, in which order and how many. */
export interface SearchInput extends CustomerQuery {
  /** `-createdAt,lastName`; by the order in which customers were made when it is left out. */
  readonly sort?: string | undefined
  /** How many customers at most; `undefined` for all. */
  readonly limit: number | undefined
  /** From 1: passes by `limit` customers for each page before. */
  readonly page?: number | undefined
  /** Rows a request, 1 to 500; 500 when it is left out. */
  readonly pageSize?: number | undefined
  /** The only properties that are needed, as dotted paths; whole customers when it is left out. */
  readonly properties?: readonly string[] | undefined
  /** Additional criteria. */
  readonly criteria?: GivenCriteria | undefined
}

/** Which customers are counted, and by what. */
export interface FacetInput extends SearchInput {
  /** Words of `FACET_FIELDS` or fields, in the order to print them. */
  readonly facets: readonly string[]
  readonly isMasked?: boolean | undefined
}

/**
 * Whether one answer suffices: a page by its number, the shop's own ranking, given ids, groups, and short sorted
 * results.
 *
 * @throws StorectlError `usage.ranked_all`, `usage.criteria`, `usage.limit` if that is impossible
 */
export function isOneAnswer(input: SearchInput, criteria: GivenCriteria): boolean {
  const {limit, pageSize = LARGEST_PAGE} = input
  const why = findSingleResponseReason(input, criteria)
  if (why === undefined) return criteria.sort !== undefined && limit !== undefined && limit <= pageSize
  if (limit === undefined && criteria.ids === undefined) throw createNotAllError(why)
  if (limit !== undefined && limit > LARGEST_PAGE) {
    throw createUsageError('limit', `With ${why} the shop gives ${LARGEST_PAGE} customers at most.`, [
      `--limit ${LARGEST_PAGE}, and --page 2 for those after them`,
    ])
  }
  return true
}

/** Options that require a single answer. */
export function findSingleResponseReason({page}: SearchInput, criteria: GivenCriteria): string | undefined {
  if (criteria.term !== undefined || criteria.query !== undefined) return '--ranked'
  if (criteria.ids !== undefined) return 'ids of --criteria'
  if (criteria.grouping !== undefined) return 'grouping of --criteria'
  return page === undefined ? undefined : '--page'
}

function createNotAllError(why: string): StorectlError {
  if (why !== '--ranked') return createUsageError('criteria', `--all does not go with ${why}.`)
  return createUsageError(
    'ranked_all',
    '--ranked returns one page at a time; the shop cannot list all customers by rank.',
    ['the same command without --ranked   # all customers with every word', '--limit 500 instead of --all'],
  )
}

/** Customers with equal points have no order of their own at a shop, and pages would overlap. @see real-shop.md R10 */
const BY_RANK: readonly Sort[] = [
  {field: '_score', order: 'DESC'},
  {field: 'id', order: 'ASC'},
]

/** The one request. Where nothing else decides the order, it is by rank, or the one in which customers were made. */
export function buildSingleRequest({limit, page}: SearchInput, criteria: GivenCriteria): SearchCriteria {
  if (criteria.ids !== undefined) return criteria
  const isRanked = criteria.term !== undefined || criteria.query !== undefined
  return {
    ...criteria,
    ...(!criteria.sort && {sort: isRanked ? BY_RANK : BY_AGE}),
    ...(limit !== undefined && {limit}),
    ...(page !== undefined && {page}),
  }
}

/**
 * The words as the shop's own `term`.
 *
 * @throws StorectlError `usage.ranked` when there is none
 */
export function buildRankedTerm(terms: readonly string[] = []): string {
  const words = trimWords(terms)
  if (words.length > 0) return words.join(' ')
  throw createUsageError('ranked', '--ranked needs search words.', [
    'storectl customer search ada lovelace --ranked',
  ])
}
