import {PROVIDERS} from '../../providers/providers.js'
import type {Headers} from '../event/headers.js'

/** A token as a query carries it; proxies repeat the address in headers of their own. */
const TOKEN_IN_QUERY = /([?&])[\w.-]*-token(\[[^[\]?&]*\])?=[^&\s"'#]*/gi

/**
 * The provider's own headers: proxies add others, which say nothing about the event and would mislead the shop. @see
 * protocol.md §4.7
 */
function isOfProvider(name: string): boolean {
  const lower = name.toLowerCase()
  for (const {headers} of PROVIDERS.values())
    if (headers.some(each => (each.endsWith('*') ? lower.startsWith(each.slice(0, -1)) : lower === each)))
      return true
  return false
}

/** The headers that may be stored and sent again: the provider's own, without a webhook token. */
export function selectProviderHeaders(headers: Headers): Headers {
  return headers
    .filter(([name]) => isOfProvider(name))
    .map(([name, value]) => [name, value.replace(TOKEN_IN_QUERY, '$1')] as const)
}
