import type {Shop} from '../shop.js'
import {seededCustomer} from './customers.js'
import {type SeededOrder, seededOrder} from './orders.js'

export interface SeedInput {
  /** How many customers of this seed there are to be, with an address each. */
  customers: number
  /** How many orders of this seed there are to be, each with its customer, address, lines, delivery and payment. */
  orders: number
  /** Which people and orders: the same number gives the same ones. Default 1. */
  seed?: number
}

export interface SeedDeps {
  shop: Pick<Shop, 'store' | 'model'>
  /** Called now and then with what has been made so far. */
  onProgress?(made: {customers: number; orders: number}): void
  /** Ends the work between two batches; what was made stays. */
  signal?: AbortSignal
}

/** Short enough that other processes get their turn between two, long enough to spread the cost of a commit. */
const BATCH = 2000

/** Orders need someone who ordered. */
const ORDERS_A_CUSTOMER = 3

/**
 * Fills a shop with people and orders that follow from the seed alone.
 *
 * It only ever adds: what is there already stays as it is, so that the same call again changes nothing, and one with
 * larger numbers adds the rest.
 *
 * @returns how many of this seed there are now
 */
export async function seedShop(
  input: SeedInput,
  deps: SeedDeps,
): Promise<{customers: number; orders: number}> {
  const {seed = 1, orders} = input
  const {store} = deps.shop
  const known = Number((await store.systemConfig.readConfig(store.db.reads, customersKey(seed))) ?? 0)
  const needed =
    known > 0 ? input.customers : Math.max(input.customers, Math.ceil(orders / ORDERS_A_CUSTOMER))
  const customers = Math.max(known, needed)
  const addCustomers = customerBatches(deps.shop, seed)
  await inBatches(known, customers, deps, async (from, to) => {
    await addCustomers(from, to)
    deps.onProgress?.({customers: to, orders: 0})
  })
  const addOrders = orderBatches(deps.shop, seed, customers)
  await inBatches(0, orders, deps, async (from, to) => {
    await addOrders(from, to)
    deps.onProgress?.({customers, orders: to})
  })
  if (orders > 0) await store.db.writes.run(db => store.entities.countOrdersOfCustomers(db))
  return {customers, orders}
}

async function inBatches(start: number, end: number, {signal}: SeedDeps, add: AddBatch): Promise<void> {
  for (let from = start; from < end; from += BATCH) {
    signal?.throwIfAborted()
    await add(from, Math.min(from + BATCH, end))
  }
}

/** Adds one batch; its things are made a few at a time, so that none of them grows old in memory. */
type AddBatch = (from: number, to: number) => Promise<void>

function customerBatches({store, model}: SeedDeps['shop'], seed: number): AddBatch {
  const {BulkInsert, insertPairs, ROWS_AT_ONCE} = store.entities
  const customers = new BulkInsert(model.get('customer'))
  const addresses = new BulkInsert(model.get('customer_address'))
  return (from, to) =>
    store.db.writes.run(async db => {
      for (const group of groups(from, to, ROWS_AT_ONCE)) {
        const made = group.map(place => seededCustomer(seed, place))
        await customers.add(
          db,
          made.map(({customer}) => customer),
        )
        await addresses.add(
          db,
          made.map(({address}) => address),
        )
        const pairs = made.flatMap(({customer, tagIds}) => tagIds.map(tag => [customer.id, tag] as const))
        await insertPairs(db, 'customer_tag', ['customer_id', 'tag_id'], pairs)
      }
      await store.entities.indexTexts(db, model.get('customer'))
      await store.systemConfig.writeConfig(db, customersKey(seed), String(to))
    })
}

function orderBatches({store, model}: SeedDeps['shop'], seed: number, customers: number): AddBatch {
  const {BulkInsert, ROWS_AT_ONCE} = store.entities
  const inserts = ORDER_PARTS.map(name => [name, new BulkInsert(model.get(name))] as const)
  return (from, to) =>
    store.db.writes.run(async db => {
      for (const group of groups(from, to, ROWS_AT_ONCE)) {
        const made = group.map(place => seededOrder(seed, place, customers))
        for (const [name, insert] of inserts) {
          await insert.add(
            db,
            made.flatMap(order => order[name]),
          )
        }
      }
      await store.entities.indexTexts(db, model.get('order'))
    })
}

const ORDER_PARTS: readonly (keyof SeededOrder)[] = [
  'order',
  'order_customer',
  'order_address',
  'order_line_item',
  'order_delivery',
  'order_transaction',
]

function groups(from: number, to: number, size: number): number[][] {
  const starts = Array.from({length: Math.ceil((to - from) / size)}, (_, index) => from + index * size)
  return starts.map(start => Array.from({length: Math.min(size, to - start)}, (_, index) => start + index))
}

function customersKey(seed: number): string {
  return `storectl.seed.${seed}.customers`
}
