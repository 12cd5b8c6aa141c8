import {type Kysely, sql} from 'kysely'
import {ENTITIES} from '../../shopware/entities/entities.js'
import type {Database, DatabaseLocation} from '../../storage/engine/database.js'
import {openDatabase} from '../../storage/index.js'
import type {ShopCounts} from '../../wire/schemas/server.js'
import {createEntityTables, haveEntityTablesChanged} from './entities/entity-tables.js'
import {keepTextsIndexed} from './entities/text-index-writes.js'
import {shopMigrations} from './schema/initial-schema.js'
import type {ShopDatabase, ShopTables} from './schema/schema.js'

/**
 * Opens a shop's database, making its tables where there are none. It is apart from the records: it holds what a real shop
 * keeps to itself. What reads and writes it takes the connection first,
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
async function createShopStore(opened: Database<ShopTables>): Promise<ShopDatabase> {
  if (await haveEntityTablesChanged(opened.reads, ENTITIES)) {
    await opened.writes.run(transaction => createEntityTables(transaction, ENTITIES))
  }
  return keepTextsIndexed(opened, ENTITIES)
}

/** Counts by the smallest index of each table: some ten milliseconds a million rows. */
export async function countShop(db: Kysely<ShopTables>): Promise<ShopCounts> {
  const {rows} = await sql<ShopCounts>`
    select (select count(*) from customer) as customers,
      (select count(*) from "order") as orders,
      (select count(*) from fulfillment_order) as "fulfillmentOrders",
      (select count(*) from webhook_delivery) as "webhookDeliveries",
      (select count(*) from sales_channel) as "salesChannels"`.execute(db)
  return rows[0] as ShopCounts
}

/**
 * Counts in the database of a shop that need not run; nothing in it is changed.
 *
 * @throws StorectlError as `openDatabase`, also when there is no such file, or one of another time
 */
export async function countShopIn(location: DatabaseLocation, now: () => Date): Promise<ShopCounts> {
  const db = await openDatabase<ShopTables>(location, {name: 'shop', migrations: [], now, readOnly: true})
  try {
    return await countShop(db.reads)
  } finally {
    await db.close()
  }
}
