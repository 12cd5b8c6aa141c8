import {ENTITY_MODEL} from '../../shopware/entities/entities.js'
import {BulkInsert, insertPairs, ROWS_AT_ONCE} from '../store/entities/insert-entities.js'
import {countOrdersOf} from '../store/entities/order-totals.js'
import type {ShopConnection, ShopDatabase} from '../store/schema/schema.js'
import {indexTexts} from '../store/search/text-index.js'
import {drawCustomer} from './seed-customers.js'
import {orderDraw, type SeededOrder} from './seed-orders.js'
import {deriveOrderTime} from './seeded-random.js'

/** Adds one batch, completely or not at all; creates its rows a few at a time, so that they stay short-lived. */
type AddBatch = (from: number, to: number) => Promise<void>

/**
 * @param totals the order totals of the customer at a position; default: none
 * @param note is called in the same write, with the number of rows then
 */
export function insertCustomerBatches(
  {writes}: ShopDatabase,
  seed: number,
  totals: ((ordinal: number) => OrderTotals) | undefined,
  note: (db: ShopConnection, to: number) => Promise<void>,
): AddBatch {
  const kinds = [ENTITY_MODEL.get('customer'), ENTITY_MODEL.get('customer_address')] as const
  const [customers, addresses] = [new BulkInsert(kinds[0]), new BulkInsert(kinds[1])]
  return (from, to) =>
    writes.run(async db => {
      for (const group of splitRange(from, to, ROWS_AT_ONCE)) {
        const made = group.map(ordinal => drawCustomer(seed, ordinal))
        await customers.add(
          db,
          made.map(({customer}, at) => Object.assign(customer, totals?.(group[at] as number))),
        )
        await addresses.add(
          db,
          made.map(({address}) => address),
        )
        const pairs = made.flatMap(({customer, tagIds}) => tagIds.map(tag => [customer.id, tag] as const))
        await insertPairs(db, 'customer_tag', ['customer_id', 'tag_id'], pairs)
      }
      for (const kind of kinds) await indexTexts(db, kind)
      await note(db, to)
    })
}

/**
 * @param build the order at a position
 * @param areCounted whether customers' totals include these orders already
 * @param addRest is called in the same write
 */
export function orderBatches(
  {writes}: ShopDatabase,
  build: (ordinal: number) => SeededOrder,
  areCounted: boolean,
  addRest?: (db: ShopConnection, ordinals: readonly number[]) => Promise<void>,
): AddBatch {
  const inserts = ORDER_PARTS.map(name => [name, new BulkInsert(ENTITY_MODEL.get(name))] as const)
  return (from, to) =>
    writes.run(async db => {
      const buyers = new Set<string>()
      for (const group of splitRange(from, to, ROWS_AT_ONCE)) {
        const made = group.map(build)
        for (const [name, insert] of inserts) {
          await insert.add(
            db,
            made.flatMap(order => order[name]),
          )
        }
        collectBuyers(made, buyers)
        await addRest?.(db, group)
      }
      if (!areCounted) await countOrdersOf(db, [...buyers])
      for (const name of ORDER_PARTS) await indexTexts(db, ENTITY_MODEL.get(name))
    })
}

function collectBuyers(orders: readonly SeededOrder[], buyers: Set<string>): void {
  for (const {order_customer} of orders) {
    for (const {customerId} of order_customer) buyers.add(String(customerId))
  }
}

const ORDER_PARTS: readonly (keyof SeededOrder)[] = [
  'order',
  'order_customer',
  'order_address',
  'order_line_item',
  'order_delivery',
  'order_transaction',
]

function splitRange(from: number, to: number, size: number): number[][] {
  const starts = Array.from({length: Math.ceil((to - from) / size)}, (_, index) => from + index * size)
  return starts.map(start => Array.from({length: Math.min(size, to - start)}, (_, index) => start + index))
}

/** The order totals of a customer. */
interface OrderTotals {
  orderCount: number
  /** Euros. */
  orderTotalAmount: number
  lastOrderDate: Date | null
}

/**
 * Computes the customers' order totals in advance, so that no customer has to be written twice. Sixteen bytes for each
 * customer.
 *
 * @returns the totals of the customer at a position
 */
export function computeTotals(
  seed: number,
  orders: number,
  customers: number,
): (ordinal: number) => OrderTotals {
  const counts = new Uint32Array(customers)
  const cents = new Float64Array(customers)
  const lastOrdinals = new Int32Array(customers)
  for (let ordinal = 0; ordinal < orders; ordinal++) {
    const {buyer, totalCents, isCancelled} = orderDraw(seed, ordinal, customers)
    if (isCancelled) continue
    counts[buyer] = (counts[buyer] ?? 0) + 1
    cents[buyer] = (cents[buyer] ?? 0) + totalCents
    lastOrdinals[buyer] = ordinal
  }
  return ordinal => {
    const orderCount = counts[ordinal] ?? 0
    return {
      orderCount,
      orderTotalAmount: (cents[ordinal] ?? 0) / 100,
      lastOrderDate: orderCount > 0 ? deriveOrderTime(lastOrdinals[ordinal] ?? 0) : null,
    }
  }
}
