import type {EntityCriteria} from '../../model/criteria.js'
import {escapeJsonApi} from '../../runtime/json-escape.js'

/** What the links of a page are made of. */
export interface PageAddress {
  /** `http://127.0.0.1:8000` */
  origin: string
  /** Without the query string. */
  path: string
  /** Of the request, as it was sent. */
  queryString: string
  /** Total as the count mode gives it. */
  total: number
}

/** Mode 2 knows the last page only when it is this near. @see protocol.md §6.6 */
const PAGES_KNOWN_AHEAD = 5

/**
 * The top `links` of a JSON:API page, as JSON.
 *
 * @see protocol.md §6.6, mode 0 to 2
 */
export function formatPageLinks(
  {limit, offset, countMode, ids}: EntityCriteria,
  address: PageAddress,
): string {
  const {origin, path, queryString, total} = address
  const url = `${origin}${path}`
  const self = queryString === '' ? url : `${url}?${queryString}`
  if (ids || limit === undefined) return formatLinks([['self', self]])
  const page = Math.floor(offset / limit) + 1
  const linkTo = (number: number) => `${url}?${replacePage(queryString, limit, number)}`
  const links: [string, string][] = [['first', linkTo(1)]]
  if (page > 1) links.push(['prev', linkTo(page - 1)])
  links.push(
    ...listLinks(countMode, page, limit, total).map(([name, number]): [string, string] => [
      name,
      linkTo(number),
    ]),
  )
  return formatLinks([...links, ['self', self]])
}

function listLinks(
  mode: EntityCriteria['countMode'],
  page: number,
  limit: number,
  total: number,
): [string, number][] {
  if (mode === 'none') return total >= limit ? [['next', page + 1]] : []
  if (mode === 'exact') {
    const last = Math.max(1, Math.ceil(total / limit))
    return page < last
      ? [
          ['last', last],
          ['next', page + 1],
        ]
      : [['last', last]]
  }
  const links: [string, number][] = total > limit ? [['next', page + 1]] : []
  if (total > 0 && total < limit * PAGES_KNOWN_AHEAD + 1)
    links.push(['last', page + Math.ceil(total / limit) - 1])
  return links
}

/** The request's own parameters with limit and page in place of those it had. */
function replacePage(queryString: string, limit: number, page: number): string {
  const kept = queryString.split('&').filter(pair => pair !== '' && !/^(?:limit|page)(?:=|$)/.test(pair))
  return [...kept, `limit=${limit}`, `page=${page}`].join('&')
}

function formatLinks(links: [name: string, url: string][]): string {
  return escapeJsonApi(JSON.stringify(Object.fromEntries(links)))
}
