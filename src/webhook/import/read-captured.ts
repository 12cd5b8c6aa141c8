import type {ProviderDefinition} from '../../providers/provider.js'
import {findProvider} from '../../providers/providers.js'
import {findTokenLocation, matchRoute} from '../../providers/route.js'
import type {ObservedDelivery, WebhookEvent} from '../event/event.js'
import {readSentEvent, type Unusable} from '../event/read-event.js'
import {digestToken, findShownToken, isMasked, readQuery} from '../event/webhook-token.js'
import {type CapturedRequest, EVENT_MEMBER, type ObjectMembers} from './formats/captured-request.js'
import {readPieces} from './formats/text-reader.js'
import {readObservedDelivery} from './observed-delivery.js'
import {selectProviderHeaders} from './select-headers.js'
import {type IsOwnWebhook, readListedDelivery} from './transmissions.js'

/** A piece of a file that is not an event. */
export interface EventFault {
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly why: string
}

/** What is known about the shop that the events are for. */
export interface OwnShop {
  readonly isOwnWebhook: IsOwnWebhook
  /** The profile's prefix of the token parameter. */
  readonly tokenPrefix: string
}

/** An event of a file. */
export interface ReadEvent {
  readonly event: WebhookEvent
  /** SHA-256 of the webhook token in its request's address; `undefined` if there is none to read. */
  readonly token?: Buffer | undefined
  /** Whether the provider's own list has it. */
  readonly isListed?: boolean | undefined
  /** Whether the shop answered that the token is invalid. */
  readonly isRefused?: boolean | undefined
  /** The result of its delivery, if the file has it. */
  readonly sighting?: ObservedDelivery | undefined
  /** Why these may not be the bytes that were sent. */
  readonly doubt?: EventFault | undefined
}

export type Read = ReadEvent | {readonly fault: EventFault} | {readonly passedOver: true}

/** Where a piece comes from, and which shop its event is for. */
export interface PieceOrigin {
  readonly shop: OwnShop
  readonly source: string
  readonly name: string
  readonly now: () => Date
}

/** A piece that cannot be used. @param line from 1 */
export function toFault({name}: PieceOrigin, line: number, why: string): {readonly fault: EventFault} {
  return {fault: {file: name, line, why}}
}

/** Reads the event in a request that was captured. @param line that the request begins on, from 1 */
export function readCaptured(captured: CapturedRequest, line: number, from: PieceOrigin): Read {
  const {method, target, headers, body, at, doubt} = captured
  const route = matchRoute(target)
  const isOther = target !== undefined && route === undefined
  if (method !== undefined && method !== 'POST') return {passedOver: true}
  if (!body) return isOther ? {passedOver: true} : toFault(from, line, 'its body is not in the file')
  const origin = {headers: selectProviderHeaders(headers), target: route && target, at}
  const event = readBody(body, captured.members, (bytes, members) =>
    readSentEvent(bytes, from.source, at ?? from.now(), {...origin, members}),
  )
  if ('unusable' in event) {
    const isElse = !route && !Buffer.from(body).includes(EVENT_MEMBER)
    return isElse ? {passedOver: true} : toFault(from, line, event.unusable)
  }
  const why = doubt === undefined ? undefined : {file: from.name, line, why: `${event.id}: ${doubt}`}
  const token = route && readToken(captured, route.provider, from.shop.tokenPrefix)
  const listed = captured.isListable && readListedDelivery(body, from.shop.isOwnWebhook)
  return {event, doubt: why, token, ...(listed ? {sighting: listed} : readAnswer(captured, event))}
}

/** A file may have more or less than the body that was sent. */
function readBody<E extends object>(
  body: Uint8Array,
  members: ObjectMembers | undefined,
  read: (bytes: Uint8Array, members?: ObjectMembers) => E | Unusable,
) {
  const event = read(body, members)
  if (!('unusable' in event)) return event
  const [only, ...others] = readPieces(body)
  if (!only || others.length > 0 || 'isPassedOver' in only) return event
  return 'why' in only ? {unusable: only.why} : read(only.captured.body ?? body)
}

/** The shop's answer, and whether it refused the token. Another address's success says nothing about the shop. */
function readAnswer(
  {answer, at, target, isBehindProse}: CapturedRequest,
  {createdAt, traits}: WebhookEvent,
): Pick<ReadEvent, 'sighting' | 'isRefused'> {
  if (!answer) return {}
  const isOther = target !== undefined && !matchRoute(target)
  if (answer.status < 300 && (isOther || isBehindProse)) return {}
  const sighting = readObservedDelivery(answer, at ?? createdAt)
  const {wrongToken} = findProvider(traits.provider).answers
  return {sighting, isRefused: wrongToken !== null && sighting.message === wrongToken}
}

/** Only a readable token in the address of the request itself counts. */
function readToken(
  {target = '', headers}: CapturedRequest,
  provider: ProviderDefinition,
  tokenPrefix: string,
): Buffer | undefined {
  const location = findTokenLocation(provider, tokenPrefix)
  const shown = location && findShownToken({query: readQuery(target), headers}, location)
  return shown === undefined || isMasked(shown) ? undefined : digestToken(shown)
}
