import type {Database, DatabaseLocation} from '../../storage/engine/database.js'
import {openDatabase} from '../../storage/storage.js'
import {ENTITIES} from '../model/entities/entities.js'
import {createEntityTables, haveEntityTablesChanged, TABLE_LOCK} from './entities/entity-tables.js'
import {keepTextsIndexed} from './entities/text-index-writes.js'
import {chooseShopDialect} from './schema/choose-dialect.js'
import {shopMigrations} from './schema/contents.js'
import type {ShopTables} from './schema/schema.js'
import type {ShopDatabase} from './schema/search-dialect.js'

/**
 * Opens a shop's database, making its tables where there are none. What reads and writes it takes the connection first,
 * so that several can share one transaction: its `reads`, or what `writes.run` hands in.
 *
 * @throws StorectlError as `openDatabase`
 */
export async function openShopStore(location: DatabaseLocation, now: () => Date): Promise<ShopDatabase> {
  return createShopStore(
    await openDatabase<ShopTables>(location, {name: 'shop', migrations: shopMigrations, now}),
  )
}

/** The shop's database over one that is open, and is closed with it. */
export async function createShopStore(opened: Database<ShopTables>): Promise<ShopDatabase> {
  if (await haveEntityTablesChanged(opened.reads, ENTITIES)) {
    await opened.writes.run(transaction => createEntityTables(transaction, ENTITIES), TABLE_LOCK)
  }
  const {detectSearch, deliveryOrder} = chooseShopDialect(opened.reads)
  await deliveryOrder.repair(opened)
  const search = await detectSearch(opened.reads)
  return keepTextsIndexed({...opened, search}, ENTITIES)
}
