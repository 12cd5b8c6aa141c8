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
  await inBatches(known, customers, deps, async (from, to) => {
    await addCustomers(deps.shop, seed, from, to)
    deps.onProgress?.({customers: to, orders: 0})
  })
  await inBatches(0, orders, deps, async (from, to) => {
    await addOrders(deps.shop, seed, from, to, customers)
    deps.onProgress?.({customers, orders: to})
  })
  if (orders > 0) await store.db.writes.run(db => store.entities.countOrdersOfCustomers(db))
  return {customers, orders}
}

async function inBatches(
  start: number,
  end: number,
  {signal}: SeedDeps,
  add: (from: number, to: number) => Promise<void>,
): Promise<void> {
  for (let from = start; from < end; from += BATCH) {
    signal?.throwIfAborted()
    await add(from, Math.min(from + BATCH, end))
  }
}

async function addCustomers(
  {store, model}: SeedDeps['shop'],
  seed: number,
  from: number,
  to: number,
): Promise<void> {
  const made = places(from, to).map(place => seededCustomer(seed, place))
  const pairs = made.flatMap(({customer, tagIds}) => tagIds.map(tag => [customer.id, tag] as const))
  await store.db.writes.run(async db => {
    const {insertMany, insertPairs} = store.entities
    await insertMany(
      db,
      model.get('customer'),
      made.map(({customer}) => customer),
    )
    await insertMany(
      db,
      model.get('customer_address'),
      made.map(({address}) => address),
    )
    await insertPairs(db, 'customer_tag', ['customer_id', 'tag_id'], pairs)
    await store.systemConfig.writeConfig(db, customersKey(seed), String(to))
  })
}

async function addOrders(
  {store, model}: SeedDeps['shop'],
  seed: number,
  from: number,
  to: number,
  customers: number,
): Promise<void> {
  const made = places(from, to).map(place => seededOrder(seed, place, customers))
  await store.db.writes.run(async db => {
    for (const name of Object.keys(made[0] ?? {}) as (keyof SeededOrder)[]) {
      await store.entities.insertMany(
        db,
        model.get(name),
        made.flatMap(order => order[name]),
      )
    }
  })
}

function places(from: number, to: number): number[] {
  return Array.from({length: to - from}, (_, index) => from + index)
}

function customersKey(seed: number): string {
  return `storectl.seed.${seed}.customers`
}
