import {ignoreMissing, openDatabase} from '../storage/index.js'
import {type DeliveryRecord, hasDelivery, streamDeliveries} from './store/deliveries.js'
import {shopMigrations} from './store/schema/initial-schema.js'
import type {ShopTables} from './store/schema/schema.js'
import {deriveShopId, readConfig, SHOP_ID, SIGNING_KEY} from './store/schema/system-config.js'
import {listShopTokens} from './store/webhook-tokens.js'

export type {DeliveryRecord} from './store/deliveries.js'

/** The deliveries of a shop, readable while its server runs. */
export interface Deliveries {
  /** Identifies this shop for its lifetime; 16 hex digits. */
  readonly shopId: string
  /** The shop's webhook tokens, and the digests of replaced ones, some of which may be in use again. */
  listTokens(): ReturnType<typeof listShopTokens>
  has(id: string): Promise<boolean>
  /** In the order in which they were stored. @param after the id of the last one that was read */
  stream(after: string | undefined): AsyncGenerator<DeliveryRecord>
  close(): Promise<void>
}

/**
 * Opens the deliveries of a shop, which need not run; read-only.
 *
 * @param file `shop.db`
 * @returns `undefined` where there is no shop yet
 * @throws StorectlError as opening the database does
 */
export async function openShopDeliveries(file: string, now: () => Date): Promise<Deliveries | undefined> {
  const options = {name: 'shop', migrations: shopMigrations, now, readOnly: true} as const
  const db = await openDatabase<ShopTables>(file, options).catch(ignoreMissing)
  if (!db) return undefined
  const {reads} = db
  return {
    shopId: (await readConfig(reads, SHOP_ID)) ?? deriveShopId((await readConfig(reads, SIGNING_KEY)) ?? ''),
    listTokens: () => listShopTokens(reads),
    has: id => hasDelivery(reads, id),
    stream: after => streamDeliveries(reads, after),
    close: () => db.close(),
  }
}
