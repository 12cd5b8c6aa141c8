import {type ProgressOutput, showWork} from '../platform/terminal/progress.js'
import {openShop} from './open-shop.js'
import type {ServerHost} from './runtime/runtime.js'
import {runExclusively} from './seed/exclusive-seed.js'
import {seedShop} from './seed/seed.js'
import {type SeededPayments, seedPayments} from './seed/seed-payments.js'

/** The customers and orders of one seed. */
export interface SeedSelection {
  readonly customers: number
  readonly orders: number
  readonly seed: number
  /** Recent payments that both shop and provider have, and how many of them differ. */
  readonly payments?: SeededPayments | undefined
}

export interface SeedDeps {
  readonly dataFolder: string
  readonly host: ServerHost
  /** Ends the seeding between two batches. */
  readonly signal: AbortSignal
  /** Output for the progress. */
  readonly output: ProgressOutput
}

/** Numbers of added rows. */
export interface Seeded {
  readonly customers: number
  readonly orders: number
  /** Absent where none were requested. */
  readonly payments?: number
}

/**
 * Opens the bundled shop of a data folder and seeds it, under a lock.
 *
 * @returns what was added
 * @throws StorectlError `conflict.seeding`, and as `openShop` does
 */
export async function runSeed(
  input: SeedSelection,
  {dataFolder, host, signal, output}: SeedDeps,
): Promise<Seeded> {
  const {db, close} = await openShop({dataFolder}, host)
  let done = {customers: 0, orders: 0}
  let payments = 0
  const onProgress = (now: typeof done) => {
    done = now
  }
  const work = {
    total: input.customers + input.orders + (input.payments?.count ?? 0),
    countDone: () => done.customers + done.orders + payments,
    listParts: () => [`${done.customers} customers`, `${done.orders} orders`, `${payments} payments`],
  }
  const seedAll = async () => {
    const customers = Math.max(input.customers, input.payments ? 1 : 0)
    const made = await seedShop({...input, customers}, {db, signal, onProgress, isAlone: true})
    if (!input.payments) return made
    const of = {seed: input.seed, customers: made.customers, now: host.now()}
    const onPayments = (count: number) => {
      payments = count
    }
    await seedPayments(input.payments, of, {db, signal, onProgress: onPayments})
    return {...made, payments}
  }
  const stop = showWork(work, output)
  try {
    return await runExclusively(db, dataFolder, host, seedAll)
  } finally {
    stop()
    await close()
  }
}
