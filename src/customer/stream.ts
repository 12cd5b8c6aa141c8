import type {Batch} from '../output/print.js'
import type {Criteria} from './criteria.js'
import {keysetPages, type StreamOptions} from './keyset.js'
import {PageSize} from './page-size.js'
import {inBatches} from './pages.js'
import {sortedIds} from './sorted-ids.js'

/** Every match once, in the order in which customers were made; see `keysetPages`. */
export function byKeyset(criteria: Criteria, options: StreamOptions): AsyncGenerator<Batch> {
  return inBatches(...keysetPages(criteria, options))
}

/**
 * Every match once, in the order asked for: the ids first, then the customers by their ids. Who is deleted meanwhile
 * is left out; of those who are made meanwhile some are found.
 *
 * @param criteria with `sort`; without `limit` and `page`
 */
export async function* bySortedIds(criteria: Criteria, options: StreamOptions): AsyncGenerator<Batch> {
  const {api, signal} = options
  const size = new PageSize(options.pageSize)
  const ids = await sortedIds(criteria, options)
  const {includes, associations, fields} = criteria
  const wanted = {...(includes && {includes}), ...(associations && {associations}), ...(fields && {fields})}
  let at = 0
  const request = async () => {
    const page = await size.fitted(rows => api.search({...wanted, ids: ids.slice(at, at + rows)}, signal))
    at += size.rows
    return page
  }
  if (ids.length === 0) return
  yield* inBatches(request(), () => (at < ids.length ? request() : undefined))
}
