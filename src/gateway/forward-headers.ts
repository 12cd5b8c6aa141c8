import type {HttpResponse} from '../http/http.js'
import type {Headers} from '../webhook/event/headers.js'

/** Headers of one connection only, or set again for the next. @see RFC 9110 §7.6.1 */
const HOP_BY_HOP = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'expect', 'host', 'content-length', 'http2-settings'],
])

/** Headers that say nothing about the event, or must not be stored: credentials, and the route of a request. */
const NOT_KEPT =
  /^(?:authorization|cookie|via|forwarded|x-forwarded(?:-.*)?|x-real-ip|x-original-.*|x-request-id|accept-encoding|cf-.*|cdn-loop|traceparent|tracestate|x-amzn-trace-id)$/

/** Headers as Node returns them, names and values in turn, without those of the connection. */
export function endToEnd(raw: readonly string[]): Headers {
  const pairs: [string, string][] = []
  for (let at = 0; at + 1 < raw.length; at += 2) pairs.push([raw[at] as string, raw[at + 1] as string])
  const named = new Set(
    pairs.filter(([name]) => isNamed(name, 'connection')).flatMap(([, value]) => splitList(value)),
  )
  return pairs.filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase()) && !named.has(name.toLowerCase()))
}

/**
 * The headers that are stored.
 *
 * @param secrets texts that no header may contain: a proxy may have put the address into one
 */
export function selectStoredHeaders(headers: Headers, secrets: readonly string[]): Headers {
  return headers.filter(
    ([name, value]) => !NOT_KEPT.test(name.toLowerCase()) && !secrets.some(secret => value.includes(secret)),
  )
}

/**
 * The headers forwarded to the shop: the provider's, and our `Via`, which reveals loops. The answer must come unchanged,
 * so no compression is requested.
 *
 * @see RFC 9110 §7.6.3
 */
export function buildForwardedHeaders(headers: Headers, self: string): Record<string, string | string[]> {
  const all: Record<string, string | string[]> = {}
  for (const [name, value] of [...headers, ['via', `1.1 ${self}`] as const]) {
    const lower = name.toLowerCase()
    if (lower === 'accept-encoding') continue
    const before = all[lower]
    all[lower] = before === undefined ? value : [...[before].flat(), value]
  }
  return all
}

/** Whether a request has already passed through this capture. */
export function hasBeenHere(headers: Headers, self: string): boolean {
  return headers.some(([name, value]) => isNamed(name, 'via') && value.includes(self))
}

/** The shop's headers, as they go back to the provider. */
export function selectAnsweredHeaders({headers}: Pick<HttpResponse, 'headers'>): Headers {
  const named = new Set(splitList(String(headers.connection ?? '')))
  return Object.entries(headers)
    .filter(([name]) => !HOP_BY_HOP.has(name) && !named.has(name))
    .flatMap(([name, value]) => [value ?? []].flat().map(each => [name, each] as const))
}

function isNamed(name: string, wanted: string): boolean {
  return name.toLowerCase() === wanted
}

function splitList(value: string): string[] {
  return value.split(',').map(each => each.trim().toLowerCase())
}
