import {createHash} from 'node:crypto'
import {findHandler} from '../../providers/paypal/notification/handlers.js'
import {readHead} from '../../providers/paypal/notification/notification.js'
import {listOrderingKeys, readTraits, type Traits} from './event-traits.js'
import type {VerificationReason, VerificationResult} from './verification.js'

/** What is known of an event without its bytes. */
export interface EventHead {
  /** The provider's id; the same for every attempt to deliver it. */
  readonly id: string
  /** `PAYMENT.CAPTURE.COMPLETED`, … */
  readonly type: string
  /** The provider's own time; when it was received where the body has none. */
  readonly createdAt: Date
  readonly receivedAt: Date
  readonly resourceType: string | null
  readonly resourceVersion: string | null
  /** Events that share any of these belong to one payment and go one at a time. */
  readonly orderingKeys: readonly string[]
  readonly traits: Traits
  /** SHA-256 of the body, lower-case hex. */
  readonly sha256: string
  readonly sizeBytes: number
  /** Where it came from: `file events.ndjson`, `shop`. */
  readonly source: string
}

export type Headers = readonly (readonly [name: string, value: string])[]

/** What is sent: the body byte for byte, and the provider's headers. */
export interface EventContent {
  readonly headers: Headers
  readonly body: Uint8Array
}

export type WebhookEvent = EventHead & EventContent

/**
 * - `pending`: not delivered yet, as far as is known
 * - `delivered`: answered 2xx
 * - `failed`: refused, or not reached
 * - `unknown`: may have been applied
 * - `resolved`: dealt with by hand; not sent again unless somebody says so
 */
export const STATUSES = ['pending', 'delivered', 'failed', 'unknown', 'resolved'] as const
export type EventStatus = (typeof STATUSES)[number]

/** An event in the inbox, with what became of it. */
export interface InboxEvent extends EventHead {
  readonly status: EventStatus
  /** HTTP status of the last answer. */
  readonly answer: number | null
  /** What was said, or what went wrong. */
  readonly cause: string | null
  readonly attempts: number
  readonly changedAt: Date
  /** Whether another body came under the same id: which of them is true cannot be told. */
  readonly hasConflict: boolean
  /** Whether a capture may have been handing it on to the shop when this was read. */
  readonly isInFlight: boolean
  /** Whether neither its webhook token matched nor its signature was verified, so that anybody may have made it up. */
  readonly isUnverified: boolean
  /** What checking the provider's signature came to. */
  readonly verification: VerificationResult
  /** `null` where it is verified, or was not checked yet. */
  readonly verificationReason: VerificationReason | null
}

/** The headers of an event that came without any. */
const JSON_HEADERS: Headers = [['Content-Type', 'application/json']]

/** Characters of an id that are repeated; where it is none, it may be a whole file. */
const LONGEST_SHOWN = 100

/** Why bytes are no event. */
export interface Unusable {
  readonly unusable: string
}

/**
 * Reads an event out of the bytes of its body.
 *
 * @param body JSON of one notification; kept as it is
 * @param headers those it came with; `undefined` where they are not known
 * @see protocol.md §4.7
 */
export function readEvent(
  body: Uint8Array,
  source: string,
  receivedAt: Date,
  headers?: Headers,
): WebhookEvent | Unusable {
  const parsed = parseJson(body)
  if ('unusable' in parsed) return parsed
  const {value} = parsed
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return {unusable: 'it is no JSON object'}
  }
  const {id, type, createTime} = readHead(value)
  if (id === null) return {unusable: 'it has no "id", so it is no event of the provider'}
  if (type === null) return {unusable: `${id.slice(0, LONGEST_SHOWN)} has no "event_type"`}
  const record = value as Record<string, unknown>
  const createdMs = Date.parse(createTime ?? '')
  // Its payment's events go by their times: one that is none would go at any place.
  if (record.create_time !== undefined && record.create_time !== null && !Number.isFinite(createdMs)) {
    return {unusable: `${id.slice(0, LONGEST_SHOWN)} has a "create_time" that is no time`}
  }
  return {
    id,
    type,
    createdAt: Number.isFinite(createdMs) ? new Date(createdMs) : receivedAt,
    receivedAt,
    resourceType: toTextOrNull(record.resource_type),
    resourceVersion: toTextOrNull(record.resource_version),
    orderingKeys: listOrderingKeys(value),
    traits: readTraits(findHandler(type), value),
    sha256: createHash('sha256').update(body).digest('hex'),
    sizeBytes: body.length,
    source,
    headers: withContentType(headers ?? []),
    body,
  }
}

const UTF_8 = new TextDecoder('utf-8', {fatal: true, ignoreBOM: false})

function parseJson(body: Uint8Array): {value: unknown} | Unusable {
  try {
    return {value: JSON.parse(UTF_8.decode(body))}
  } catch (error) {
    return {
      unusable: error instanceof SyntaxError ? `it is no JSON: ${error.message}` : 'it is no UTF-8 text',
    }
  }
}

function toTextOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** Without one the receiver ignores the body. @see protocol.md §1.2 */
function withContentType(headers: Headers): Headers {
  return headers.some(([name]) => name.toLowerCase() === 'content-type')
    ? headers
    : [...headers, ...JSON_HEADERS]
}

/** How a delivery went that somebody else made and wrote down. */
export interface ObservedDelivery {
  readonly status: Extract<EventStatus, 'delivered' | 'failed' | 'unknown'>
  /** HTTP status. */
  readonly answer: number
  readonly cause: string | null
  readonly at: Date
}
