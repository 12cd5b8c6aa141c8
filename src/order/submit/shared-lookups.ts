import type {FoundOrder} from '../compare-orders.js'
import {findOrders, LOOKED_FOR_AT_ONCE, type OrderShop} from '../order-client.js'

interface Wanted {
  readonly reference: string
  readonly resolve: (found: FoundOrder | undefined | 'no-route') => void
  readonly reject: (error: unknown) => void
}

/** Looks up an order. @throws as `findOrders` */
export type LookUpOrder = (reference: string) => Promise<FoundOrder | undefined | 'no-route'>

/** Looks up orders: simultaneous requests, and those during a call, share the next call. */
export function shareLookUps(shop: Pick<OrderShop, 'patient' | 'refusal'>): LookUpOrder {
  const waiting: Wanted[] = []
  let isBusy = false
  const work = async () => {
    isBusy = true
    await new Promise(resolve => setImmediate(resolve))
    while (waiting.length > 0) await lookUpSome(waiting.splice(0, LOOKED_FOR_AT_ONCE), shop)
    isBusy = false
  }
  return reference =>
    new Promise((resolve, reject) => {
      waiting.push({reference, resolve, reject})
      if (!isBusy) void work()
    })
}

async function lookUpSome(
  some: readonly Wanted[],
  shop: Pick<OrderShop, 'patient' | 'refusal'>,
): Promise<void> {
  try {
    const found = await findOrders(
      shop,
      some.map(({reference}) => reference),
    )
    for (const {reference, resolve} of some) resolve(found === 'no-route' ? found : found.get(reference))
  } catch (error) {
    for (const {reject} of some) reject(error)
  }
}
