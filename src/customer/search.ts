import {StorectlError} from '../errors.js'
import type {Batch} from '../output/print.js'
import {type CustomerApi, SEARCH_PATH} from './api.js'
import {type Criteria, LARGEST_PAGE} from './criteria.js'
import type {FieldFinder} from './fields.js'
import {parseSort} from './sort.js'
import {BY_AGE, byKeyset, bySortedIds} from './stream.js'
import {wantedProperties} from './wanted.js'
import {filtersOf, type Wish} from './wish.js'

export interface SearchInput extends Wish {
  /** `-createdAt,lastName`; by the order in which customers were made when it is left out. */
  readonly sort?: string | undefined
  /** How many customers at most; `undefined` for all. */
  readonly limit: number | undefined
  /** Rows a request, 1 to 500; 500 when it is left out. */
  readonly pageSize?: number | undefined
  /** The only properties that are needed, as dotted paths; whole customers when it is left out. */
  readonly properties?: readonly string[] | undefined
}

/**
 * What the shop is asked, without paging.
 *
 * @throws StorectlError `usage.where`, `usage.sort`, `usage.fields`
 */
export function criteriaOf(input: SearchInput, fields: FieldFinder): Criteria {
  const filter = filtersOf(input, fields)
  const sort = input.sort === undefined ? [] : parseSort(input.sort, fields)
  return {
    ...(filter.length > 0 && {filter}),
    ...(sort.length > 0 && {sort}),
    ...(input.properties && wantedProperties(input.properties, fields)),
  }
}

/** The first request of a search, for people who want to learn the shop's own language. */
export function requestText(input: SearchInput, fields: FieldFinder): string {
  const {limit = LARGEST_PAGE, pageSize = LARGEST_PAGE} = input
  const criteria = criteriaOf(input, fields)
  const body = {...criteria, sort: criteria.sort ?? BY_AGE, limit: Math.min(limit, pageSize)}
  return `${JSON.stringify({method: 'POST', path: SEARCH_PATH, body}, null, 2)}\n`
}

/** How many customers match. @throws StorectlError as `CustomerApi` does */
export async function count(input: SearchInput, {api, fields, signal}: SearchDeps): Promise<number> {
  const {filter} = criteriaOf(input, fields)
  return api.count({...(filter && {filter})}, signal)
}

export interface SearchDeps {
  readonly api: CustomerApi
  readonly fields: FieldFinder
  /** Cuts the search short. */
  readonly signal: AbortSignal
}

/**
 * The customers that match, in batches; the memory it takes does not grow with their number, unless they are sorted,
 * and then by 32 characters each.
 *
 * @throws StorectlError as `CustomerApi` does; the message says how many customers came before
 */
export async function* search(input: SearchInput, deps: SearchDeps): AsyncGenerator<Batch> {
  const {api, signal} = deps
  const {limit, pageSize = LARGEST_PAGE} = input
  const criteria = criteriaOf(input, deps.fields)
  const options = {api, signal, pageSize, limit}
  if (!criteria.sort) yield* countingUp(byKeyset(criteria, options))
  else if (limit !== undefined && limit <= pageSize) {
    const {rows, count} = await api.search({...criteria, limit}, signal)
    if (count > 0) yield rows
  } else yield* countingUp(bySortedIds(criteria, options))
}

async function* countingUp(batches: AsyncIterable<Batch>): AsyncGenerator<Batch> {
  let shown = 0
  try {
    for await (const batch of batches) {
      yield batch
      shown += 'count' in batch ? batch.count : batch.length
    }
  } catch (error) {
    if (!(error instanceof StorectlError) || shown === 0) throw error
    const {code, nextSteps, cause} = error
    const message = `${error.message} ${shown} ${shown === 1 ? 'customer was' : 'customers were'} printed before that.`
    throw new StorectlError(code, message, {nextSteps, cause})
  }
}
