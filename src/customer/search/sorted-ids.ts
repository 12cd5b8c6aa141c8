import {type Criteria, LARGEST_PAGE, type Sort} from '../criteria/criteria.js'
import {BY_AGE, keysetPages, type StreamOptions} from './keyset.js'
import {PageSize} from './page-size.js'
import {rowsOf} from './pages.js'
import {placed} from './place-ids.js'
import type {CustomerApi} from './search-client.js'

export interface SomeIds {
  /** One or more. */
  readonly ids: readonly string[]
  /** Whether no others come after them. */
  readonly isLast: boolean
}

/**
 * Ids of the matches in the order of the criteria, each once; of all of them when no `limit` is given, else of the first.
 * They come in two lists: what one request gives, and, once that is dealt with, all the others.
 *
 * Ids come by page number, the one way there is, so that a customer who is deleted in between moves another from a page
 * not yet asked for to one that was. Who is missing is found by a second walk, by keyset, which nothing can hide from,
 * and put where the shop sorts them. The first list is of one moment: who was there all along and belongs before its end
 * is in it, so that everybody who is missing comes after it.
 *
 * @param criteria with `sort`; without `limit` and `page`
 */
export async function* sortedIds(
  criteria: Criteria,
  options: StreamOptions,
): AsyncGenerator<SomeIds, void, undefined> {
  const {api, signal, limit = Number.POSITIVE_INFINITY} = options
  const {includes: _, associations: __, fields: ___, ...asked} = criteria
  const sort = [...(criteria.sort ?? []), ...BY_AGE]
  const size = new PageSize(LARGEST_PAGE)
  const idsOf = (page: number) =>
    size.fitted(rows => api.searchIds({...asked, sort, limit: rows, page}, signal))
  const first = await idsOf(1)
  const seen = new Set(first)
  const isLast = first.length < size.rows || seen.size >= limit
  if (seen.size > 0) yield {ids: [...seen].slice(0, limit), isLast}
  if (isLast) return
  const others = await byPageNumber(idsOf, seen, {size, limit})
  const missing = options.limit === undefined ? await missingFrom(seen, asked, options) : []
  const inOrder = (some: readonly string[]) => sortedBy(sort, some, api, signal)
  const rest = await placed(others, missing, inOrder)
  if (rest.length > 0) yield {ids: rest.slice(0, limit - first.length), isLast: true}
}

/**
 * The ids of the second page and of those after it.
 *
 * @param seen what came before; gets what comes now
 */
async function byPageNumber(
  idsOf: (page: number) => Promise<readonly string[]>,
  seen: Set<string>,
  {size, limit}: {size: PageSize; limit: number},
): Promise<readonly string[]> {
  const others: string[] = []
  for (let page = 2; ; page++) {
    const some = await idsOf(page)
    const fresh = some.filter(id => !seen.has(id))
    for (const id of fresh) seen.add(id)
    others.push(...fresh)
    if (some.length < size.rows || fresh.length === 0 || seen.size >= limit) return others
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
