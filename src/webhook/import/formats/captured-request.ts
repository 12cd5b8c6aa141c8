import type {Headers} from '../../event/event.js'

/** A request to the webhook as a capture holds it. Its address carries a token and goes no further than this. */
export interface Captured {
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
export function keptHeaders(headers: Headers): Headers {
  return headers
    .filter(([name]) => !NOT_KEPT.test(name))
    .map(([name, value]) => [name, value.replace(TOKEN_IN_QUERY, '$1')] as const)
}

/** Whether the address is that of a webhook route. @see protocol.md §4 */
export function isWebhookRoute(target: string | undefined): boolean {
  return target !== undefined && /\/webhook\/execute\/?($|[?#])/.test(target)
}
