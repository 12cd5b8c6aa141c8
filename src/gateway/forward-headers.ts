import type {HttpResponse} from '../http/http.js'
import type {Headers} from '../webhook/event/headers.js'

/** Of one connection alone, or made anew for the next. @see RFC 9110 §7.6.1 */
const HOP_BY_HOP = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'expect', 'host', 'content-length', 'http2-settings'],
])

/** What says nothing of the event, or is nobody's business later: credentials, and the way that a request took. */
const NOT_KEPT =
  /^(?:authorization|cookie|via|forwarded|x-forwarded(?:-.*)?|x-real-ip|x-original-.*|x-request-id|accept-encoding|cf-.*|cdn-loop|traceparent|tracestate|x-amzn-trace-id)$/

/** Headers as Node gives them, names and values in turn, without those of the connection. */
export function endToEnd(raw: readonly string[]): Headers {
  const pairs: [string, string][] = []
  for (let at = 0; at + 1 < raw.length; at += 2) pairs.push([raw[at] as string, raw[at + 1] as string])
  const named = new Set(
    pairs.filter(([name]) => isNamed(name, 'connection')).flatMap(([, value]) => splitList(value)),
  )
  return pairs.filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase()) && !named.has(name.toLowerCase()))
}

/**
 * The headers that are written down.
 *
 * @param secrets texts that no header may hold: whoever stands in front may have put the address into one
 */
export function selectStoredHeaders(headers: Headers, secrets: readonly string[]): Headers {
  return headers.filter(
    ([name, value]) => !NOT_KEPT.test(name.toLowerCase()) && !secrets.some(secret => value.includes(secret)),
  )
}

/**
 * The headers that go on to the shop: the provider's, and ours in `Via`, by which we know what went round in a circle. The
 * answer is to come as it is, so none is asked for that is packed.
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

/** Whether a request has come through us before. */
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
