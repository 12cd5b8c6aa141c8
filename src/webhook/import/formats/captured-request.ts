import {PROVIDERS} from '../../../providers/providers.js'

/** Names and values, as they came. */
type HeaderPairs = readonly (readonly [name: string, value: string])[]

/** A request to the webhook as a capture holds it. Its address carries a token and goes no further than this. */
export interface CapturedRequest {
  /** `undefined` where the capture does not say. */
  readonly method: string | undefined
  /** Address or path, `undefined` where the capture does not say. */
  readonly target: string | undefined
  readonly headers: HeaderPairs
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
  /** What a log says about it. */
  readonly reason?: string | undefined
}

/** A token as a query carries it; proxies repeat the address in headers of their own. */
const TOKEN_IN_QUERY = /([?&])[\w.-]*-token(\[[^[\]?&]*\])?=[^&\s"'#]*/gi

/**
 * The provider's own headers: what stands in between adds others, which say nothing of the event, and would mislead the
 * shop. @see protocol.md §4.7
 */
function isOfProvider(name: string): boolean {
  const lower = name.toLowerCase()
  for (const {headers} of PROVIDERS.values())
    if (headers.some(each => (each.endsWith('*') ? lower.startsWith(each.slice(0, -1)) : lower === each)))
      return true
  return false
}

/** The headers that may be stored and sent again: the provider's own, without a webhook token. */
export function selectProviderHeaders(headers: HeaderPairs): HeaderPairs {
  return headers
    .filter(([name]) => isOfProvider(name))
    .map(([name, value]) => [name, value.replace(TOKEN_IN_QUERY, '$1')] as const)
}
