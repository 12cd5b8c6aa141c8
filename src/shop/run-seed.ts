import type {Clock} from '../platform/clock.js'
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
  readonly clock: Clock
  /** Ends the seeding between two batches. */
  readonly signal: AbortSignal
  readonly note: (text: string) => Promise<void>
}

/** How often a long seeding says how far it is. */
const NOTE_EVERY_MS = 2000

/**
 * Opens the bundled shop of a data folder and fills it; no other process seeds it meanwhile.
 *
 * @returns what was added
 * @throws StorectlError `conflict.seeding`, and as `openShop` does
 */
export async function runSeed(input: SeedSelection, {dataFolder, host, clock, signal, note}: RunSeedDeps) {
  const {db, close} = await openShop({dataFolder}, host)
  try {
    const onProgress = noteNowAndThen(clock, note)
    return await runExclusively(db, dataFolder, host, () =>
      seedShop(input, {db, signal, onProgress, isAlone: true}),
    )
  } finally {
    await close()
  }
}

function noteNowAndThen(clock: Clock, note: RunSeedDeps['note']) {
  let next = clock.now().getTime() + NOTE_EVERY_MS
  return ({customers, orders}: {customers: number; orders: number}) => {
    const now = clock.now().getTime()
    if (now < next) return
    next = now + NOTE_EVERY_MS
    void note(`${customers} customers, ${orders} orders so far`).catch(() => undefined)
  }
}
