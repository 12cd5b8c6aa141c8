import {ENTITIES, ENTITY_MODEL} from '../../shopware/entities/entities.js'
import {dropIndices, finishTables} from '../store/entities/entity-tables.js'
import {hasAny} from '../store/entities/read-entities.js'
import type {ShopDatabase} from '../store/schema/schema.js'
import {readConfig, writeConfig} from '../store/schema/system-config.js'
import {keep, setPendingMarker} from './exclusive-seed.js'
import {computeTotals, insertCustomerBatches, orderBatches} from './seed-batches.js'
import {buildOrder} from './seed-orders.js'

interface SeedInput {
  /** How many customers of this seed there are to be, with an address each. */
  customers: number
  /** How many orders of this seed there are to be, each with its customer, address, lines, delivery and payment. */
  orders: number
  /** Which people and orders: the same number gives the same ones. Default 1. */
  seed?: number
}

interface SeedDeps {
  db: ShopDatabase
  /** Called now and then with what has been made so far. */
  onProgress?(made: {customers: number; orders: number}): void
  /** Ends the work between two batches; what was made stays. */
  signal?: AbortSignal
  /** Whether nobody else seeds the shop, and whoever opens it next mends what a seeding has left half done. */
  isAlone?: boolean
}

/** Customers that are written at once: enough to spread the cost of a commit, few enough to stop soon. */
const CUSTOMERS_AT_ONCE = 10_000

/** An order has six times the rows. */
export const ORDERS_AT_ONCE = 4000

/** From this many on, indices are made when all rows are there. */
const MANY = 20_000

/** Orders need someone who ordered. */
const ORDERS_A_CUSTOMER = 3

/** So often others get a turn to write, and so long they have to notice. */
const TURN_EVERY_MS = 1000
const TURN_MS = 20

/**
 * Fills a shop with people and orders that follow from the seed alone.
 *
 * It only ever adds: what is there already stays as it is, so that the same call again changes nothing, and one with
 * larger numbers adds the rest. Each batch is whole: wherever it ends, the same call goes on from there. Where there is
 * nothing yet and nobody else seeds, customers know of their orders ahead; else each batch lets them know of its own.
 * No worker thread makes the rows: to hand one over costs about as much as to make it.
 *
 * @returns how many of this seed there are now
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

/** Only where nobody misses them: somebody may search the shop meanwhile. */
async function putOffIfEmpty({db, isAlone}: SeedDeps): Promise<boolean> {
  return db.writes.run(async write => {
    if (await hasAny(write, 'customer')) return false
    await dropIndices(write, [ENTITY_MODEL.get('customer'), ENTITY_MODEL.get('customer_address')])
    if (isAlone) await setPendingMarker(write)
    return true
  })
}

/** Adds so many things in batches, and stops between two of them. */
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

/** Between two batches the lock is free for a moment only, which another process would hardly ever meet. */
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
