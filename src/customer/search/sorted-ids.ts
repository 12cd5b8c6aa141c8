import {LARGEST_PAGE, type SearchCriteria, type Sort} from '../criteria/criteria.js'
import {BY_AGE, type StreamOptions, streamKeysetPages} from './keyset.js'
import {parseRows} from './pages.js'
import {PageSize} from './response-pages.js'
import type {CustomerApi} from './search-client.js'

interface SomeIds {
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
 * is in it, so that everybody who is missing comes after it. It costs a second listing; a million ids are about 100 MB.
 *
 * @param criteria with `sort`; without `limit` and `page`
 */
export async function* listSortedIds(
  criteria: SearchCriteria,
  options: StreamOptions,
): AsyncGenerator<SomeIds, void, undefined> {
  const {api, signal, limit = Number.POSITIVE_INFINITY} = options
  const {includes: _, associations: __, fields: ___, ...asked} = criteria
  const sort = [...(criteria.sort ?? []), ...BY_AGE]
  const size = new PageSize(LARGEST_PAGE)
  const fetchIds = (page: number) =>
    size.requestFitting(rows => api.searchIds({...asked, sort, limit: rows, page}, signal))
  const first = await fetchIds(1)
  const seen = new Set(first)
  const isLast = first.length < size.rows || seen.size >= limit
  if (seen.size > 0) yield {ids: [...seen].slice(0, limit), isLast}
  if (isLast) return
  const others = await listRemainingIds(fetchIds, seen, {size, limit})
  const missing = options.limit === undefined ? await listMissingIds(seen, asked, options) : []
  const sortInShop = (some: readonly string[]) => sortIds(sort, some, api, signal)
  const rest = await insertIds(others, missing, sortInShop)
  if (rest.length > 0) yield {ids: rest.slice(0, limit - first.length), isLast: true}
}

/**
 * The ids of the second page and of those after it.
 *
 * @param seen what came before; gets what comes now
 */
async function listRemainingIds(
  fetchIds: (page: number) => Promise<readonly string[]>,
  seen: Set<string>,
  {size, limit}: {size: PageSize; limit: number},
): Promise<readonly string[]> {
  const others: string[] = []
  for (let page = 2; ; page++) {
    const some = await fetchIds(page)
    const fresh = some.filter(id => !seen.has(id))
    for (const id of fresh) seen.add(id)
    others.push(...fresh)
    if (some.length < size.rows || fresh.length === 0 || seen.size >= limit) return others
  }
}

async function listMissingIds(
  ids: ReadonlySet<string>,
  asked: SearchCriteria,
  options: StreamOptions,
): Promise<string[]> {
  const narrow = {...asked, includes: {customer: ['id', 'autoIncrement']}}
  const [first, following] = streamKeysetPages(narrow, {...options, pageSize: LARGEST_PAGE})
  const missing: string[] = []
  for (let page = await first; ; ) {
    for (const {id} of parseRows(page)) if (typeof id === 'string' && !ids.has(id)) missing.push(id)
    const next = following(page)
    if (!next) return missing
    page = await next
  }
}

/** The ids that are still there, as the shop sorts them; `limit` does not apply. @see protocol.md §6.2 `ids` */
function sortIds(
  sort: readonly Sort[],
  ids: readonly string[],
  api: CustomerApi,
  signal: AbortSignal,
): Promise<string[]> {
  return api.searchIds({ids, sort}, signal)
}

/** As many ids as one request holds without being long: 17 kB. */
const MOST_ASKED = 500

/** Every so many of them are what others are compared with. */
const PIVOTS = 400

type Sorter = (ids: readonly string[]) => Promise<readonly string[]>

/** Ids that belong somewhere between two places of a list: at `from` at the earliest, before `to` at the latest. */
interface Span {
  readonly from: number
  readonly to: number
  readonly ids: readonly string[]
}

/**
 * Puts ids among others that are in order, by asking for the order of a few of them at a time.
 *
 * @param ids in order
 * @param missing belong somewhere among them
 * @param sortInShop sorts up to 500 ids, and leaves out those of what is gone
 * @returns every id once, but for some of those that turned out to be gone
 */
export async function insertIds(
  ids: readonly string[],
  missing: readonly string[],
  sortInShop: Sorter,
): Promise<readonly string[]> {
  if (missing.length === 0) return ids
  if (ids.length + missing.length <= MOST_ASKED) return sortInShop([...ids, ...missing])
  if (ids.length === 0)
    return insertIds(await sortInShop(missing.slice(0, PIVOTS)), missing.slice(PIVOTS), sortInShop)
  const stride = Math.ceil(ids.length / PIVOTS)
  const pivots = new Map<string, number>()
  for (let at = 0; at < ids.length; at += stride) pivots.set(ids[at] as string, at)
  const found: Span[] = []
  for (let at = 0; at < missing.length; at += MOST_ASKED - PIVOTS) {
    const some = missing.slice(at, at + MOST_ASKED - PIVOTS)
    const order = await sortInShop([...pivots.keys(), ...some])
    found.push(...findSpans(order, pivots, ids.length))
  }
  const result: string[] = []
  let done = 0
  for (const span of mergeSpans(found)) {
    const isWhole = span.from === 0 && span.to === ids.length
    // Where all pivots are gone there are fewer ids the next time.
    const among = isWhole ? ids.filter(id => !pivots.has(id)) : ids.slice(span.from, span.to)
    for (const id of ids.slice(done, span.from)) result.push(id)
    for (const id of await insertIds(among, span.ids, sortInShop)) result.push(id)
    done = span.to
  }
  for (const id of ids.slice(done)) result.push(id)
  return result
}

/** Between which two pivots the others stand. */
function findSpans(order: readonly string[], pivots: ReadonlyMap<string, number>, end: number): Span[] {
  const spans: Span[] = []
  let from = 0
  let ids: string[] = []
  // A pivot that was moved meanwhile may stand before one that it stood behind.
  const close = (to: number) => {
    if (ids.length > 0) spans.push({from, to: Math.max(from, to), ids})
    ids = []
    from = to + 1
  }
  for (const id of order) {
    const pivot = pivots.get(id)
    if (pivot === undefined) ids.push(id)
    else close(pivot)
  }
  close(end)
  return spans
}

/** Spans that overlap, because a pivot was there for one and gone for the other, as one. */
function mergeSpans(spans: readonly Span[]): Span[] {
  const result: Span[] = []
  for (const span of [...spans].sort((a, b) => a.from - b.from || a.to - b.to)) {
    const last = result.at(-1)
    if (!last || span.from > last.to) result.push(span)
    else
      result[result.length - 1] = {
        from: last.from,
        to: Math.max(last.to, span.to),
        ids: [...last.ids, ...span.ids],
      }
  }
  return result
}
