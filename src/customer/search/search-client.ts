import type {StorectlError} from '../../errors.js'
import type {Call, HttpClient, HttpResponse} from '../../http/http.js'
import {isObject} from '../../language/json-object.js'
import type {SearchCriteria} from '../criteria/criteria.js'
import {findPage, type Page, PageTooLarge, parseRowLimit, readMember} from './response-pages.js'

/**
 * Searches customers of one shop. The methods throw StorectlError for every answer that is not a success, and
 * PageTooLarge for a `limit` above the shop's own.
 */
export interface CustomerApi {
  /** One page of customers. @see protocol.md §6 */
  search(criteria: SearchCriteria, signal: AbortSignal): Promise<Page>
  /** Ids alone, in the order of the criteria. @see protocol.md §6.1 */
  searchIds(criteria: SearchCriteria, signal: AbortSignal): Promise<string[]>
  /** How many customers match, counted by the shop. @see protocol.md §6.4 mode 1 */
  count(criteria: SearchCriteria, signal: AbortSignal): Promise<number>
  /** Results of the aggregations, by name. @see protocol.md §6.5 */
  aggregate(criteria: SearchCriteria, signal: AbortSignal): Promise<Record<string, unknown>>
  /** Rows of another kind. @param entity with hyphens, as paths have it: `customer-address` */
  list(
    entity: string,
    criteria: SearchCriteria,
    signal: AbortSignal,
  ): Promise<readonly Record<string, unknown>[]>
}

/** The shop's search routes. */
interface SearchedShop {
  /** Signs, and retries if the shop was busy. */
  readonly patient: HttpClient
  /** The error for an answer that is not a success; `doing` follows "refused". */
  refusal(answer: HttpResponse, doing: string): StorectlError
}

const SEARCH_PATH = '/api/search/customer'

/** Without `accept` the shop answers 415, and with another type in JSON:API. @see protocol.md §3.1 */
const JSON_BOTH_WAYS = {accept: 'application/json', 'content-type': 'application/json'}

export function createSearchClient({patient, refusal}: SearchedShop): CustomerApi {
  const post = async <T>(
    path: string,
    criteria: SearchCriteria,
    signal: AbortSignal,
    read: (body: Buffer) => T | undefined,
  ): Promise<T> => {
    const body = JSON.stringify(criteria)
    const answer = await patient.call({
      ...{method: 'POST', path, headers: JSON_BOTH_WAYS, body, signal},
      answer: 'page',
    })
    const found = answer.status === 200 ? read(answer.body) : undefined
    if (found !== undefined) return found
    const most = parseRowLimit(answer)
    throw most === undefined ? refusal(answer, 'the search') : new PageTooLarge(most)
  }
  return {
    search: async (criteria, signal) => {
      const {asked, pick} = avoidSingleRow(criteria)
      const page = await post(SEARCH_PATH, asked, signal, body => findPage(body, 'customer'))
      return pick === undefined ? page : pickRow(page, pick)
    },
    searchIds: async (criteria, signal) => {
      const {asked, pick} = avoidSingleRow(criteria)
      const ids = await post('/api/search-ids/customer', asked, signal, readIds)
      return pick === undefined ? ids : ids.slice(pick, pick + 1)
    },
    count: (criteria, signal) =>
      post(SEARCH_PATH, {...criteria, limit: FEWEST, 'total-count-mode': 1}, signal, readTotal),
    aggregate: (criteria, signal) =>
      post(SEARCH_PATH, {...criteria, limit: FEWEST}, signal, readAggregations),
    list: (entity, criteria, signal) => post(`/api/search/${entity}`, criteria, signal, readRows),
  }
}

/**
 * Rows of the smallest page: with one row alone a shop counts joined rows, ranks them and may give another customer.
 *
 * @see real-shop.md T1, T2
 */
const FEWEST = 2

/** A page of one row, asked for in one of two. @returns `pick`: which of the rows is meant, from 0 */
function avoidSingleRow(criteria: SearchCriteria): {readonly asked: SearchCriteria; readonly pick?: number} {
  if (criteria.limit !== 1) return {asked: criteria}
  const {page} = criteria
  if (page === undefined) return {asked: {...criteria, limit: FEWEST}, pick: 0}
  return {
    asked: {...criteria, limit: FEWEST, page: Math.ceil(page / FEWEST)},
    pick: (page - 1) % FEWEST,
  }
}

function pickRow({rows, count}: Page, index: number): Page {
  if (index >= count) return {rows: [], count: 0}
  return {rows: 'count' in rows ? rows.pick(index) : rows.slice(index, index + 1), count: 1}
}

function readIds(body: Buffer): string[] | undefined {
  const data = readMember(body, 'data')
  return Array.isArray(data) && data.every(id => typeof id === 'string') ? data : undefined
}

function readTotal(body: Buffer): number | undefined {
  const total = readMember(body, 'total')
  return typeof total === 'number' ? total : undefined
}

function readAggregations(body: Buffer): Record<string, unknown> | undefined {
  const aggregations = readMember(body, 'aggregations')
  return isObject(aggregations) ? aggregations : undefined
}

function readRows(body: Buffer): Record<string, unknown>[] | undefined {
  const data = readMember(body, 'data')
  return Array.isArray(data) && data.every(isObject) ? data : undefined
}

/** A request as it would be sent, its path behind the base URL. */
interface Request {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/** Thrown in place of an answer. */
class NotSent extends Error {}

/**
 * The first request, as far as it is known without an answer. Nothing is sent.
 *
 * @param asking performs the search with the given api
 * @throws what `asking` throws before it sends anything
 */
export async function captureFirstRequest(
  asking: (api: CustomerApi) => Promise<unknown>,
): Promise<Request | undefined> {
  let first: Request | undefined
  const call = async ({method, path, body}: Call): Promise<never> => {
    first ??= {method, path, body: JSON.parse(String(body))}
    throw new NotSent()
  }
  const refuseToSend = () => {
    throw new NotSent()
  }
  const patient = {baseUrl: new URL('http://localhost'), call}
  await asking(createSearchClient({patient, refusal: refuseToSend})).catch(error => {
    if (!(error instanceof NotSent)) throw error
  })
  return first
}

/** A request for people who want to learn the shop's own language. */
export function requestText(request: Request | undefined): string {
  return `${JSON.stringify(request, null, 2)}\n`
}
