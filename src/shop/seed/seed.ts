import {ENTITIES, ENTITY_MODEL} from '../../shopware/entities/entities.js'
import {dropIndices, finishTables} from '../store/entities/entity-tables.js'
import {hasAny} from '../store/entities/read-entities.js'
import type {ShopDatabase} from '../store/schema/schema.js'
import {readConfig, writeConfig} from '../store/schema/system-config.js'
import {keep, setPendingMarker} from './exclusive-seed.js'
import {computeTotals, insertCustomerBatches, orderBatches} from './seed-batches.js'
import {buildOrder} from './seed-orders.js'

interface SeedInput {
  /** Number of customers of this seed, each with an address. */
  customers: number
  /** Number of orders of this seed, each with its customer, address, lines, delivery and payment. */
  orders: number
  /** Seed: the same number gives the same customers and orders. Default 1. */
  seed?: number
}

interface SeedDeps {
  db: ShopDatabase
  /** Called from time to time with the numbers so far. */
  onProgress?(made: {customers: number; orders: number}): void
  /** Ends the work between two batches; added rows stay. */
  signal?: AbortSignal
  /** Whether no other process seeds the shop, and the next one to open it repairs an interrupted seeding. */
  isAlone?: boolean
}

/** Customers in one write: enough to spread the cost of a commit, few enough to stop soon. */
const CUSTOMERS_AT_ONCE = 10_000

/** Orders in one write: each has six times the rows. */
export const ORDERS_AT_ONCE = 4000

/** From this many rows on, indices are created after all rows are added. */
const MANY = 20_000

/** Ratio of orders to customers, who are added as needed. */
const ORDERS_A_CUSTOMER = 3

/** How often others get a turn to write, and for how long. */
const TURN_EVERY_MS = 1000
const TURN_MS = 20

/**
 * Seeds a shop with customers and orders that follow from the seed alone.
 *
 * It only adds rows: existing ones stay unchanged, so that the same call again changes nothing, and one with larger
 * numbers adds the rest. Batches are atomic: after an interruption, the same call continues there. In an empty shop
 * that nobody else seeds, customers get their order totals in advance; otherwise each batch updates them. No worker
 * thread creates the rows, because passing one on costs about as much as creating it.
 *
 * @returns the numbers of this seed's rows now
 */
export async function seedShop(
  input: SeedInput,
  deps: SeedDeps,
): Promise<{customers: number; orders: number}> {
  const {seed = 1, orders} = input
  const {db} = deps
  const known = Number((await readConfig(db.reads, buildCustomersKey(seed))) ?? 0)
  const needed =
    known > 0 ? input.customers : Math.max(input.customers, Math.ceil(orders / ORDERS_A_CUSTOMER))
  const customers = Math.max(known, needed)
  const takeTurns = createTurns()
  const isPutOff = customers - known >= MANY && (await putOffIfEmpty(deps))
  const isPromised = isPutOff && deps.isAlone === true
  const totals = isPromised ? computeTotals(seed, orders, customers) : undefined
  const addCustomers = insertCustomerBatches(db, seed, totals, (write, to) =>
    writeConfig(write, buildCustomersKey(seed), String(to)),
  )
  try {
    await seedInBatches({from: known, to: customers, size: CUSTOMERS_AT_ONCE}, deps, async (from, to) => {
      await addCustomers(from, to)
      deps.onProgress?.({customers: to, orders: 0})
      await takeTurns()
    })
  } finally {
    if (isPutOff) await finishTables(db, ENTITIES)
  }
  const addOrders = orderBatches(db, ordinal => buildOrder(seed, ordinal, customers), isPromised)
  await seedInBatches({from: 0, to: orders, size: ORDERS_AT_ONCE}, deps, async (from, to) => {
    await addOrders(from, to)
    deps.onProgress?.({customers, orders: to})
    await takeTurns()
  })
  if (isPromised) await keep(db)
  return {customers, orders}
}

/** Drops indices only in an empty shop: others may search it meanwhile. */
async function putOffIfEmpty({db, isAlone}: SeedDeps): Promise<boolean> {
  return db.writes.run(async write => {
    if (await hasAny(write, 'customer')) return false
    await dropIndices(write, [ENTITY_MODEL.get('customer'), ENTITY_MODEL.get('customer_address')])
    if (isAlone) await setPendingMarker(write)
    return true
  })
}

/** Adds rows in batches, and can stop between two of them. */
export async function seedInBatches(
  {from: start, to: end, size}: {readonly from: number; readonly to: number; readonly size: number},
  {signal}: Pick<SeedDeps, 'signal'>,
  add: (from: number, to: number) => Promise<void>,
): Promise<void> {
  for (let from = start; from < end; from += size) {
    signal?.throwIfAborted()
    await add(from, Math.min(from + size, end))
  }
}

/** Between two batches the lock is free only for a moment, which another process would hardly ever catch. */
function createTurns(): () => Promise<void> {
  let next = performance.now() + TURN_EVERY_MS
  return async () => {
    if (performance.now() < next) return
    await new Promise(resolve => setTimeout(resolve, TURN_MS))
    next = performance.now() + TURN_EVERY_MS
  }
}

function buildCustomersKey(seed: number): string {
  return `storectl.seed.${seed}.customers`
}
