import {type Kysely, sql} from 'kysely'
import type {DatabaseLocation} from '../../storage/engine/database.js'
import {openDatabase} from '../../storage/storage.js'
import type {ShopCounts} from '../../wire/schemas/server.js'
import type {ShopTables} from './schema/schema.js'

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
