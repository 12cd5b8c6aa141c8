import {StorectlError} from '../../errors.js'
import type {HttpResponse} from '../../http/http.js'
import type {Transaction, Transactions} from '../../payment/transactions.js'
import {retryWithBackoff} from '../../platform/backoff.js'
import type {Clock} from '../../platform/clock.js'
import {memoize} from '../../platform/memoize.js'
import {findEventType} from '../../providers/providers.js'
import type {Result} from '../../runs/journal/item.js'
import type {ShopVersions} from '../../shopware/versions/version-range.js'
import {findDoubt} from '../../wire/find-doubt.js'
import type {DeliveryTransport} from '../delivery/delivery.js'
import {readNoAnswer} from '../delivery/delivery-response.js'
import type {InboxEvent} from '../event/event.js'
import {isTrusted} from '../event/sender.js'
import {forecast} from '../plan/forecast.js'
import {type Provider, resend} from './provider.js'

export interface ProviderTransportDeps {
  readonly provider: Provider
  readonly transactions: Transactions
  /** Of the shop that the events are for. */
  readonly versions: ShopVersions | undefined
  readonly clock: Clock
  /** How long to wait for the effect, milliseconds. */
  readonly patienceMs: number
  /** The wait that an answer asks for, milliseconds. */
  readonly retryAfterMs: (answer: HttpResponse) => number | undefined
  /** Ends the wait. */
  readonly stopping: AbortSignal
  /** The shop's own webhook at the provider, which then delivers to no other; `undefined` if the shop does not name it. */
  readonly findWebhookId: () => Promise<string | undefined>
  /** The event as it is in the inbox now: a capture may see its delivery end. */
  readonly findEvent: (id: string) => Promise<InboxEvent | undefined>
}

const LOOKS = {firstMs: 250, longestMs: 5000}

/**
 * Has the provider deliver events, at a time of its own: its answer only says that it will. Only the transaction's state
 * shows the effect.
 *
 * @see protocol.md §4.7
 */
export function createProviderTransport(deps: ProviderTransportDeps): DeliveryTransport {
  const taken = new Set<string>()
  const findWebhookId = memoize(deps.findWebhookId)
  return {
    via: 'provider',
    deliver: async ({event}, before) => {
      try {
        const attempts = (await deps.findEvent(event.id))?.attempts ?? 0
        const sentMs = deps.clock.readTicks()
        const answer = await resend(event.id, await findWebhookId(), deps.provider)
        const tookMs = deps.clock.readTicks() - sentMs
        const isTaken = answer.status >= 200 && answer.status < 300
        const refused = isTaken ? undefined : readRefusal(answer, tookMs, deps)
        if (refused && refused.resultClass !== 'unknown') return refused
        taken.add(event.id)
        if (!refused) return await awaitChange(event, answer, {before, attempts}, deps)
        const seen = before && (await awaitChange(event, answer, {before, attempts}, deps))
        return seen?.result === 'applied' || seen?.result === 'rejected' ? seen : refused
      } catch (error) {
        return readNoResponse(error)
      }
    },
    // The provider will deliver an accepted event; asking again would deliver it twice.
    mayStillArrive: eventId => taken.has(eventId),
  }
}

function readRefusal(
  answer: HttpResponse,
  tookMs: number,
  {provider, retryAfterMs}: ProviderTransportDeps,
): Result {
  const {status} = answer
  const error = provider.refusal(answer, 'sending an event again')
  const said = {status, detail: error.message} as const
  const waiting = {...said, retryAfterMs: retryAfterMs(answer), exit: 'unavailable'} as const
  if (status === 429) return {...waiting, resultClass: 'later', result: 'failed'}
  const doubt = findDoubt(answer, tookMs)
  // A 5xx may come after the request was accepted: asking again could deliver the event twice.
  if (doubt || status >= 500) return {...waiting, resultClass: 'unknown', result: 'unknown', doubt}
  const isKnown = error.code !== 'rejected.by_provider'
  return isKnown
    ? {...said, resultClass: 'failed', result: 'failed', exit: error.exitName, halt: error}
    : {...said, resultClass: 'failed', result: 'rejected', exit: 'rejected'}
}

/** A refused sign-in will also be refused for the next event. */
function readNoResponse(error: unknown): Result {
  if (!(error instanceof StorectlError)) throw error
  if (error.exitName === 'unavailable') return readNoAnswer(error)
  const detail = error.message
  return {resultClass: 'failed', result: 'failed', detail, exit: error.exitName, halt: error}
}

/** The result of an event that the provider has promised to deliver. */
async function awaitChange(
  event: InboxEvent,
  {status, body}: HttpResponse,
  {before, attempts}: {readonly before: Transaction | undefined; readonly attempts: number},
  deps: ProviderTransportDeps,
): Promise<Result> {
  const well = {resultClass: 'done', status} as const
  if (!findEventType(event))
    return {...well, result: 'unchanged', detail: `the shop has no handler for ${event.type}`}
  if (!before)
    return {
      ...well,
      result: 'accepted',
      detail: 'the provider will deliver it; the state does not show it yet',
    }
  if (forecast(event, before, deps.versions).kind === 'stays') {
    const detail = `the provider will deliver it; the transaction is ${before.state} already`
    return {...well, result: 'unchanged', detail, facts: {before: before.state, after: before.state}}
  }
  const {after, refused} = await waitForEnd(event, {state: before.state, attempts}, deps)
  if (refused) {
    const detail = `the shop answered ${refused.answer} to the provider's delivery: ${refused.message ?? ''}`
    const answered = refused.answer ?? undefined
    return {resultClass: 'failed', result: 'rejected', status: answered, detail, exit: 'rejected'}
  }
  if (after === undefined) {
    const when = deps.stopping.aborted
      ? 'when the run was stopped'
      : `after ${Math.round(deps.patienceMs / 1000)} s`
    const still = `the provider accepted the resend; ${when} the transaction was still ${before.state}`
    const detail = isPending(body) ? `${still}; ${PENDING}` : still
    return {resultClass: 'unknown', result: 'unknown', status, detail, exit: 'unavailable'}
  }
  const facts = {before: before.state, after}
  return {...well, result: 'applied', detail: `${before.state} → ${after}`, facts}
}

const PENDING =
  'the provider still tries to deliver it by itself, and resends nothing until it is done with that'

/** Whether the provider says that it still tries by itself. @see provider.md §1, §2 */
function isPending(body: Uint8Array): boolean {
  try {
    const {status, transmissions} = JSON.parse(Buffer.from(body).toString('utf8'))
    if (status !== undefined) return status === 'PENDING'
    return Array.isArray(transmissions) && transmissions.some(each => each?.status === 'PENDING')
  } catch {
    return false
  }
}

/** The visible effect of a delivery: neither member if it takes too long. */
interface Seen {
  /** The state that the transaction came to. */
  readonly after?: string | undefined
  /** The event, which a capture forwarded and the shop refused. */
  readonly refused?: InboxEvent | undefined
}

async function waitForEnd(
  event: InboxEvent,
  before: {readonly state: string; readonly attempts: number},
  {transactions, findEvent, clock, patienceMs, stopping}: ProviderTransportDeps,
): Promise<Seen> {
  if (stopping.aborted) return {}
  const look = async (): Promise<Seen> => {
    const state = (await transactions.find(event.traits.key).catch(() => undefined))?.state
    if (state !== undefined && state !== before.state) return {after: state}
    const now = await findEvent(event.id)
    const isRefused =
      now?.status === 'failed' && now.attempts > before.attempts && !now.isInFlight && isTrusted(now.sender)
    return isRefused ? {refused: now} : {}
  }
  return retryWithBackoff(look, {
    ...LOOKS,
    timeoutMs: patienceMs,
    isUnfinished: ({after, refused}) => after === undefined && !refused,
    clock,
    signal: stopping,
  }).catch(error => {
    if (!stopping.aborted) throw error
    return {}
  })
}
