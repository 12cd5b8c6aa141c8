import {createHash} from 'node:crypto'
import type {EventsFault} from '../faults/effects.js'
import type {BookedDelivery} from './booked-delivery.js'
import type {BookedEvent} from './provider.js'
import type {Webhook} from './resend.js'

/** A webhook of another shop of the same account. */
const OTHER = 'https://another-shop.example/api/_action/paypal/webhook/execute?sw-token=of-another-shop'

/**
 * An event in the provider's list and detail: with members that deliveries do not have, in another order.
 *
 * @param webhooks webhooks to which the event was sent
 * @param hows faults
 * @see provider.md §1
 */
export function describeListed(
  {id, at, event, delivery}: BookedEvent,
  webhooks: readonly Webhook[],
  hows: ReadonlySet<EventsFault>,
): Record<string, unknown> {
  const {links, resource, ...rest} = event
  const outcome = hows.has('pending') ? 'PENDING' : findOutcome(delivery)
  const status = hows.has('no-status') ? {} : {status: outcome}
  const transmissions = hows.has('no-transmissions')
    ? {}
    : {
        transmissions: [
          describeTransmission({id, at}, OTHER, 'SUCCESS', delivery && {...delivery, status: 200}),
          ...webhooks.map(({url}) => describeTransmission({id, at}, url, outcome, delivery)),
        ],
      }
  const shown = {resource: describeResource(resource, at, hows)}
  return {...status, ...shown, ...rest, ...transmissions, links: addEncodings(links)}
}

/** An event that never arrived counts as failed. */
function findOutcome(delivery: BookedDelivery | undefined): string {
  return delivery && delivery.status >= 200 && delivery.status < 300 ? 'SUCCESS' : 'FAILURE'
}

/** Time from an event to the later update of its resource in the list, milliseconds. @see provider.md §1 */
const NEWER_MS = 300_000

function describeResource(resource: unknown, at: string, hows: ReadonlySet<EventsFault>): unknown {
  if (typeof resource !== 'object' || resource === null || Array.isArray(resource)) return resource
  const newer = hows.has('newer')
    ? {update_time: new Date(Date.parse(at) + NEWER_MS).toISOString().replace(/\.\d+/, '')}
    : {}
  return Object.fromEntries(Object.entries({...resource, ...newer}).reverse())
}

/** The id of an event's first transmission to a webhook, as in the list. */
export function deriveTransmissionId(id: string, url: string): string {
  return digest(id, url).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}

function digest(id: string, url: string): string {
  return createHash('sha256').update(`${id} ${url}`).digest('hex')
}

function describeTransmission(
  {id, at}: Pick<BookedEvent, 'id' | 'at'>,
  url: string,
  outcome: string,
  delivery: BookedDelivery | undefined,
) {
  const head = {webhook_url: url, transmission_id: deriveTransmissionId(id, url)}
  if (!delivery) return {...head, timestamp: at, status: outcome}
  const {status, answeredAt, firstAt} = delivery
  return {
    ...head,
    http_status: status,
    reason_phrase: 'HTTP/1.1 200 Connection established',
    response_headers: {
      Date: new Date(answeredAt).toUTCString(),
      'Set-Cookie': `session-=${digest(id, url)}; HttpOnly`,
    },
    timestamp: firstAt,
    status: outcome,
  }
}

function addEncodings(links: unknown): unknown {
  return Array.isArray(links)
    ? links.map(link => ({...(link as object), encType: 'application/json'}))
    : links
}
