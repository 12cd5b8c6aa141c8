import {STATUS_CODES} from 'node:http'
import type {Headers} from '../webhook/event/headers.js'
import {LIMITS} from './held-bytes.js'

/** An answer to whoever called. */
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

/** Asks to come again. @param after what the shop says of when, where it does */
export function buildRetryLater(detail: string, after?: string): Reply {
  return buildRefusal(503, detail, after === undefined ? LATER : [['Retry-After', after]])
}

/** As the shop answers what it has taken. @see protocol.md §4.2 */
export const TAKEN: Reply = {
  status: 200,
  headers: [['Content-Type', 'text/html; charset=UTF-8']],
  body: new Uint8Array(),
}

export function buildJsonReply(status: number, value: object, headers: Headers = []): Reply {
  const body = Buffer.from(JSON.stringify(value))
  return {status, headers: [['Content-Type', 'application/json'], ...headers], body}
}
