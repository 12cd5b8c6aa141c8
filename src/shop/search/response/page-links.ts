import type {EntityCriteria} from '../../../shopware/criteria.js'
import {escapeJsonApi} from '../../../shopware/json-escape.js'
import type {Parameters} from '../../runtime/runtime.js'

/** The parts of a page's links. */
export interface PageAddress {
  /** `http://127.0.0.1:8000` */
  origin: string
  /** Without the query string. */
  path: string
  /** Parsed query of the request. */
  query: Parameters
  /** Total by the count mode. */
  total: number
}

/** Mode 2 knows the last page only if it is at most this many pages ahead. @see protocol.md §6.6 */
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
  const {origin, path, query, total} = address
  const url = `${origin}${path}`
  const self = buildSelf(address)
  if (ids || limit === undefined) return formatLinks([['self', self]])
  const page = Math.floor(offset / limit) + 1
  const linkTo = (number: number) => `${url}?${formatQuery({...query, limit, page: number}, '+')}`
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

/** The link to the request's own URL, as JSON. */
export function formatSelfLink(address: Omit<PageAddress, 'total'>): string {
  return formatLinks([['self', buildSelf(address)]])
}

/** The URL of the request with its parameters normalized, sorted by name. */
function buildSelf({origin, path, query}: Omit<PageAddress, 'total'>): string {
  const sorted = Object.entries(query).sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
  const text = formatQuery(Object.fromEntries(sorted), '%20')
  return text === '' ? `${origin}${path}` : `${origin}${path}?${text}`
}

/** Formats parameters like PHP: `x[]=1` becomes `x%5B0%5D=1`. @param space encoding of a space */
function formatQuery(query: Parameters, space: '+' | '%20'): string {
  const encode = (text: string) =>
    encodeURIComponent(text)
      .replace(/[!'()*]/g, escapeCharacter)
      .replaceAll('%20', space)
  const listPairs = (name: string, value: unknown): string[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, member]) => listPairs(`${name}[${key}]`, member))
      : [`${encode(name)}=${encode(String(value))}`]
  return Object.entries(query)
    .flatMap(([name, value]) => listPairs(name, value))
    .join('&')
}

function escapeCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

function formatLinks(links: [name: string, url: string][]): string {
  return escapeJsonApi(JSON.stringify(Object.fromEntries(links)))
}
