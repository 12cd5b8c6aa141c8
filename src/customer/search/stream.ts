import type {Batch} from '../../output/print.js'
import type {Criteria} from '../criteria/criteria.js'
import {keysetPages, type StreamOptions} from './keyset.js'
import {PageSize} from './page-size.js'
import {inBatches, unhurried} from './pages.js'
import {sortedIds} from './sorted-ids.js'

/** Every match once, in the order in which customers were made; see `keysetPages`. */
export function byKeyset(criteria: Criteria, options: StreamOptions): AsyncGenerator<Batch> {
  return inBatches(...keysetPages(criteria, options))
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
export async function* bySortedIds(criteria: Criteria, options: StreamOptions): AsyncGenerator<Batch> {
  const pagesOf = pagesByIds(criteria, options)
  let isFirst = true
  for await (const {ids, isLast} of sortedIds(criteria, options)) {
    const next = pagesOf(ids)
    const isAll = isLast && ids.length <= options.pageSize
    if (isFirst && !isAll) yield* unhurried(next(), options)
    isFirst = false
    yield* inBatches(next(), next)
  }
}

/** What requests the next page of customers, in the order of their ids. */
function pagesByIds({includes, associations, fields}: Criteria, {api, signal, pageSize}: StreamOptions) {
  const wanted = {...(includes && {includes}), ...(associations && {associations}), ...(fields && {fields})}
  const size = new PageSize(pageSize)
  return (ids: readonly string[]) => {
    let at = 0
    const request = async () => {
      const page = await size.fitted(rows => api.search({...wanted, ids: ids.slice(at, at + rows)}, signal))
      at += size.rows
      return page
    }
    return () => (at < ids.length ? request() : undefined)
  }
}
