import type {Transaction} from './transaction-row.js'

/** An event, as far as its order is concerned. */
interface OrderedEvent {
  readonly traits: {readonly keyText: string | null}
  readonly orderNumber: string | null
}

/**
 * Order numbers that events do not have yet, by key of the transaction.
 *
 * @param find the transaction that was looked up; `undefined` if none was, or the shop has none
 */
export function findNewOrders(
  events: readonly OrderedEvent[],
  find: (key: string) => Pick<Transaction, 'orderNumber'> | undefined,
): Map<string, string> {
  const orders = new Map<string, string>()
  for (const {traits, orderNumber} of events) {
    const found = traits.keyText === null ? undefined : find(traits.keyText)?.orderNumber
    if (found !== undefined && found !== orderNumber) orders.set(traits.keyText as string, found)
  }
  return orders
}

/** What look-ups without `order:read` or `currency:read` leave out, for a person. */
export function describeHidden(privileges: readonly string[]): string {
  const left = privileges.includes('order:read') ? 'order numbers are not looked up, and ' : ''
  return `The role lacks ${privileges.join(' and ')}: ${left}amounts are compared without their currency. Next: storectl doctor`
}

/** An event with the number of its order, if found. */
export function addOrder<Event extends OrderedEvent>(
  event: Event,
  orders: ReadonlyMap<string, string>,
): Event {
  const orderNumber = orders.get(event.traits.keyText ?? '')
  return orderNumber === undefined ? event : {...event, orderNumber}
}
