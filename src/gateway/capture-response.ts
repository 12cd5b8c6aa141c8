import {STATUS_CODES} from 'node:http'
import type {HttpResponse} from '../http/http.js'
import type {Headers} from '../webhook/event/headers.js'
import {selectAnsweredHeaders} from './forward-headers.js'
import {LIMITS} from './held-bytes.js'

/** An answer to the caller. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
}

const LATER: Headers = [['Retry-After', String(LIMITS.retryAfterS)]]

/** Answers in the shop's own envelope. @see protocol.md §1.3 */
export function buildRefusal(status: number, detail: string, headers: Headers = []): Reply {
  const title = STATUS_CODES[status] ?? ''
  const errors = [{code: '0', status: String(status), title, detail}]
  return buildJsonReply(status, {errors}, headers)
}

/** Asks the caller to retry. @param after the shop's own `Retry-After`, if any */
export function buildRetryLater(detail: string, after?: string): Reply {
  return buildRefusal(503, detail, after === undefined ? LATER : [['Retry-After', after]])
}

/** The shop's answer to an accepted event. @see protocol.md §4.2 */
export const TAKEN: Reply = {
  status: 200,
  headers: [['Content-Type', 'text/html; charset=UTF-8']],
  body: new Uint8Array(),
}

export function buildJsonReply(status: number, value: object, headers: Headers = []): Reply {
  const body = Buffer.from(JSON.stringify(value))
  return {status, headers: [['Content-Type', 'application/json'], ...headers], body}
}

/** The answer to the caller: the shop's own, or a request to retry. */
export function replyTo(
  {isAway}: {readonly isAway: boolean},
  answer: HttpResponse | undefined,
  acceptsWhenDown: boolean,
): Reply {
  if (answer && !isAway) {
    return {status: answer.status, headers: selectAnsweredHeaders(answer), body: answer.body}
  }
  if (acceptsWhenDown) return TAKEN
  const after = answer?.status === 503 ? answer.headers['retry-after'] : undefined
  return buildRetryLater('The shop did not answer.', after === undefined ? undefined : String(after))
}
