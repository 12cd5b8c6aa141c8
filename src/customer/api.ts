import type {StorectlError} from '../errors.js'
import type {Answer, Caller} from '../http/caller.js'
import type {Criteria} from './criteria.js'
import {type Page, pageOf} from './json-pages.js'

/** Searches customers of one shop. The methods throw StorectlError for every answer that is not a success. */
export interface CustomerApi {
  /** One page of customers. @see protocol.md §6 */
  search(criteria: Criteria, signal: AbortSignal): Promise<Page>
  /** Ids alone, in the order of the criteria. @see protocol.md §6.1 */
  searchIds(criteria: Criteria, signal: AbortSignal): Promise<string[]>
  /** How many customers match, counted by the shop. @see protocol.md §6.4 mode 1 */
  count(criteria: Criteria, signal: AbortSignal): Promise<number>
}

/** The shop as a search sees it. */
export interface SearchedShop {
  /** Signs, and asks again where the shop was busy. */
  readonly patient: Caller
  /** The error for an answer that is not a success; `doing` follows "refused". */
  refusal(answer: Answer, doing: string): StorectlError
}

export const SEARCH_PATH = '/api/search/customer'

/** Without `accept` the shop answers 415, and with another type in JSON:API. @see protocol.md §3.1 */
const JSON_BOTH_WAYS = {accept: 'application/json', 'content-type': 'application/json'}

export function customerApi({patient, refusal}: SearchedShop): CustomerApi {
  const post = async (path: string, criteria: Criteria, signal: AbortSignal): Promise<Buffer> => {
    const body = JSON.stringify(criteria)
    const answer = await patient.call({method: 'POST', path, headers: JSON_BOTH_WAYS, body, signal})
    if (answer.status !== 200) throw refusal(answer, 'the search')
    return answer.body
  }
  return {
    search: async (criteria, signal) => pageOf(await post(SEARCH_PATH, criteria, signal), 'customer'),
    searchIds: async (criteria, signal) => {
      const body = await post('/api/search-ids/customer', criteria, signal)
      return parsed<{data: string[]}>(body).data
    },
    count: async (criteria, signal) => {
      const body = await post(SEARCH_PATH, {...criteria, limit: 1, 'total-count-mode': 1}, signal)
      return parsed<{total: number}>(body).total
    },
  }
}

function parsed<T>(body: Buffer): T {
  return JSON.parse(body.toString('utf8'))
}
