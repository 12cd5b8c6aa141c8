import {
  type DeliveredEvent,
  findDeliveredEvent,
  findUnreportedPayment,
  listDeliveredEvents,
  listUnreportedPayments,
  type UnreportedPayment,
} from '../store/provider-events.js'
import {findTransactionOfPayment} from '../store/provider-payments.js'
import type {ShopConnection} from '../store/schema/schema.js'
import type {BookedDelivery} from './booked-delivery.js'
import {buildPaymentEvent, deriveEventId, findTransactionOfEvent} from './payment-events.js'

/** An event at the provider. */
export interface BookedEvent {
  readonly id: string
  /** ISO 8601 with milliseconds. */
  readonly at: string
  readonly event: Record<string, unknown>
  /** Its delivery to the shop; `undefined` where there was none. */
  readonly delivery?: BookedDelivery | undefined
}

/** A query for events, the newest first. */
export interface BookQuery {
  readonly since: Date
  readonly until: Date
  /** Exact match. */
  readonly type?: string | undefined
  /** Id of a provider's resource or an order transaction, anywhere in the event. */
  readonly transactionId?: string | undefined
  readonly after?: {readonly at: string; readonly id: string} | undefined
  readonly limit: number
}

/** Sorts after every transaction id. */
const BEHIND_ALL = '~'

/**
 * The provider's events: every notification that reached the shop, whatever its response, and derived ones for payments
 * without any.
 *
 * @param api base URL of the provider's API, for links
 */
export async function listProviderEvents(
  reads: ShopConnection,
  query: BookQuery,
  api: string,
): Promise<BookedEvent[]> {
  const some: BookedEvent[] = []
  const {transactionId} = query
  let {after} = query
  const about = transactionId && (await findTransactionOfPayment(reads, transactionId))
  while (some.length < query.limit) {
    const wanted = {...query, after, limit: query.limit}
    const untold = {
      ...wanted,
      id: about,
      after: after && {...after, id: findTransactionOfEvent(after.id) ?? BEHIND_ALL},
    }
    const delivered = (await listDeliveredEvents(reads, wanted)).map(convertDeliveredEvent)
    const payments = await listUnreportedPayments(reads, untold)
    const page = [...delivered, ...payments.map(payment => convertPayment(payment, api))].sort(
      compareNewestFirst,
    )
    const next = page.slice(0, query.limit)
    some.push(...next.filter(booked => isMeant(booked, query)))
    after = next.at(-1)
    if (page.length < query.limit) break
  }
  return some.slice(0, query.limit)
}

/** One event; `undefined` where the provider has none with this id. */
export async function findProviderEvent(
  reads: ShopConnection,
  id: string,
  api: string,
): Promise<BookedEvent | undefined> {
  const delivered = await findDeliveredEvent(reads, id)
  if (delivered) return convertDeliveredEvent(delivered)
  const transaction = findTransactionOfEvent(id)
  const payment = transaction && (await findUnreportedPayment(reads, transaction))
  return payment && deriveEventId(payment) === id ? convertPayment(payment, api) : undefined
}

function convertDeliveredEvent({id, at, body, ...delivery}: DeliveredEvent): BookedEvent {
  return {id, at, event: JSON.parse(Buffer.from(body).toString('utf8')), delivery}
}

function convertPayment(payment: UnreportedPayment, api: string): BookedEvent {
  return {id: deriveEventId(payment), at: payment.at, event: buildPaymentEvent(payment, api)}
}

function compareNewestFirst(one: BookedEvent, other: BookedEvent): number {
  if (one.at !== other.at) return one.at < other.at ? 1 : -1
  return one.id < other.id ? 1 : -1
}

function isMeant({event}: BookedEvent, {type, transactionId}: BookQuery): boolean {
  if (type !== undefined && event.event_type !== type) return false
  return transactionId === undefined || JSON.stringify(event).includes(JSON.stringify(transactionId))
}
