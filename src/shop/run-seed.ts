import {type ProgressOutput, showWork} from '../platform/terminal/progress.js'
import {openShop} from './open-shop.js'
import type {ServerHost} from './runtime/runtime.js'
import {runExclusively} from './seed/exclusive-seed.js'
import {seedShop} from './seed/seed.js'

/** People and orders of one seed. */
interface SeedSelection {
  readonly customers: number
  readonly orders: number
  readonly seed: number
}

interface RunSeedDeps {
  readonly dataFolder: string
  readonly host: ServerHost
  /** Ends the seeding between two batches. */
  readonly signal: AbortSignal
  /** Where it is shown how far the seeding is. */
  readonly output: ProgressOutput
}

/**
 * Opens the bundled shop of a data folder and fills it; no other process seeds it meanwhile.
 *
 * @returns what was added
 * @throws StorectlError `conflict.seeding`, and as `openShop` does
 */
export async function runSeed(input: SeedSelection, {dataFolder, host, signal, output}: RunSeedDeps) {
  const {db, close} = await openShop({dataFolder}, host)
  let done = {customers: 0, orders: 0}
  const onProgress = (now: typeof done) => {
    done = now
  }
  const work = {
    total: input.customers + input.orders,
    countDone: () => done.customers + done.orders,
    listParts: () => [`${done.customers} customers`, `${done.orders} orders`],
  }
  const stop = showWork(work, output)
  try {
    return await runExclusively(db, dataFolder, host, () =>
      seedShop(input, {db, signal, onProgress, isAlone: true}),
    )
  } finally {
    stop()
    await close()
  }
}
