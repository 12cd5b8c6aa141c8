import type {Answer, Caller} from '../http/http.js'
import type {Headers} from '../webhook/event/event.js'
import type {Kept} from '../webhook/inbox/capture-inbox.js'
import {LIMITS} from './capture-limits.js'
import {later, type Reply, refusal, TAKEN} from './capture-response.js'
import type {CapturedRow} from './capture-view.js'
import {type Arrived, arrivedEvent, type Outcome, outcomeOf, outcomeOfNoAnswer} from './captured-event.js'
import {answeredHeaders, forwardedHeaders, keptHeaders} from './forward-headers.js'
import type {Keeping} from './inbox-writer.js'
import type {Lanes} from './keyed-lock.js'
import type {Shown, WebhookTokens} from './webhook-tokens.js'

/** A webhook call that has been read to its end. */
export interface Incoming {
  /** Without those of the connection. */
  readonly headers: Headers
  /** What stands behind `?` in the address. */
  readonly query: string
  readonly body: Buffer
}

export interface ReceptionDeps {
  /** Hands calls on; `undefined` where events are only kept. */
  readonly shop: Caller | undefined
  /** Of the webhook route, below the shop's base URL. */
  readonly path: string
  /** By which we know what has come through us. */
  readonly self: string
  readonly tokens: WebhookTokens
  readonly keeping: Pick<Keeping, 'take' | 'settle'>
  readonly lanes: Pick<Lanes, 'enter'>
  /** Events that may be kept of those that anybody may have made up. */
  readonly strangers: {room: number}
  /** How long the shop may take to answer, milliseconds. */
  readonly timeoutMs: number
  /** Says 200 to what was kept while the shop is away. */
  readonly acceptsWhenDown: boolean
  /** Says 200 to what the shop has taken before, and does not hand it on. */
  readonly skipsDelivered: boolean
  readonly now: () => Date
  readonly onForwarded: (ms: number) => void
  readonly onEvent: (row: CapturedRow) => void
  /** Told of every outcome, in order; `isOwnToken` where the call went on with the profile's token. */
  readonly onOutcome: (outcome: Outcome, isOwnToken: boolean) => void
}

/** What stays there where nobody lived to write the answer down. */
const BEING_HANDED_ON = 'it was being handed on to the shop, and no answer was written down'

const WRONG_TOKEN = 'Shopware token is invalid'

/** A call on its way through. */
interface Passage {
  readonly deps: ReceptionDeps
  readonly incoming: Incoming
  readonly arrived: Arrived
  readonly shown: Shown
  readonly begun: Date
}

/**
 * Takes a webhook call: writes it down, hands it on, writes down what came of that, and gives the shop's answer. Whatever
 * is answered 2xx is in the inbox.
 */
export async function receive(incoming: Incoming, deps: ReceptionDeps): Promise<Reply> {
  const begun = deps.now()
  const shown = deps.tokens.read(incoming.query)
  const arrived = arrivedEvent(incoming.body, keptHeaders(incoming.headers, shown.secrets), begun)
  const passage = {deps, incoming, arrived, shown, begun}
  const isWanted = shown.isProven || (arrived.isWhole && deps.strangers.room > 0)
  const kept = isWanted ? await keep(passage, shown.isProven) : undefined
  if (isWanted && !kept) return notKept(passage)
  if (kept?.wasDelivered && deps.skipsDelivered && shown.isProven) return takenBefore(passage, kept)
  return deps.shop ? throughShop(passage, deps.shop, kept) : keptOnly(passage, kept)
}

async function keep({deps, arrived}: Passage, isProven: boolean): Promise<Kept | undefined> {
  const busyMs = deps.shop ? LIMITS.laneMs + deps.timeoutMs + LIMITS.writingMs : null
  const kept = await deps.keeping.take({
    event: arrived.event,
    busyMs,
    isProven,
    cause: deps.shop ? BEING_HANDED_ON : null,
  })
  if (kept && !kept.isKnown && !isProven) deps.strangers.room--
  return kept
}

async function throughShop(passage: Passage, shop: Caller, first: Kept | undefined): Promise<Reply> {
  const {deps, incoming, shown} = passage
  const {outcome, answer} = await handedOn(passage, shop, first)
  deps.onOutcome(outcome, shown.isOwn)
  if (outcome.provesToken && !shown.isProven) deps.tokens.prove(incoming.query)
  const isProven = shown.isProven || outcome.provesToken
  const kept = first ?? (isProven ? await keep(passage, true) : undefined)
  if (isProven && !kept) return notKept(passage)
  const {status, answer: answered, cause} = outcome
  if (kept) await deps.keeping.settle({...kept, status, answer: answered, cause, at: deps.now(), isProven})
  const reply = replyTo(outcome, answer, isProven && deps.acceptsWhenDown)
  tell(passage, kept ? status : 'not-kept', outcome, reply, kept)
  return reply
}

async function handedOn(
  passage: Passage,
  shop: Caller,
  kept: Kept | undefined,
): Promise<{outcome: Outcome; answer?: Answer}> {
  const {deps, arrived} = passage
  const keys = [...arrived.event.laneKeys, `event:${kept?.id ?? arrived.event.id}`]
  const leave = await deps.lanes.enter(keys, LIMITS.laneMs)
  if (!leave) return {outcome: NOT_ITS_TURN}
  const sentMs = performance.now()
  try {
    const answer = await call(passage, shop)
    return {outcome: outcomeOf(answer), answer}
  } catch (error) {
    return {outcome: outcomeOfNoAnswer(error)}
  } finally {
    leave()
    deps.onForwarded(performance.now() - sentMs)
  }
}

const NOT_ITS_TURN: Outcome = {
  status: 'failed',
  answer: null,
  cause: `an earlier event of its payment had not been answered after ${LIMITS.laneMs / 1000} s; not sent`,
  isAway: true,
  provesToken: false,
  refusesToken: false,
}

function call({deps, incoming, shown}: Passage, shop: Caller): Promise<Answer> {
  return shop.call({
    method: 'POST',
    path: shown.query === '' ? deps.path : `${deps.path}?${shown.query}`,
    headers: forwardedHeaders(incoming.headers, deps.self),
    body: incoming.body,
  })
}

function replyTo(outcome: Outcome, answer: Answer | undefined, acceptsWhenDown: boolean): Reply {
  if (answer && !outcome.isAway) {
    return {status: answer.status, headers: answeredHeaders(answer), body: answer.body}
  }
  if (acceptsWhenDown) return TAKEN
  const after = answer?.status === 503 ? answer.headers['retry-after'] : undefined
  return later('The shop did not answer.', after === undefined ? undefined : String(after))
}

/** Nothing is handed on: who shows the token is told that the event is here. */
async function keptOnly(passage: Passage, kept: Kept | undefined): Promise<Reply> {
  const {deps, shown} = passage
  if (shown.isProven) {
    tell(passage, 'pending', {answer: null, cause: null}, TAKEN, kept)
    return TAKEN
  }
  const outcome = {status: 'failed', answer: 400, cause: WRONG_TOKEN} as const
  if (kept) await deps.keeping.settle({...kept, ...outcome, at: deps.now(), isProven: false})
  const reply = refusal(400, WRONG_TOKEN)
  tell(passage, kept ? 'failed' : 'not-kept', outcome, reply, kept)
  return reply
}

/** One more attempt that changed nothing: what was delivered does not fail by it. */
async function takenBefore(passage: Passage, kept: Kept): Promise<Reply> {
  const {deps} = passage
  const outcome = {status: 'failed', answer: null, cause: 'the shop had taken it before'} as const
  await deps.keeping.settle({...kept, ...outcome, at: deps.now(), isProven: true})
  tell(passage, 'delivered', outcome, TAKEN, kept)
  return TAKEN
}

function notKept(passage: Passage): Reply {
  const reply = later('The event could not be kept, so it was not taken.')
  tell(passage, 'not-kept', {answer: null, cause: 'the inbox cannot be written'}, reply)
  return reply
}

function tell(
  {deps, arrived: {event}, begun}: Passage,
  status: CapturedRow['status'],
  {answer, cause}: Pick<Outcome, 'answer' | 'cause'>,
  reply: Reply,
  kept?: Kept,
): void {
  deps.onEvent({
    receivedAt: begun.toISOString(),
    id: kept?.id ?? event.id,
    type: event.type,
    status,
    answer,
    answered: reply.status,
    ms: deps.now().getTime() - begun.getTime(),
    cause,
  })
}
