import type {HttpClient, HttpResponse} from '../http/http.js'
import {retryWithBackoff} from '../platform/backoff.js'
import type {ProviderAnswers} from '../providers/provider.js'
import {type ArrivedWith, isProven} from '../webhook/event/sender.js'
import type {TokenBearer} from '../webhook/event/webhook-token.js'
import {BEING_HANDED_ON, type Kept} from '../webhook/inbox/capture-inbox.js'
import type {SignatureQueue} from '../webhook/verify/signature-queue.js'
import {buildRefusal, buildRetryLater, type Reply, replyTo, TAKEN} from './capture-response.js'
import type {CapturedRow} from './capture-view.js'
import {
  type Arrived,
  type ForwardResult,
  parseArrivedEvent,
  readDeliveryStatus,
  readMissingAnswer,
} from './captured-event.js'
import {type DiskQuota, ROW_BYTES} from './disk-quota.js'
import {buildForwardedHeaders, selectStoredHeaders} from './forward-headers.js'
import {LIMITS} from './held-bytes.js'
import type {InboxWriter} from './inbox-writer.js'
import type {KeyedLock} from './keyed-lock.js'
import {answerOwnCall, isOwnCall} from './own-calls.js'
import type {Shown, WebhookTokens} from './webhook-tokens.js'

/** A completely read webhook call; its headers are without those of the connection. */
export interface Incoming extends TokenBearer {
  /** Of the webhook route, below the shop's base URL. */
  readonly path: string
  readonly body: Buffer
}

export interface ReceptionDeps {
  /** Forwards calls; `undefined` if events are only stored. */
  readonly shop: HttpClient | undefined
  /** The answers of the plugin in the shop. */
  readonly answers: ProviderAnswers
  /** Identifies calls that passed through this capture. */
  readonly self: string
  readonly tokens: WebhookTokens
  readonly inboxWriter: Pick<InboxWriter, 'take' | 'storeResult'>
  readonly signatures: Pick<SignatureQueue, 'add'>
  readonly eventLocks: Pick<KeyedLock, 'enter'>
  /** The run that has an event of a payment in flight. */
  readonly findReplay: (transaction: string, eventId: string) => Promise<string | undefined>
  readonly disk: Pick<DiskQuota, 'reserve' | 'release' | 'countNotStored'>
  /** How long the shop may take to answer, milliseconds. */
  readonly timeoutMs: number
  /** Answers 200 to stored events while the shop is away. */
  readonly acceptsWhenDown: boolean
  /** Answers 200 to events that the shop took before, without forwarding them. */
  readonly skipsDelivered: boolean
  readonly now: () => Date
  /** Called with a token that the shop accepted for the first time. */
  readonly onAcceptedToken: (digest: Buffer) => Promise<void>
  readonly onForwarded: (ms: number) => void
  readonly onEvent: (row: CapturedRow) => void
  /** Called with every result, in order; `isOwnToken` if the call was forwarded with the profile's token. */
  readonly onResult: (outcome: ForwardResult, isOwnToken: boolean) => void
}

/** A call in flight. */
interface Passage {
  readonly deps: ReceptionDeps
  readonly incoming: Incoming
  readonly arrived: Arrived
  readonly shown: Shown
  readonly begun: Date
}

/**
 * Handles a webhook call: stores it, forwards it, stores the result, and returns the shop's answer. Every call answered
 * 2xx is in the inbox. If there is no room left for calls without a known token, those are only forwarded;
 * so are those of storectl itself.
 */
export async function receive(incoming: Incoming, deps: ReceptionDeps): Promise<Reply> {
  const begun = deps.now()
  const shown = deps.tokens.read(incoming, begun)
  const headers = selectStoredHeaders(deps.tokens.removeToken(incoming.headers), shown.secrets)
  const arrived = parseArrivedEvent(incoming.body, {headers, target: incoming.path, at: begun})
  const passage = {deps, incoming, arrived, shown, begun}
  if (deps.shop && (await isOwnCall(incoming, arrived.event, deps.findReplay)))
    return answerOwnCall(call(passage, deps.shop))
  const stored = await storeArrival(passage, shown.arrivedWith)
  if (!stored) return refuseUnstored(passage, UNWRITABLE)
  if (stored === 'no-room' && shown.isProven) return refuseUnstored(passage, NO_ROOM)
  const kept = stored === 'no-room' ? undefined : stored
  if (kept?.wasDelivered && deps.skipsDelivered && shown.isProven) return acceptDelivered(passage, kept)
  return deps.shop ? forwardAndStore(passage, deps.shop, kept) : acceptWithoutShop(passage, kept)
}

const UNWRITABLE = 'the inbox cannot be written'
const NO_ROOM = '--max-disk is used up'

/** @returns `no-room` for a new event beyond the disk quota; `undefined` if nothing can be written */
async function storeArrival(
  {deps, arrived: {event}, shown}: Passage,
  arrivedWith: ArrivedWith,
): Promise<Kept | 'no-room' | undefined> {
  const busyMs = deps.shop ? LIMITS.leaseMs : null
  const bytes = event.sizeBytes + JSON.stringify(event.headers).length + ROW_BYTES
  const hasRoom = await deps.disk.reserve(bytes, isProven(arrivedWith))
  const message = deps.shop ? BEING_HANDED_ON : null
  const arrival = {event, busyMs, arrivedWith, tokenDigest: shown.digest?.toString('hex'), message, hasRoom}
  const kept = await deps.inboxWriter.take(arrival)
  if (hasRoom && (typeof kept !== 'object' || kept.isKnown)) deps.disk.release(bytes)
  return kept
}

async function forwardAndStore(
  passage: Passage,
  shop: HttpClient,
  arrived: Kept | undefined,
): Promise<Reply> {
  const {deps, shown} = passage
  const {outcome, answer, kept: first} = await forwardInTurn(passage, shop, arrived)
  if (first && outcome === DELIVERED_MEANWHILE) return acceptDelivered(passage, first)
  deps.onResult(outcome, shown.isOwn)
  const arrivedWith = await classifyAnswered(passage, outcome)
  const isTrusted = isProven(arrivedWith)
  const stored = first ?? (isTrusted ? await storeArrival(passage, arrivedWith) : 'no-room')
  if (isTrusted && typeof stored !== 'object')
    return refuseUnstored(passage, stored === undefined ? UNWRITABLE : NO_ROOM)
  const kept = typeof stored === 'object' ? stored : undefined
  await storeOutcome(passage, kept, outcome, arrivedWith)
  const reply = replyTo(outcome, answer, isTrusted && deps.acceptsWhenDown)
  reportEvent(passage, kept ? outcome.status : 'not-stored', outcome, {reply, kept})
  checkSignature(passage, kept)
  return reply
}

/** What a call came with, also by the shop's answer: a token that the shop accepts is one of its own. */
async function classifyAnswered(
  {deps, shown: {arrivedWith, digest}}: Passage,
  {provesToken, refusesToken}: ForwardResult,
): Promise<ArrivedWith> {
  if (isProven(arrivedWith)) return arrivedWith
  if (provesToken && digest) {
    if (deps.tokens.prove(digest)) await deps.onAcceptedToken(digest)
    return 'token'
  }
  return refusesToken ? 'wrong-token' : arrivedWith
}

/** Only once the result is stored: an event that verifies counts as proven from then on. */
function checkSignature({deps, arrived: {event}}: Passage, kept: Kept | undefined): void {
  if (kept) deps.signatures.add({...event, id: kept.id})
}

async function storeOutcome(
  {deps}: Passage,
  kept: Kept | undefined,
  {status, answer, message}: ForwardResult,
  arrivedWith: ArrivedWith,
): Promise<void> {
  if (!kept) deps.disk.countNotStored()
  else {
    const known = status === 'failed' && kept.wasInDoubt ? 'unknown' : status
    await deps.inboxWriter.storeResult({...kept, status: known, answer, message, at: deps.now(), arrivedWith})
  }
}

async function forwardInTurn(
  passage: Passage,
  shop: HttpClient,
  first: Kept | undefined,
): Promise<{outcome: ForwardResult; answer?: HttpResponse; kept: Kept | undefined}> {
  const {deps, arrived} = passage
  const keys = [...arrived.event.orderingKeys, `event:${first?.id ?? arrived.event.id}`]
  const limitMs = performance.now() + LIMITS.eventLockMs
  const leave = await deps.eventLocks.enter(keys, LIMITS.eventLockMs)
  if (!leave) return {outcome: NOT_ITS_TURN, kept: first}
  const waited = first ? await waitForReplay(limitMs, passage, first) : FREE
  const {kept} = waited
  if (waited.state !== 'free') {
    leave()
    return {outcome: waited.state === 'delivered' ? DELIVERED_MEANWHILE : NOT_ITS_TURN, kept}
  }
  const sentMs = performance.now()
  try {
    const answer = await call(passage, shop)
    const tookMs = performance.now() - sentMs
    return {outcome: readDeliveryStatus(answer, deps.answers, tookMs), answer, kept}
  } catch (error) {
    return {outcome: readMissingAnswer(error), kept}
  } finally {
    leave()
    deps.onForwarded(performance.now() - sentMs)
  }
}

/** The result of waiting for a replay, and the event as it is then in the inbox. */
interface Waited {
  readonly state: 'free' | 'busy' | 'delivered'
  readonly kept: Kept | undefined
}

const FREE: Waited = {state: 'free', kept: undefined}

/**
 * Waits while a replay has an event of its payment in flight. The inbox already has the event as in flight, so that a
 * replay that begins later sees it: at most one of the two sends.
 *
 * @returns `busy` if it still has when time is up, `delivered` if it delivered this very event
 */
async function waitForReplay(
  limitMs: number,
  {deps, arrived: {event}, shown}: Passage,
  kept: Kept,
): Promise<Waited> {
  const {keyText} = event.traits
  const {id, wasDelivered} = kept
  if (keyText === null || !(await deps.findReplay(keyText, id))) return {state: 'free', kept}
  const run = await retryWithBackoff(() => deps.findReplay(keyText, id), {
    ...{firstMs: 10, longestMs: 200, timeoutMs: Math.max(0, limitMs - performance.now())},
    isUnfinished: run => run !== undefined,
  })
  if (run !== undefined) return {state: 'busy', kept}
  if (wasDelivered || !shown.isProven) return {state: 'free', kept}
  const {arrivedWith} = shown
  const arrival = {busyMs: LIMITS.leaseMs, arrivedWith, message: BEING_HANDED_ON, hasRoom: true}
  const again = await deps.inboxWriter.take({...arrival, event: {...event, id}})
  if (typeof again !== 'object') return {state: 'free', kept}
  const wasInDoubt = kept.wasInDoubt || again.wasInDoubt
  return {state: again.wasDelivered ? 'delivered' : 'free', kept: {...again, wasInDoubt}}
}

/** The result of an event that was not forwarded, as a replay has delivered it. */
const DELIVERED_MEANWHILE: ForwardResult = {
  status: 'delivered',
  answer: null,
  message: 'a replay delivered it',
  ...{isAway: false, provesToken: false, refusesToken: false},
}

const NOT_ITS_TURN: ForwardResult = {
  status: 'failed',
  answer: null,
  message: `an earlier event of its payment had no response after ${LIMITS.eventLockMs / 1000} s; not sent`,
  ...{isAway: true, provesToken: false, refusesToken: false},
}

function call({deps, incoming, shown}: Passage, shop: HttpClient): Promise<HttpResponse> {
  return shop.call({
    method: 'POST',
    path: shown.query === '' ? incoming.path : `${incoming.path}?${shown.query}`,
    headers: buildForwardedHeaders(shown.headers, deps.self),
    body: incoming.body,
    answer: 'short',
  })
}

/** Nothing is forwarded: a caller with the token gets 200 for a stored event. */
async function acceptWithoutShop(passage: Passage, kept: Kept | undefined): Promise<Reply> {
  const {deps, shown} = passage
  if (shown.isProven) {
    reportEvent(passage, 'pending', {answer: null, message: null}, {reply: TAKEN, kept})
    checkSignature(passage, kept)
    return TAKEN
  }
  const message = deps.answers.wrongToken ?? 'The webhook token is invalid.'
  const outcome = {status: 'failed', answer: 400, message} as const
  if (!kept) deps.disk.countNotStored()
  else if (!kept.isKnown)
    await deps.inboxWriter.storeResult({...kept, ...outcome, at: deps.now(), arrivedWith: 'wrong-token'})
  const reply = buildRefusal(400, message)
  reportEvent(passage, kept ? 'failed' : 'not-stored', outcome, {reply, kept})
  checkSignature(passage, kept)
  return reply
}

/** One more attempt that changed nothing: a delivered event does not become failed by it. */
async function acceptDelivered(passage: Passage, kept: Kept): Promise<Reply> {
  const {deps, shown} = passage
  const outcome = {status: 'failed', answer: null, message: 'delivered before'} as const
  await deps.inboxWriter.storeResult({...kept, ...outcome, at: deps.now(), arrivedWith: shown.arrivedWith})
  reportEvent(passage, 'delivered', outcome, {reply: TAKEN, kept})
  return TAKEN
}

function refuseUnstored(passage: Passage, message: string): Reply {
  const reply = buildRetryLater('The event could not be stored and was not accepted.')
  reportEvent(passage, 'not-stored', {answer: null, message}, {reply})
  return reply
}

function reportEvent(
  {deps, arrived: {event}, begun}: Passage,
  status: CapturedRow['status'],
  {answer, message}: Pick<ForwardResult, 'answer' | 'message'>,
  {reply, kept}: {readonly reply: Reply; readonly kept?: Kept | undefined},
): void {
  deps.onEvent({
    receivedAt: begun.toISOString(),
    id: kept?.id ?? event.id,
    type: event.type,
    ...{status, answer, message},
    answered: reply.status,
    ms: deps.now().getTime() - begun.getTime(),
  })
}
