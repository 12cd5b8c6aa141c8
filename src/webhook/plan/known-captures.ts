import type {CapturedMoney, Money} from '../../language/amount-totals.js'
import {
  type ComparedPayment,
  type FindOrdered,
  isOrderNeeded,
  readCapture,
} from '../../payment/compare-amounts.js'
import type {Transaction} from '../../payment/transactions.js'
import type {InboxEvent} from '../event/event.js'
import type {KnownResults} from '../inbox/inbox.js'
import type {Judged, Rules} from './judged.js'

/** Captures that a plan sends, by key of their payments. */
export class CapturesAhead {
  readonly #captures = new Map<string, CapturedMoney[]>()

  get(key: string): readonly CapturedMoney[] {
    return this.#captures.get(key) ?? []
  }

  /** After a final capture another one is sent only out of order: then it counts, else it need not be stored. */
  add(key: string, event: InboxEvent, {action}: Judged, {includeOutOfOrder}: Rules): void {
    const capture = action === 'send' ? readCapture(event) : undefined
    if (!capture || (event.traits.finalCapture !== false && !includeOutOfOrder)) return
    this.#captures.set(key, [...this.get(key), capture])
  }
}

/** Orders requested at once. */
const AT_ONCE = 4

/**
 * Requests the provider's orders of payments whose earlier captures are not known here.
 *
 * @param find `undefined` if the provider is not asked
 * @returns what is captured, by key of the payment
 */
export async function findAllOrdered(
  events: readonly InboxEvent[],
  found: ReadonlyMap<string, Transaction | undefined>,
  results: ReadonlyMap<string, KnownResults>,
  find: FindOrdered | undefined,
): Promise<Map<string, readonly Money[] | undefined>> {
  const ordered = new Map<string, readonly Money[] | undefined>()
  if (!find) return ordered
  const payments = events.map(event => {
    const key = event.traits.keyText ?? ''
    return {event, key, transaction: found.get(key), captures: results.get(key)?.captures ?? []}
  })
  const asking = payments.filter(({event, ...payment}) => findOrderToAsk(event, payment) !== undefined)
  const needed = [...new Map(asking.map(payment => [payment.key, payment])).values()]
  for (let from = 0; from < needed.length; from += AT_ONCE) {
    const some = needed.slice(from, from + AT_ONCE)
    await Promise.all(
      some.map(async ({event, key, ...payment}) => ordered.set(key, await findOrdered(event, payment, find))),
    )
  }
  return ordered
}

interface SeenPayment extends Pick<ComparedPayment, 'captures'> {
  readonly transaction: Transaction | undefined
}

/** The same for one event, just before it is sent. */
export async function findOrdered(
  event: InboxEvent,
  payment: SeenPayment,
  find: FindOrdered | undefined,
): Promise<readonly Money[] | undefined> {
  const order = findOrderToAsk(event, payment)
  return order && find?.(order)
}

function findOrderToAsk(event: InboxEvent, {transaction, captures}: SeenPayment) {
  if (transaction?.orderId === undefined || !isOrderNeeded(event, {transaction, captures})) return undefined
  return {id: transaction.id, orderId: transaction.orderId}
}
