import type {CustomerApi} from './api.js'
import {type Criteria, LARGEST_PAGE, type Sort} from './criteria.js'
import {BY_AGE, keysetPages, type StreamOptions} from './keyset.js'
import {PageSize} from './page-size.js'
import {rowsOf} from './pages.js'
import {placed} from './place-ids.js'

/**
 * Ids of the matches in the order of the criteria, each once; of all of them when no `limit` is given, else of the first.
 *
 * Ids come by page number, the one way there is, so that a customer who is deleted in between moves another from a page
 * not yet asked for to one that was. Who is missing is found by a second walk, by keyset, which nothing can hide from,
 * and put where the shop sorts them. One page alone is of one moment and needs no second look.
 *
 * @param criteria with `sort`; without `limit` and `page`
 */
export async function sortedIds(criteria: Criteria, options: StreamOptions): Promise<readonly string[]> {
  const {api, signal, limit} = options
  const {includes: _, associations: __, fields: ___, ...asked} = criteria
  const sort = [...(criteria.sort ?? []), ...BY_AGE]
  const {ids, pages} = await byPageNumber({...asked, sort}, options)
  if (limit !== undefined) return [...ids].slice(0, limit)
  if (pages === 1) return [...ids]
  const missing = await missingFrom(ids, asked, options)
  const inOrder = (some: readonly string[]) => sortedBy(sort, some, api, signal)
  return missing.length === 0 ? [...ids] : placed([...ids], missing, inOrder)
}

async function byPageNumber(
  criteria: Criteria,
  {api, signal, limit = Number.POSITIVE_INFINITY}: StreamOptions,
): Promise<{ids: Set<string>; pages: number}> {
  const size = new PageSize(LARGEST_PAGE)
  const ids = new Set<string>()
  for (let page = 1; ; page++) {
    const some = await size.fitted(rows => api.searchIds({...criteria, limit: rows, page}, signal))
    const before = ids.size
    for (const id of some) ids.add(id)
    if (some.length < size.rows || ids.size === before || ids.size >= limit) return {ids, pages: page}
  }
}

async function missingFrom(
  ids: ReadonlySet<string>,
  asked: Criteria,
  options: StreamOptions,
): Promise<string[]> {
  const narrow = {...asked, includes: {customer: ['id', 'autoIncrement']}}
  const [first, following] = keysetPages(narrow, {...options, pageSize: LARGEST_PAGE})
  const missing: string[] = []
  for (let page = await first; ; ) {
    for (const {id} of rowsOf(page)) if (typeof id === 'string' && !ids.has(id)) missing.push(id)
    const next = following(page)
    if (!next) return missing
    page = await next
  }
}

/** The ids that are still there, as the shop sorts them; `limit` does not apply. @see protocol.md §6.2 `ids` */
function sortedBy(
  sort: readonly Sort[],
  ids: readonly string[],
  api: CustomerApi,
  signal: AbortSignal,
): Promise<string[]> {
  return api.searchIds({ids, sort}, signal)
}
