import {hash} from 'node:crypto'
import {decodeBody, type EventOrigin, readEventHead} from '../../providers/event-head.js'
import {findEventRules} from '../../providers/event-rules.js'
import type {ProviderDefinition} from '../../providers/provider.js'
import {PROVIDERS} from '../../providers/providers.js'
import {matchRoute} from '../../providers/route.js'
import {removeListOnly} from '../../providers/same-content.js'
import type {WebhookEvent} from './event.js'
import {findHeader, type Headers} from './headers.js'

type Members = Readonly<Record<string, unknown>>

/** Why bytes are not an event. */
export interface Unusable {
  readonly unusable: string
}

/**
 * Reads an event from the bytes of its body. Its address shows which provider sent it; without one, its form does.
 *
 * @param body of one notification; stored as it is
 * @param headers those it came with; `undefined` if not known
 * @see protocol.md §4.7
 */
export function readEvent(
  body: Uint8Array,
  source: string,
  receivedAt: Date,
  headers?: Headers,
): WebhookEvent | Unusable {
  return readSentEvent(body, source, receivedAt, {headers})
}

/** What is known about a body besides its bytes. */
interface SentBody extends EventOrigin {
  readonly headers?: Headers | undefined
  /** Its value, if it was parsed as JSON. */
  readonly members?: Members | undefined
}

/** The same of a body whose address or time of arrival may be known. */
export function readSentEvent(
  body: Uint8Array,
  source: string,
  receivedAt: Date,
  {headers, at, target, members}: SentBody,
): WebhookEvent | Unusable {
  const route = matchRoute(target)
  const arrival = {
    source,
    receivedAt,
    headers: headers ?? [],
    at,
    transaction: route?.transaction,
    members,
  }
  if (route) return readEventOf(route.provider, body, arrival)
  let first: Unusable | undefined
  for (const provider of PROVIDERS.values()) {
    const read = readEventOf(provider, body, arrival)
    if (!('unusable' in read)) return read
    first ??= read
  }
  return first as Unusable
}

interface Arrival {
  readonly source: string
  readonly receivedAt: Date
  readonly headers: Headers
  readonly at: Date | undefined
  readonly transaction: string | undefined
  readonly members: Members | undefined
}

function readEventOf(
  provider: ProviderDefinition,
  bytes: Uint8Array,
  {source, receivedAt, headers, at, transaction, members: read}: Arrival,
): WebhookEvent | Unusable {
  const decoded = read && provider.body.format === 'json' ? {members: read} : decodeBody(bytes, provider.body)
  if ('unusable' in decoded) return decoded
  const members = decoded.members as Members
  const body = removeListOnly(bytes, headers, members)
  const head = readEventHead(members, provider.body, at)
  if ('unusable' in head) return head
  const {id, type, createdAt = receivedAt, resourceType, resourceVersion} = head
  const rules = findEventRules(provider)
  return {
    id,
    type,
    createdAt,
    receivedAt,
    resourceType,
    resourceVersion,
    source,
    body,
    orderingKeys: rules.listOrderingKeys(members, transaction),
    traits: rules.readTraits(type, members, transaction),
    sha256: hash('sha256', body),
    sizeBytes: body.length,
    headers: withContentType(headers, provider),
  }
}

const CONTENT_TYPES = {json: 'application/json', form: 'application/x-www-form-urlencoded'} as const

/** Without one the receiver ignores the body. @see protocol.md §1.2 */
function withContentType(headers: Headers, {body: {format}}: ProviderDefinition): Headers {
  return findHeader(headers, 'content-type') !== undefined
    ? headers
    : [...headers, ['Content-Type', CONTENT_TYPES[format]]]
}
