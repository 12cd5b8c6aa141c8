import type {ServerHost, ShopHost} from '../runtime/shop-host.js'
import {updateAllOrderTotals} from '../store/entities/order-totals.js'
import type {ShopConnection} from '../store/schema/schema.js'
import type {ShopDatabase} from '../store/schema/search-dialect.js'
import {readConfig, removeConfig, writeConfig} from '../store/schema/system-config.js'
import {isSeeding} from '../store/seed-claims.js'
import {findSeedingProcess} from './exclusive-seed.js'

/** Stands in the shop while customers know of orders that are still to come. */
const PROMISED = 'storectl.seed.promised'

/** As part of a write: customers that are added from now on know of orders that come later. */
export function setPendingMarker(db: ShopConnection): Promise<void> {
  return writeConfig(db, PROMISED, '1')
}

/** All of them have come. */
export async function keep({writes}: ShopDatabase): Promise<void> {
  await writes.run(write => removeConfig(write, PROMISED))
}

/**
 * Lets customers know of the orders alone that there are, where a seeding was broken off before the rest of them came.
 * One that goes on is left alone.
 */
export async function clearStaleMarker(
  {reads, writes, rowLocks, readNowMs}: ShopDatabase,
  dataFolder: string,
  host: ShopHost & Partial<Pick<ServerHost, 'isRunning'>>,
): Promise<void> {
  const {files, isRunning} = host
  if (!isRunning || (await readConfig(reads, PROMISED)) === undefined) return
  await writes.run(async write => {
    if (findSeedingProcess(dataFolder, {files, isRunning})) return
    if (await isSeeding(write, await readNowMs(write))) return
    await updateAllOrderTotals(write, rowLocks.forUpdate)
    await removeConfig(write, PROMISED)
  })
}
