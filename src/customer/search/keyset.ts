import {StorectlError} from '../../errors.js'
import type {Clock} from '../../platform/clock.js'
import type {CriteriaFilter, SearchCriteria, Sort} from '../criteria/criteria.js'
import {getLastRow} from './pages.js'
import type {Page} from './response-pages.js'
import {PageSize} from './response-pages.js'
import type {CustomerApi} from './search-client.js'

/** The order in which customers were made. */
export const BY_AGE: readonly Sort[] = [{field: 'autoIncrement', order: 'ASC'}]

export interface StreamOptions {
  readonly api: CustomerApi
  /** Rows a request, 1 to 500; fewer where the shop gives no more. */
  readonly pageSize: number
  /** Rows in all; `undefined` for every match. */
  readonly limit?: number | undefined
  readonly signal: AbortSignal
  readonly clock: Pick<Clock, 'sleep'>
}

/**
 * Every match once, in the order in which customers were made: the next page is what lies beyond the last customer of
 * this one. Customers who come and go meanwhile neither hide nor repeat another.
 *
 * @param criteria without `limit`, `page` and `sort`; where it has `includes`, `autoIncrement` is among them
 * @returns the request for the first page, and what requests the page after; that throws StorectlError
 * `rejected.out_of_order` when a page does not lead on, so that the search would never end
 */
export function streamKeysetPages(
  criteria: SearchCriteria,
  {api, signal, pageSize, limit = Number.POSITIVE_INFINITY}: StreamOptions,
): [Promise<Page>, (page: Page) => Promise<Page> | undefined] {
  const size = new PageSize(pageSize)
  let asked = 0
  let seen = 0
  let reached = Number.NEGATIVE_INFINITY
  const request = (beyond: readonly CriteriaFilter[]) => {
    const filter = [...(criteria.filter ?? []), ...beyond]
    return size.requestFitting(rows => {
      asked = Math.min(rows, limit - seen)
      return api.search({...criteria, ...(filter.length > 0 && {filter}), sort: BY_AGE, limit: asked}, signal)
    })
  }
  const countFollowing = (page: Page) => {
    seen += page.count
    if (page.count < asked || seen >= limit) return undefined
    const {autoIncrement} = getLastRow(page) as {autoIncrement: number}
    if (!(autoIncrement > reached)) throw createOutOfOrderError()
    reached = autoIncrement
    return request([{type: 'range', field: 'autoIncrement', parameters: {gt: autoIncrement}}])
  }
  return [request([]), countFollowing]
}

function createOutOfOrderError(): StorectlError {
  return new StorectlError(
    'rejected.out_of_order',
    'The shop does not sort by autoIncrement, so the search would never end.',
    {nextSteps: ['storectl customer search --sort customerNumber']},
  )
}
