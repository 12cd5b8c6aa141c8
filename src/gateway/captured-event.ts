import {createHash} from 'node:crypto'
import {type Headers, readEvent, type WebhookEvent} from '../webhook/event/event.js'

/** Where captured events come from, in the inbox. */
const SOURCE = 'capture'

/** Digits of the hash that a body without an id is called by. */
const HASH_DIGITS = 32

/** An event as it arrived. */
export interface Arrived {
  readonly event: WebhookEvent
  /** Whether it is one of the provider's, with an id of its own. */
  readonly isWhole: boolean
}

/**
 * The event in a body. The shop may act on a body without an id too, and whoever is told that it was taken must find it
 * again; so what is no event is called by its hash.
 */
export function arrivedEvent(body: Buffer, headers: Headers, receivedAt: Date): Arrived {
  const read = readEvent(body, SOURCE, receivedAt, headers)
  if (!('unusable' in read)) return {event: read, isWhole: true}
  const sha256 = createHash('sha256').update(body).digest('hex')
  const id = `body-${sha256.slice(0, HASH_DIGITS)}`
  const event = named(body, id, headers, receivedAt) ?? opaque(id, read.unusable, headers, receivedAt)
  return {event: {...event, sha256, sizeBytes: body.length, body}, isWhole: false}
}

/** A notification that lacks nothing but an id. */
function named(body: Buffer, id: string, headers: Headers, receivedAt: Date): WebhookEvent | undefined {
  try {
    const value = JSON.parse(body.toString('utf8'))
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const read = readEvent(Buffer.from(JSON.stringify({...value, id})), SOURCE, receivedAt, headers)
    return 'unusable' in read ? undefined : read
  } catch {
    return undefined
  }
}

function opaque(
  id: string,
  why: string,
  headers: Headers,
  receivedAt: Date,
): Omit<WebhookEvent, 'sha256' | 'sizeBytes' | 'body'> {
  return {
    ...{id, headers, receivedAt, createdAt: receivedAt, source: SOURCE, laneKeys: []},
    ...{type: 'unreadable', resourceType: null, resourceVersion: null},
    traits: {key: {by: 'nothing'}, keyText: null, fault: why},
  }
}
