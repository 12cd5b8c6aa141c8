import {
  type DeliveredEvent,
  deliveredEvent,
  deliveredEvents,
  type UntoldPayment,
  untoldPayment,
  untoldPayments,
} from '../store/provider-events.js'
import type {ShopConnection} from '../store/schema/schema.js'
import {toldEvent, toldId, transactionTold} from './payment-events.js'

/** An event as the provider knows it. */
export interface BookedEvent {
  readonly id: string
  /** ISO 8601 with milliseconds. */
  readonly at: string
  readonly event: Record<string, unknown>
}

/** Which events are listed, the newest first. */
export interface BookQuery {
  readonly since: Date
  readonly until: Date
  /** Exactly as it is written. */
  readonly type?: string | undefined
  /** A resource of the provider's or an order transaction's, found anywhere in what is told. */
  readonly transactionId?: string | undefined
  readonly after?: {readonly at: string; readonly id: string} | undefined
  readonly limit: number
}

/** Sorts behind every id of a transaction. */
const BEHIND_ALL = '~'

/**
 * What the provider knows: every notification that reached the shop, whatever it answered, and the payments of its
 * orders of which none did.
 *
 * @param api base URL of the provider's API, for links
 */
export async function bookedEvents(
  reads: ShopConnection,
  query: BookQuery,
  api: string,
): Promise<BookedEvent[]> {
  const some: BookedEvent[] = []
  let {after} = query
  while (some.length < query.limit) {
    const wanted = {...query, after, limit: query.limit}
    const untold = {...wanted, after: after && {...after, id: transactionTold(after.id) ?? BEHIND_ALL}}
    const delivered = (await deliveredEvents(reads, wanted)).map(asDelivered)
    const payments = await untoldPayments(reads, untold)
    const page = [...delivered, ...payments.map(payment => asTold(payment, api))].sort(newestFirst)
    const next = page.slice(0, query.limit)
    some.push(...next.filter(booked => isMeant(booked, query)))
    after = next.at(-1)
    if (page.length < query.limit) break
  }
  return some.slice(0, query.limit)
}

/** One of them; `undefined` where the provider knows no such event. */
export async function bookedEvent(
  reads: ShopConnection,
  id: string,
  api: string,
): Promise<BookedEvent | undefined> {
  const delivered = await deliveredEvent(reads, id)
  if (delivered) return asDelivered(delivered)
  const transaction = transactionTold(id)
  const payment = transaction && (await untoldPayment(reads, transaction))
  return payment && toldId(payment) === id ? asTold(payment, api) : undefined
}

function asDelivered({id, at, body}: DeliveredEvent): BookedEvent {
  return {id, at, event: JSON.parse(Buffer.from(body).toString('utf8'))}
}

function asTold(payment: UntoldPayment, api: string): BookedEvent {
  return {id: toldId(payment), at: payment.at, event: toldEvent(payment, api)}
}

function newestFirst(one: BookedEvent, other: BookedEvent): number {
  if (one.at !== other.at) return one.at < other.at ? 1 : -1
  return one.id < other.id ? 1 : -1
}

function isMeant({event}: BookedEvent, {type, transactionId}: BookQuery): boolean {
  if (type !== undefined && event.event_type !== type) return false
  return transactionId === undefined || JSON.stringify(event).includes(JSON.stringify(transactionId))
}
