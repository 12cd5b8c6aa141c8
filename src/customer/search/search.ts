import {StorectlError} from '../../errors.js'
import type {Batch} from '../../output/print.js'
import type {Clock} from '../../platform/clock.js'
import {LARGEST_PAGE, type SearchCriteria} from '../criteria/criteria.js'
import type {GivenCriteria} from '../criteria/criteria-file.js'
import {buildFilters} from '../criteria/customer-query.js'
import {mergeProperties, parseSort, selectRequestedProperties} from '../criteria/merge-criteria.js'
import type {FieldFinder} from '../fields/fields.js'
import {type StreamOptions, streamKeysetPages} from './keyset.js'
import {streamBatches, yieldFirstRowEarly} from './pages.js'
import type {Page} from './response-pages.js'
import {PageSize, PageTooLarge} from './response-pages.js'
import type {CustomerApi} from './search-client.js'
import {
  buildRankedTerm,
  buildSingleRequest,
  findSingleResponseReason,
  isOneAnswer,
  type SearchInput,
} from './single-response.js'
import {listSortedIds} from './sorted-ids.js'

/**
 * The criteria sent to the shop, without paging.
 *
 * Filters of given criteria and of the query must all hold; the query's sort replaces a given one.
 *
 * @throws StorectlError `usage.where`, `usage.sort`, `usage.fields`, `usage.ranked` without a word to rank by
 */
export function buildCriteria(input: SearchInput, fields: FieldFinder): GivenCriteria {
  const {criteria: given = {}, properties} = input
  const {limit: _, page: __, includes: ___, associations: ____, fields: _____, ...passed} = given
  const filter = [...(given.filter ?? []), ...buildFilters(input, fields)]
  const sort = input.sort === undefined ? (given.sort ?? []) : parseSort(input.sort, fields)
  return {
    ...passed,
    ...(input.ranked && {term: buildRankedTerm(input.terms)}),
    ...(filter.length > 0 && {filter}),
    ...(sort.length > 0 && {sort}),
    ...mergeProperties(given, properties && selectRequestedProperties(properties, fields), properties),
  }
}

/** How many customers match. @throws StorectlError as `CustomerApi` does */
export async function count(input: SearchInput, {api, fields, signal}: CustomerSearchDeps): Promise<number> {
  return api.count(selectMatching(buildCriteria(input, fields)), signal)
}

/** The part of a search that decides who matches. */
export function selectMatching(criteria: GivenCriteria): SearchCriteria {
  const {sort: _, includes: __, associations: ___, fields: ____, ...deciding} = criteria
  return deciding
}

export interface CustomerSearchDeps {
  readonly api: CustomerApi
  readonly fields: FieldFinder
  /** Aborts the search. */
  readonly signal: AbortSignal
  readonly clock: Pick<Clock, 'sleep'>
}

/**
 * The customers that match, in batches; the memory it takes does not grow with their number, unless they are sorted,
 * and then by 32 characters each.
 *
 * @throws StorectlError as `CustomerApi` does; the message says how many customers came before
 */
export async function* searchCustomers(input: SearchInput, deps: CustomerSearchDeps): AsyncGenerator<Batch> {
  const {limit, pageSize = LARGEST_PAGE} = input
  const criteria = buildCriteria(input, deps.fields)
  const options = {...deps, pageSize, limit}
  if (isOneAnswer(input, criteria)) {
    const page = await requestSingleResponse(input, criteria, deps)
    if (page) {
      if (page.count > 0) yield page.rows
      return
    }
  }
  yield* countBatches(
    criteria.sort ? streamBySortedIds(criteria, options) : streamByKeyset(criteria, options),
  )
}

/** `undefined` where the shop gives fewer rows an answer, and there is another way. */
async function requestSingleResponse(
  input: SearchInput,
  criteria: GivenCriteria,
  {api, signal}: CustomerSearchDeps,
): Promise<Page | undefined> {
  try {
    return await api.search(buildSingleRequest(input, criteria), signal)
  } catch (error) {
    if (error instanceof PageTooLarge && findSingleResponseReason(input, criteria) === undefined)
      return undefined
    throw error
  }
}

async function* countBatches(batches: AsyncIterable<Batch>): AsyncGenerator<Batch> {
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

/** Every match once, in the order in which customers were made; see `streamKeysetPages`. */
function streamByKeyset(criteria: SearchCriteria, options: StreamOptions): AsyncGenerator<Batch> {
  return streamBatches(...streamKeysetPages(criteria, options))
}

/**
 * Every match once, in the order asked for: ids first, then the customers by their ids. Who is deleted meanwhile is left
 * out; of those who are made meanwhile some are found.
 *
 * The first ids and the first page of customers are what a reader who wants a few of them costs the shop; the other ids,
 * a request for every 500 customers, are asked for once what is known of has been printed.
 *
 * @param criteria with `sort`; without `limit` and `page`
 */
async function* streamBySortedIds(criteria: SearchCriteria, options: StreamOptions): AsyncGenerator<Batch> {
  const pagesOf = createPageRequester(criteria, options)
  let isFirst = true
  for await (const {ids, isLast} of listSortedIds(criteria, options)) {
    const next = pagesOf(ids)
    const isAll = isLast && ids.length <= options.pageSize
    if (isFirst && !isAll) yield* yieldFirstRowEarly(next(), options)
    isFirst = false
    yield* streamBatches(next(), next)
  }
}

/** What requests the next page of customers, in the order of their ids. */
function createPageRequester(
  {includes, associations, fields}: SearchCriteria,
  {api, signal, pageSize}: StreamOptions,
) {
  const wanted = {...(includes && {includes}), ...(associations && {associations}), ...(fields && {fields})}
  const size = new PageSize(pageSize)
  return (ids: readonly string[]) => {
    let at = 0
    const request = async () => {
      const page = await size.requestFitting(rows =>
        api.search({...wanted, ids: ids.slice(at, at + rows)}, signal),
      )
      at += size.rows
      return page
    }
    return () => (at < ids.length ? request() : undefined)
  }
}
