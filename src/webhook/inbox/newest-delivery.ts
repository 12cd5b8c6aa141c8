import type {Inbox} from './inbox.js'

/** The newest event of a transaction that was delivered. */
export interface Delivered {
  readonly id: string
  readonly createdAt: Date
}

/** Tells the newest delivery of a transaction by what names it. */
export type NewestDelivery = (transaction: string | null) => Promise<Delivered | undefined>

type Found = ReadonlyMap<string, Delivered>

/**
 * Looks for the newest deliveries as the inbox knows them at that moment; those who ask at the same time share a query.
 *
 * @param sinceMs deliveries before this moment are left out, milliseconds since 1970
 */
export function createDeliveryLookup(
  inbox: Pick<Inbox, 'findNewestDeliveries'>,
  target: string,
  sinceMs: number,
): NewestDelivery {
  let asked: Set<string> | undefined
  let answer: Promise<Found>
  const look = async (transactions: Set<string>) => {
    await new Promise(resolve => setImmediate(resolve))
    asked = undefined
    return inbox.findNewestDeliveries(target, [...transactions], sinceMs)
  }
  return async transaction => {
    if (transaction === null) return undefined
    if (!asked) {
      asked = new Set()
      answer = look(asked)
    }
    asked.add(transaction)
    return (await answer).get(transaction)
  }
}
