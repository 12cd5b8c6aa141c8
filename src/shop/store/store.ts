import type {Database, DatabaseLocation} from '../../storage/engine/database.js'
import {openDatabase} from '../../storage/storage.js'
import {ENTITIES} from '../model/entities/entities.js'
import {haveEntityTablesChanged, MAKING, makeEntityTables} from './entities/entity-tables.js'
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
export async function openShopStore(place: DatabaseLocation, now: () => Date): Promise<ShopDatabase> {
  return createShopStore(
    await openDatabase<ShopTables>(place, {name: 'shop', migrations: shopMigrations, now}),
  )
}

/** The shop's database over one that is open, and is closed with it. */
export async function createShopStore(opened: Database<ShopTables>): Promise<ShopDatabase> {
  if (await haveEntityTablesChanged(opened.reads, ENTITIES)) {
    await opened.writes.run(transaction => makeEntityTables(transaction, ENTITIES), MAKING)
  }
  const {searchOf, arrivals} = chooseShopDialect(opened.reads)
  await arrivals.mend(opened)
  const search = await searchOf(opened.reads)
  return keepTextsIndexed({...opened, search}, ENTITIES)
}
