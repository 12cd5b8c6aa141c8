import type {CapturedMoney} from '../../language/amount-totals.js'
import type {Inbox, PaymentEvent} from './inbox.js'

/** What is known about the deliveries of a payment's events. */
export interface PaymentActivity {
  /** Whether a capture is forwarding one of them. */
  readonly isInFlight: boolean
  /** The newest event that was delivered and moves the payment. */
  readonly newest: Pick<PaymentEvent, 'id' | 'createdAt'> | undefined
  /** Money that delivered events report as captured, whenever that was. */
  readonly captures: readonly CapturedMoney[]
  isDelivered(id: string): boolean
  /** Whether another event than `except` was delivered since a moment, milliseconds since 1970. */
  isOtherDeliveredSince(ms: number, except: string): boolean
  /** An event of the payment as it is now. */
  find(id: string): PaymentEvent | undefined
  /** An event with an attempt that ended since a moment, milliseconds since 1970, and may still take effect. */
  findUnknownSince(ms: number, except: string): string | undefined
  /** @param except an event whose own attempts do not count */
  countAttempts(except?: string): Attempts
}

/** Attempts to deliver the events of a payment. */
export interface Attempts {
  /** With any result. */
  readonly all: number
  /** Only those of events that were delivered, or may have been. */
  readonly delivered: number
}

/** Reads what is known about a payment, by its key. */
export type ActivityLookup = (transaction: string | null) => Promise<PaymentActivity>

type Found = ReadonlyMap<string, readonly PaymentEvent[]>

/**
 * Reads payments as the inbox knows them at that moment; simultaneous readers share a query.
 *
 * @param sinceMs deliveries before this moment do not count as such, milliseconds since 1970
 */
export function createActivityLookup(
  inbox: Pick<Inbox, 'findPaymentEvents'>,
  target: string,
  sinceMs: number,
): ActivityLookup {
  let asked: Set<string> | undefined
  let answer: Promise<Found>
  const look = async (transactions: Set<string>) => {
    await new Promise(resolve => setImmediate(resolve))
    asked = undefined
    return inbox.findPaymentEvents(target, [...transactions])
  }
  return async transaction => {
    if (transaction === null) return describeActivity([], sinceMs)
    if (!asked) {
      asked = new Set()
      answer = look(asked)
    }
    asked.add(transaction)
    return describeActivity((await answer).get(transaction) ?? [], sinceMs)
  }
}

/** @param sinceMs deliveries before this moment do not count as such, milliseconds since 1970 */
export function describeActivity(
  events: readonly PaymentEvent[],
  sinceMs = Number.NEGATIVE_INFINITY,
): PaymentActivity {
  const delivered = events.filter(({status, changedAtMs}) => status === 'delivered' && changedAtMs >= sinceMs)
  return {
    isInFlight: events.some(event => event.isInFlight),
    newest: delivered
      .filter(event => event.movesPayment)
      .reduce<PaymentEvent | undefined>(selectNewer, undefined),
    captures: events.flatMap(({capture}) => capture ?? []),
    find: id => events.find(event => event.id === id),
    isDelivered: id => delivered.some(event => event.id === id),
    isOtherDeliveredSince: (ms, except) =>
      delivered.some(({id, changedAtMs}) => id !== except && changedAtMs >= ms),
    findUnknownSince: (ms, except) =>
      events.find(event => event.id !== except && (findDoubtMs(event) ?? Number.NEGATIVE_INFINITY) > ms)?.id,
    countAttempts: except => {
      const tried = events.filter(({id, status}) => id !== except && status !== 'pending')
      return {all: sumAttempts(tried), delivered: sumAttempts(tried.filter(mayBeDelivered))}
    },
  }
}

/** Since when the result of a call is unknown, milliseconds since 1970. */
function findDoubtMs({status, changedAtMs, doubtedAtMs}: PaymentEvent): number | undefined {
  return status === 'unknown' ? changedAtMs : doubtedAtMs
}

function selectNewer(newest: PaymentEvent | undefined, event: PaymentEvent): PaymentEvent {
  return newest && newest.createdAt > event.createdAt ? newest : event
}

/**
 * The event itself counts too, and an attempt with an unknown result counts half: it may be all that is known of an
 * attempt that was cut short, and its result makes it a whole one.
 */
function sumAttempts(events: readonly PaymentEvent[]): number {
  return events.reduce((sum, {attempts, status}) => sum + attempts + (status === 'unknown' ? 1.5 : 1), 0)
}

function mayBeDelivered({status}: PaymentEvent): boolean {
  return status === 'delivered' || status === 'unknown'
}
