import {sql} from 'kysely'
import {ENTITIES} from '../../shopware/entities/entities.js'
import type {Database, DatabaseLocation} from '../../storage/engine/database.js'
import {openDatabase} from '../../storage/index.js'
import type {ShopCounts} from '../../wire/schemas/server.js'
import {createEntityTables, haveEntityTablesChanged} from './entities/entity-tables.js'
import {keepTextsIndexed} from './entities/text-index-writes.js'
import {shopMigrations} from './schema/initial-schema.js'
import type {ShopConnection, ShopDatabase, ShopTables} from './schema/schema.js'

/**
 * Opens a shop's database, creating its tables where missing. It is separate from the records, because it contains a
 * real shop's data. Functions that read and write it have the connection as first parameter, so that several can share
 * a transaction: `reads`, or the one from `writes.run`.
 *
 * @throws StorectlError as `openDatabase`
 */
export async function openShopStore(location: DatabaseLocation, now: () => Date): Promise<ShopDatabase> {
  return createShopStore(
    await openDatabase<ShopTables>(location, {name: 'shop', migrations: shopMigrations, now}),
  )
}

/** The shop's database over an open one; closing it closes that one. */
async function createShopStore(opened: Database<ShopTables>): Promise<ShopDatabase> {
  if (await haveEntityTablesChanged(opened.reads, ENTITIES)) {
    await opened.writes.run(transaction => createEntityTables(transaction, ENTITIES))
  }
  return keepTextsIndexed(opened, ENTITIES)
}

/** Counts rows by the smallest index of each table: about ten milliseconds for a million rows. */
export async function countShop(db: ShopConnection): Promise<ShopCounts> {
  const {rows} = await sql<ShopCounts>`
    select (select count(*) from customer) as customers,
      (select count(*) from "order") as orders,
      (select count(*) from fulfillment_order) as "fulfillmentOrders",
      (select count(*) from webhook_delivery) as "webhookDeliveries",
      (select count(*) from sales_channel) as "salesChannels"`.execute(db)
  return rows[0] as ShopCounts
}

/**
 * Counts rows in a shop's database, which need not run; read-only.
 *
 * @throws StorectlError as `openDatabase`, also when the file does not exist, or is from another version
 */
export async function countShopIn(location: DatabaseLocation, now: () => Date): Promise<ShopCounts> {
  const db = await openDatabase<ShopTables>(location, {name: 'shop', migrations: [], now, readOnly: true})
  try {
    return await countShop(db.reads)
  } finally {
    await db.close()
  }
}
