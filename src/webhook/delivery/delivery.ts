import type {Caller} from '../../http/http.js'
import type {EventContent, Headers} from '../event/event.js'

/** The shop that events are sent to. */
export interface Shop {
  readonly profile: {
    readonly name: string
    readonly url: URL
    readonly provider: string
    readonly tokenPrefix: string
  }
  /** Carries no access token. */
  readonly unsigned: Caller
}

/** The webhook route of a shop, without its token. @see protocol.md §4 */
export function webhookPath({profile: {provider}}: Pick<Shop, 'profile'>): string {
  return `/api/_action/${encodeURIComponent(provider)}/webhook/execute`
}

/** What goes along with the bytes. */
export interface Marks {
  readonly run: string
  readonly event: string
  /** From 1. */
  readonly attempt: number
  readonly userAgent: string
}

/** Headers of one connection, of another receiver, or that would say something untrue. */
const NOT_SENT = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'content-length',
  'accept-encoding',
  'authorization',
  'cookie',
  'user-agent',
])

/** @see RFC 9110 §5.1 and §5.5; a capture may hold anything, and one bad header would keep the event from being sent */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const NOT_IN_A_VALUE = /[^\t\x20-\x7e\x80-\xff]/

/**
 * Sends the stored body byte for byte, with the provider's headers and our marks.
 *
 * @throws StorectlError as `Caller` does
 */
export function send(shop: Shop, token: string, {headers, body}: EventContent, marks: Marks) {
  const query = `${encodeURIComponent(shop.profile.tokenPrefix)}-token=${encodeURIComponent(token)}`
  return shop.unsigned.call({
    method: 'POST',
    path: `${webhookPath(shop)}?${query}`,
    headers: {
      ...kept(headers),
      'User-Agent': marks.userAgent,
      'X-Replay-Run': marks.run,
      'X-Replay-Of': marks.event,
      'X-Replay-Attempt': String(marks.attempt),
    },
    body,
  })
}

function kept(headers: Headers): Record<string, string | string[]> {
  const all: Record<string, string | string[]> = {}
  for (const [name, value] of headers) {
    const lower = name.toLowerCase()
    if (!NAME.test(name) || NOT_IN_A_VALUE.test(value)) continue
    if (NOT_SENT.has(lower) || lower.startsWith('x-replay-')) continue
    const before = all[lower]
    all[lower] = before === undefined ? value : [...[before].flat(), value]
  }
  return all
}
