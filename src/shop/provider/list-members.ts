import {createHash} from 'node:crypto'
import type {BookedDelivery} from './booked-delivery.js'
import type {BookedEvent} from './provider.js'
import type {Webhook} from './resend.js'

/** A webhook of another shop of the same account. */
const OTHER = 'https://another-shop.example/api/_action/paypal/webhook/execute?sw-token=of-another-shop'

/**
 * An event as the provider's list and detail show it: with members that no delivery has, in another order.
 *
 * @param webhooks those that the event was sent to
 * @see provider.md §1
 */
export function describeListed(
  {id, event, delivery}: BookedEvent,
  webhooks: readonly Webhook[],
): Record<string, unknown> {
  const {links, resource, ...rest} = event
  const status = delivery ? findStatus(delivery) : 'PENDING'
  const transmissions = [OTHER, ...webhooks.map(({url}) => url)].map(url =>
    describeTransmission(id, url, delivery),
  )
  return {status, resource, ...rest, transmissions, links: addEncodings(links)}
}

function findStatus({status}: BookedDelivery): string {
  return status >= 200 && status < 300 ? 'SUCCESS' : 'FAILURE'
}

function describeTransmission(id: string, url: string, delivery: BookedDelivery | undefined) {
  const digits = createHash('sha256').update(`${id} ${url}`).digest('hex')
  const head = {
    webhook_url: url,
    transmission_id: digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5'),
  }
  if (!delivery) return {...head, status: 'PENDING'}
  const {status, answeredAt, firstAt} = delivery
  return {
    ...head,
    http_status: url === OTHER ? 200 : status,
    reason_phrase: 'HTTP/1.1 200 Connection established',
    response_headers: {
      Date: new Date(answeredAt).toUTCString(),
      'Set-Cookie': `session-=${digits}; HttpOnly`,
    },
    timestamp: firstAt,
    status: url === OTHER ? 'SUCCESS' : findStatus(delivery),
  }
}

function addEncodings(links: unknown): unknown {
  return Array.isArray(links)
    ? links.map(link => ({...(link as object), encType: 'application/json'}))
    : links
}
