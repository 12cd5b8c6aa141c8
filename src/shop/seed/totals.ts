import {orderedAt} from './ids.js'
import {orderDraw} from './seed-orders.js'

/** What a customer will know of its orders. */
export interface OrderTotals {
  orderCount: number
  /** Euros. */
  orderTotalAmount: number
  lastOrderDate: Date | null
}

/**
 * What the customers of a seed will know of its orders, once all of them are there: so that no customer has to be
 * written twice. Sixteen bytes a customer.
 *
 * @returns the totals of the customer at a place
 */
export function totalsAhead(seed: number, orders: number, customers: number): (place: number) => OrderTotals {
  const counts = new Uint32Array(customers)
  const cents = new Float64Array(customers)
  const lastPlaces = new Int32Array(customers)
  for (let place = 0; place < orders; place++) {
    const {buyer, totalCents, isCancelled} = orderDraw(seed, place, customers)
    if (isCancelled) continue
    counts[buyer] = (counts[buyer] ?? 0) + 1
    cents[buyer] = (cents[buyer] ?? 0) + totalCents
    lastPlaces[buyer] = place
  }
  return place => {
    const orderCount = counts[place] ?? 0
    return {
      orderCount,
      orderTotalAmount: (cents[place] ?? 0) / 100,
      lastOrderDate: orderCount > 0 ? orderedAt(lastPlaces[place] ?? 0) : null,
    }
  }
}
