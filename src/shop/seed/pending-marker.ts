import type {Kysely} from 'kysely'
import type {ServerWorld, ShopWorld} from '../runtime/shop-host.js'
import type {ShopTables} from '../store/schema/schema.js'
import type {ShopStore} from '../store/store.js'
import {whoSeeds} from './exclusive-seed.js'

/** Stands in the shop while customers know of orders that are still to come. */
const PROMISED = 'storectl.seed.promised'

/** As part of a write: customers that are added from now on know of orders that come later. */
export function promise({systemConfig}: ShopStore, db: Kysely<ShopTables>): Promise<void> {
  return systemConfig.writeConfig(db, PROMISED, '1')
}

/** All of them have come. */
export async function keep({db, systemConfig}: ShopStore): Promise<void> {
  await db.writes.run(write => systemConfig.removeConfig(write, PROMISED))
}

/**
 * Lets customers know of the orders alone that there are, where a seeding was broken off before the rest of them came.
 * One that goes on is left alone.
 */
export async function mendPromise(
  {db, entities, seedClaims, systemConfig}: ShopStore,
  dataFolder: string,
  world: ShopWorld & Partial<Pick<ServerWorld, 'isRunning'>>,
): Promise<void> {
  const {files, isRunning} = world
  if (!isRunning || (await systemConfig.readConfig(db.reads, PROMISED)) === undefined) return
  await db.writes.run(async write => {
    if (whoSeeds(dataFolder, {files, isRunning})) return
    if (await seedClaims.isSeeding(write, await db.readNowMs(write))) return
    await entities.recountOrders(write, db.locks.forUpdate)
    await systemConfig.removeConfig(write, PROMISED)
  })
}
