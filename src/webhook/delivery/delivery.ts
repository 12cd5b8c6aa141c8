import {StorectlError} from '../../errors.js'
import type {HttpClient, HttpResponse} from '../../http/http.js'
import type {Transaction, Transactions} from '../../payment/transactions.js'
import type {Clock} from '../../platform/clock.js'
import {findProvider} from '../../providers/providers.js'
import {buildTokenParts, fillTemplate, findTokenLocation} from '../../providers/route.js'
import type {TransactionKey} from '../../providers/traits.js'
import type {Result} from '../../runs/journal/item.js'
import {SKIP_FLOWS} from '../../wire/skip-flows.js'
import type {EventContent, InboxEvent} from '../event/event.js'
import {type Headers, REPLAY_RUN} from '../event/headers.js'
import type {Rules} from '../plan/judged.js'
import {readAnswer, readNoAnswer} from './delivery-response.js'
import {checkAfterAcceptance, checkAfterFailure, checkAfterRefusal} from './state-check.js'

/** One attempt to deliver an event. */
export interface DeliveryAttempt {
  readonly event: InboxEvent
  readonly content: EventContent
  readonly run: string
  /** From 1. */
  readonly attempt: number
}

/** The way in which events are sent. */
export interface DeliveryTransport {
  /**
   * Sends an event once.
   *
   * @param before the transaction just before, `undefined` if not known
   * @param onAnswered called when the other side has accepted it, and only its state is to be seen
   * @returns the result, whatever it is; throws only on a bug
   */
  deliver(delivery: DeliveryAttempt, before: Transaction | undefined, onAnswered: () => void): Promise<Result>
  /** Whether an attempt without a visible effect may still have one, so that another attempt would repeat it. */
  mayStillArrive(eventId: string): boolean
  /** Who sends the event; absent if storectl does. */
  readonly via?: 'provider'
}

export interface ShopTransportDeps {
  readonly shop: Shop
  /** The webhook token; empty where the shop expects none. */
  readonly token: string
  /** `undefined` when states are not checked. */
  readonly transactions: Transactions | undefined
  readonly rules: Pick<Rules, 'versions' | 'skipFlows'>
  readonly userAgent: string
  /** The wait that a response asks for, milliseconds. */
  readonly retryAfterMs: (answer: HttpResponse) => number | undefined
  readonly clock: Pick<Clock, 'now' | 'readTicks'>
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
  const {shop, token, userAgent, retryAfterMs, rules, clock} = deps
  const skipFlows = rules.skipFlows === true
  try {
    const call = buildWebhookCall(shop, token, event.traits.key)
    const sentMs = clock.readTicks()
    const answer = await send(shop, call, content, {run, event: event.id, attempt, userAgent, skipFlows})
    const {name: profile, url: base, provider} = shop.profile
    const url = `${base.href.replace(/\/$/, '')}${call.path}`
    const {answers} = findProvider(provider)
    const tookMs = clock.readTicks() - sentMs
    const reading = readAnswer(answer, {profile, url, answers, retryAfterMs, tookMs})
    if (reading.kind === 'accepted') {
      deps.onAnswered()
      return await checkAfterAcceptance(event, answer.status, {...deps, before})
    }
    if (reading.kind === 'refused') return await checkAfterRefusal(event, reading.said, {...deps, before})
    return await checkAfterFailure(event, reading.result, {...deps, before})
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

/**
 * The webhook route of a shop, without its token.
 *
 * @param transaction `undefined` for a route that is only shown, with the placeholder
 * @see protocol.md §4
 */
export function buildWebhookPath(
  {profile: {provider}}: {readonly profile: {readonly provider: string}},
  transaction?: string,
): string {
  return fillTemplate(findProvider(provider).route, {provider, transaction})
}

/** Where an event is sent to. */
interface WebhookCall {
  /** Without the token. */
  readonly path: string
  /** The token if it goes in the query; else empty. */
  readonly query: string
  /** The token if it goes in a header. */
  readonly headers: Readonly<Record<string, string>>
}

function buildWebhookCall({profile}: Shop, token: string, key: TransactionKey): WebhookCall {
  const location = findTokenLocation(findProvider(profile.provider), profile.tokenPrefix)
  const path = buildWebhookPath({profile}, key.by === 'id' ? key.id : undefined)
  return {path, ...buildTokenParts(location, token)}
}

/** What is sent along with the bytes. */
interface Marks {
  readonly run: string
  readonly event: string
  /** From 1. */
  readonly attempt: number
  readonly userAgent: string
  /** Has the shop leave its flows out. */
  readonly skipFlows: boolean
}

/** Headers that belong to one connection or another receiver, or that would be untrue. */
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
function send({unsigned}: Shop, call: WebhookCall, {headers, body}: EventContent, marks: Marks) {
  return unsigned.call({
    method: 'POST',
    path: call.query === '' ? call.path : `${call.path}?${call.query}`,
    headers: {
      ...selectSentHeaders(headers),
      ...call.headers,
      'User-Agent': marks.userAgent,
      [REPLAY_RUN]: marks.run,
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
