import {createHash} from 'node:crypto'
import {StorectlError} from '../errors.js'
import type {HttpResponse} from '../http/http.js'
import type {ProviderAnswers} from '../providers/provider.js'
import {readAnswer, readNoAnswer} from '../webhook/delivery/delivery-response.js'
import type {WebhookEvent} from '../webhook/event/event.js'
import type {Headers} from '../webhook/event/headers.js'
import {readSentEvent} from '../webhook/event/read-event.js'
import type {HandedOn} from '../webhook/inbox/capture-inbox.js'

/** The source of captured events, in the inbox. */
export const SOURCE = 'capture'

/** Digits of the hash that names a body without an id. */
const HASH_DIGITS = 32

/** An event as it arrived. */
export interface Arrived {
  readonly event: WebhookEvent
  /** Whether it is one of the provider's, with an id of its own. */
  readonly isWhole: boolean
}

/** How a call arrived. */
interface Arrival {
  /** Its path below the shop's base URL. */
  readonly target: string
  /** Those that are stored. */
  readonly headers: Headers
  readonly at: Date
}

function readArrived(body: Buffer, arrival: Arrival): ReturnType<typeof readSentEvent> {
  return readSentEvent(body, SOURCE, arrival.at, arrival)
}

/**
 * The event in a body. The shop may act on a body without an id too, and an accepted call must be findable; so a body
 * that is not an event is named by its hash.
 */
export function parseArrivedEvent(body: Buffer, arrival: Arrival): Arrived {
  const read = readArrived(body, arrival)
  if (!('unusable' in read)) return {event: read, isWhole: true}
  const sha256 = createHash('sha256').update(body).digest('hex')
  const id = `body-${sha256.slice(0, HASH_DIGITS)}`
  const event = parseNamedEvent(body, id, arrival) ?? buildOpaqueEvent(id, read.unusable, arrival)
  return {event: {...event, sha256, sizeBytes: body.length, body}, isWhole: false}
}

/** A notification that lacks only an id. */
function parseNamedEvent(body: Buffer, id: string, arrival: Arrival): WebhookEvent | undefined {
  try {
    const value = JSON.parse(body.toString('utf8'))
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const read = readArrived(Buffer.from(JSON.stringify({...value, id})), arrival)
    return 'unusable' in read ? undefined : read
  } catch {
    return undefined
  }
}

function buildOpaqueEvent(
  id: string,
  why: string,
  {headers, at: receivedAt}: Arrival,
): Omit<WebhookEvent, 'sha256' | 'sizeBytes' | 'body'> {
  return {
    ...{id, headers, receivedAt, createdAt: receivedAt, source: SOURCE, orderingKeys: []},
    ...{type: 'unreadable', resourceType: null, resourceVersion: null},
    traits: {key: {by: 'nothing'}, keyText: null, fault: why},
  }
}

/** The result of forwarding an event. */
export interface ForwardResult extends Pick<HandedOn, 'status' | 'answer' | 'message'> {
  /** Whether the answer was missing or not the shop's: then the provider is asked to retry. */
  readonly isAway: boolean
  /** Whether the shop's answer shows that it knows the token. */
  readonly provesToken: boolean
  /** Whether the answer says that it does not. */
  readonly refusesToken: boolean
}

/** The result of an answer for the event. @param tookMs how long it took @see replay.md, the table of answers */
export function readDeliveryStatus(
  answer: HttpResponse,
  answers: ProviderAnswers,
  tookMs: number,
): ForwardResult {
  const reading = readAnswer(answer, {profile: '', url: '', answers, tookMs, retryAfterMs: () => undefined})
  if (reading.kind === 'accepted') {
    const token = {provesToken: true, refusesToken: false}
    return {status: 'delivered', answer: answer.status, message: null, isAway: false, ...token}
  }
  const said = reading.kind === 'refused' ? reading.said : (reading.result.detail ?? null)
  const isOpen = reading.kind === 'final' && reading.result.resultClass === 'unknown'
  const isUnknown = isOpen && reading.result.doubt !== 'refused'
  return {
    status: isUnknown ? 'unknown' : 'failed',
    answer: answer.status,
    message: said,
    isAway: isOpen,
    provesToken: answer.status === 400 && answers.afterToken.includes(said ?? ''),
    refusesToken: said !== null && said === answers.wrongToken,
  }
}

/** The result without an answer. @param error as `HttpClient` throws it; any other is rethrown unchanged */
export function readMissingAnswer(error: unknown): ForwardResult {
  if (!(error instanceof StorectlError)) throw error
  const {resultClass, detail} = readNoAnswer(error)
  const status = resultClass === 'unknown' ? 'unknown' : 'failed'
  return {
    status,
    answer: null,
    message: detail ?? null,
    isAway: true,
    provesToken: false,
    refusesToken: false,
  }
}
