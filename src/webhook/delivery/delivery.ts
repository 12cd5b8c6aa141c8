import {StorectlError} from '../../errors.js'
import type {HttpClient, HttpResponse} from '../../http/http.js'
import type {Transaction, Transactions} from '../../payment/transactions.js'
import type {Result} from '../../runs/journal/item.js'
import type {EventContent, InboxEvent} from '../event/event.js'
import type {Headers} from '../event/headers.js'
import type {Rules} from '../plan/action.js'
import {readAnswer, readNoAnswer} from './delivery-response.js'
import {checkAfterAcceptance, checkAfterBusy, checkAfterRefusal} from './state-check.js'

/** One attempt to deliver an event. */
export interface DeliveryAttempt {
  readonly event: InboxEvent
  readonly content: EventContent
  readonly run: string
  /** From 1. */
  readonly attempt: number
}

/** What events are sent through. */
export interface DeliveryTransport {
  /**
   * Sends an event once.
   *
   * @param before the transaction just before, `undefined` where that is not known
   * @param onAnswered called when the other side has accepted it, and only its state is to be seen
   * @returns whatever came of it; throws only on a bug
   */
  deliver(delivery: DeliveryAttempt, before: Transaction | undefined, onAnswered: () => void): Promise<Result>
  /** Whether an attempt without a visible effect may have one yet, so that another would be one too many. */
  mayStillArrive(eventId: string): boolean
}

export interface ShopTransportDeps {
  readonly shop: Shop
  readonly token: string
  /** `undefined` when states are not checked. */
  readonly transactions: Transactions | undefined
  readonly rules: Pick<Rules, 'includeUnknown' | 'versions' | 'skipFlows'>
  readonly userAgent: string
  /** How long a response asks us to wait, milliseconds. */
  readonly retryAfterMs: (answer: HttpResponse) => number | undefined
}

/** Sends to the shop itself, which responds when it is done. */
export function createShopTransport(deps: ShopTransportDeps): DeliveryTransport {
  return {
    deliver: (delivery, before, onAnswered) => deliver(delivery, {...deps, onAnswered}, before),
    mayStillArrive: () => false,
  }
}

async function deliver(
  {event, content, run, attempt}: DeliveryAttempt,
  deps: ShopTransportDeps & {readonly onAnswered: () => void},
  before: Transaction | undefined,
): Promise<Result> {
  const {shop, token, userAgent, retryAfterMs, rules} = deps
  const skipFlows = rules.skipFlows === true
  try {
    const answer = await send(shop, token, content, {run, event: event.id, attempt, userAgent, skipFlows})
    const url = `${shop.profile.url.href.replace(/\/$/, '')}${buildWebhookPath(shop)}`
    const reading = readAnswer(answer, {profile: shop.profile.name, url, retryAfterMs})
    if (reading.kind === 'accepted') {
      deps.onAnswered()
      return await checkAfterAcceptance(event, answer.status, {...deps, before})
    }
    if (reading.kind === 'refused') return await checkAfterRefusal(event, reading.said, {...deps, before})
    const {result} = reading
    return result.resultClass === 'later' ? await checkAfterBusy(event, result, {...deps, before}) : result
  } catch (error) {
    if (error instanceof StorectlError && error.exitName === 'unavailable') return readNoAnswer(error)
    throw error
  }
}

/** The shop that events are sent to. */
export interface Shop {
  readonly profile: {
    readonly name: string
    readonly url: URL
    readonly provider: string
    readonly tokenPrefix: string
  }
  /** Carries no access token. */
  readonly unsigned: HttpClient
}

/** The webhook route of a shop, without its token. @see protocol.md §4 */
export function buildWebhookPath({profile: {provider}}: Pick<Shop, 'profile'>): string {
  return `/api/_action/${encodeURIComponent(provider)}/webhook/execute`
}

/** What goes along with the bytes. */
export interface Marks {
  readonly run: string
  readonly event: string
  /** From 1. */
  readonly attempt: number
  readonly userAgent: string
  /** Has the shop leave its flows out. */
  readonly skipFlows: boolean
}

/** Leaves out the flows of whatever a request changes. @see shop-6.7.md 1 */
const SKIP_FLOWS = 'sw-skip-trigger-flow'

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
  SKIP_FLOWS,
])

/** @see RFC 9110 §5.1 and §5.5; a capture may hold anything, and one bad header would keep the event from being sent */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const NOT_IN_A_VALUE = /[^\t\x20-\x7e\x80-\xff]/

/**
 * Sends the stored body byte for byte, with the provider's headers and our marks.
 *
 * @throws StorectlError as `HttpClient` does
 */
export function send(shop: Shop, token: string, {headers, body}: EventContent, marks: Marks) {
  const query = `${encodeURIComponent(shop.profile.tokenPrefix)}-token=${encodeURIComponent(token)}`
  return shop.unsigned.call({
    method: 'POST',
    path: `${buildWebhookPath(shop)}?${query}`,
    headers: {
      ...selectSentHeaders(headers),
      'User-Agent': marks.userAgent,
      'X-Replay-Run': marks.run,
      'X-Replay-Of': marks.event,
      'X-Replay-Attempt': String(marks.attempt),
      ...(marks.skipFlows ? {[SKIP_FLOWS]: '1'} : {}),
    },
    body,
    answer: 'short',
  })
}

function selectSentHeaders(headers: Headers): Record<string, string | string[]> {
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
