import {readErrors} from '../../../wire/read-errors.js'
import type {Headers, ObservedDelivery} from '../../event/event.js'

/** A request to the webhook as a capture holds it. Its address carries a token and goes no further than this. */
export interface CapturedRequest {
  /** `undefined` where the capture does not say. */
  readonly method: string | undefined
  /** Address or path, `undefined` where the capture does not say. */
  readonly target: string | undefined
  readonly headers: Headers
  /** `undefined` where the capture holds none. */
  readonly body: Uint8Array | undefined
  readonly at?: Date | undefined
  /** How it was answered. */
  readonly answer?: CapturedAnswer | undefined
  /** Why the bytes may not be those that were sent. */
  readonly doubt?: string | undefined
}

export interface CapturedAnswer {
  readonly status: number
  /** The body of the answer, where it is known. */
  readonly body?: Uint8Array | undefined
}

/** Names of headers that sign somebody in, or that belong to one connection. */
const NOT_KEPT =
  /^(:.*|authorization|proxy-authorization|cookie|set-cookie|host|content-length|connection|transfer-encoding)$/i

/** A token as a query carries it; proxies repeat the address in headers of their own. */
const TOKEN_IN_QUERY = /([?&])[\w.-]*-token(\[[^\]]*\])?=[^&\s"'#]*/gi

/** The headers that may be kept: none that signs anybody in, and no webhook token. */
export function removeSecrets(headers: Headers): Headers {
  return headers
    .filter(([name]) => !NOT_KEPT.test(name))
    .map(([name, value]) => [name, value.replace(TOKEN_IN_QUERY, '$1')] as const)
}

/** Whether the address is that of a webhook route. @see protocol.md §4 */
export function isWebhookRoute(target: string | undefined): boolean {
  return target !== undefined && /\/webhook\/execute\/?($|[?#])/.test(target)
}

/** Whoever answers so stands before the shop, which may have done its work: 499 is nginx's for a caller that left. */
const FROM_BETWEEN = new Set([408, 499, 502, 504])
const LONGEST_CAUSE = 300

/** What an answer that somebody else got says about an event. */
export function readObservedDelivery({status, body}: CapturedAnswer, at: Date): ObservedDelivery {
  if (status >= 200 && status < 300) return {status: 'delivered', answer: status, cause: null, at}
  const [error] = body ? readErrors(body) : []
  const said = (error?.detail || error?.title || '').slice(0, LONGEST_CAUSE)
  return {
    status: FROM_BETWEEN.has(status) ? 'unknown' : 'failed',
    answer: status,
    cause: said === '' ? null : said,
    at,
  }
}
