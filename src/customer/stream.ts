import {StorectlError} from '../errors.js'
import type {Batch} from '../output/print.js'
import type {CustomerApi} from './api.js'
import {type Criteria, type Filter, LARGEST_PAGE, type Sort} from './criteria.js'
import {inBatches, lastRow} from './pages.js'

/** The order in which customers were made. */
export const BY_AGE: readonly Sort[] = [{field: 'autoIncrement', order: 'ASC'}]

export interface StreamOptions {
  readonly api: CustomerApi
  /** Rows a request, 1 to 500. */
  readonly pageSize: number
  /** Rows in all; `undefined` for every match. */
  readonly limit?: number | undefined
  readonly signal: AbortSignal
}

/**
 * Every match once, in the order in which customers were made, by keyset: the next page is what lies beyond the last
 * customer of this one. Customers who come and go meanwhile neither hide nor repeat another.
 *
 * @param criteria without `limit`, `page` and `sort`; where it has `includes`, `autoIncrement` is among them
 * @throws StorectlError `rejected.out_of_order` when a page does not lead on, so that the search would never end
 */
export function byKeyset(criteria: Criteria, options: StreamOptions): AsyncGenerator<Batch> {
  const {api, signal, pageSize, limit = Number.POSITIVE_INFINITY} = options
  let asked = 0
  let reached = Number.NEGATIVE_INFINITY
  const request = (beyond: readonly Filter[]) => {
    const size = Math.min(pageSize, limit - asked)
    asked += size
    const filter = [...(criteria.filter ?? []), ...beyond]
    return api.search({...criteria, ...(filter.length > 0 && {filter}), sort: BY_AGE, limit: size}, signal)
  }
  return inBatches(request([]), page => {
    if (page.count < pageSize || asked >= limit) return undefined
    const {autoIncrement} = lastRow(page) as {autoIncrement: number}
    if (!(autoIncrement > reached)) throw outOfOrder()
    reached = autoIncrement
    return request([{type: 'range', field: 'autoIncrement', parameters: {gt: autoIncrement}}])
  })
}

function outOfOrder(): StorectlError {
  return new StorectlError(
    'rejected.out_of_order',
    'The shop does not list customers by autoIncrement, so that the search would never end.',
    {nextSteps: ['storectl customer search --sort customerNumber']},
  )
}

/**
 * Every match once, in the order asked for: the ids first, then the customers by their ids. Who is deleted meanwhile
 * is left out, who is made meanwhile is not looked for.
 *
 * @param criteria with `sort`; without `limit` and `page`
 */
export async function* bySortedIds(criteria: Criteria, options: StreamOptions): AsyncGenerator<Batch> {
  const {api, signal, pageSize} = options
  const ids = await sortedIds(criteria, options)
  const {includes, associations} = criteria
  let at = 0
  const request = () => {
    const some = ids.slice(at, at + pageSize)
    at += some.length
    const wanted = {ids: some, ...(includes && {includes}), ...(associations && {associations})}
    return api.search(wanted, signal)
  }
  if (ids.length > 0) yield* inBatches(request(), () => (at < ids.length ? request() : undefined))
}

/** Ids are asked for by page number, the one way there is; who moves to a later page meanwhile is counted once. */
async function sortedIds(criteria: Criteria, options: StreamOptions): Promise<string[]> {
  const {api, signal, limit = Number.POSITIVE_INFINITY} = options
  const {includes: _, associations: __, ...asked} = criteria
  const sort = [...(criteria.sort ?? []), ...BY_AGE]
  const ids = new Set<string>()
  for (let page = 1; ids.size < limit; page++) {
    const some = await api.searchIds({...asked, sort, limit: LARGEST_PAGE, page}, signal)
    const before = ids.size
    for (const id of some) ids.add(id)
    if (some.length < LARGEST_PAGE || ids.size === before) break
  }
  return [...ids].slice(0, limit === Number.POSITIVE_INFINITY ? undefined : limit)
}
