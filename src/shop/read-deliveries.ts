import {createHash} from 'node:crypto'
import {ignoreMissing, openDatabase} from '../storage/index.js'
import {type DeliveryRecord, hasDelivery, streamDeliveries} from './store/deliveries.js'
import {shopMigrations} from './store/schema/initial-schema.js'
import type {ShopTables} from './store/schema/schema.js'
import {readConfig, SIGNING_KEY} from './store/schema/system-config.js'
import {listShopTokens} from './store/webhook-tokens.js'

export type {DeliveryRecord} from './store/deliveries.js'

/** What a shop has received, to be read beside a server that may run. */
export interface Deliveries {
  /** Tells this shop from any other, for as long as it lives; 16 hex digits. */
  readonly shopId: string
  /** The shop's webhook tokens, and the digests of those that were replaced: among these may be some that are back in use. */
  listTokens(): ReturnType<typeof listShopTokens>
  has(id: string): Promise<boolean>
  /** In the order in which they were written down. @param after the id of the last one that was seen */
  stream(after: string | undefined): AsyncGenerator<DeliveryRecord>
  close(): Promise<void>
}

/**
 * Opens the deliveries of a shop that need not run; nothing is made or changed.
 *
 * @param file `shop.db`
 * @returns `undefined` where no shop is yet
 * @throws StorectlError as opening the database does
 */
export async function openShopDeliveries(file: string, now: () => Date): Promise<Deliveries | undefined> {
  const options = {name: 'shop', migrations: shopMigrations, now, readOnly: true} as const
  const db = await openDatabase<ShopTables>(file, options).catch(ignoreMissing)
  if (!db) return undefined
  const {reads} = db
  const key = (await readConfig(reads, SIGNING_KEY)) ?? ''
  return {
    shopId: createHash('sha256').update(key).digest('hex').slice(0, 16),
    listTokens: () => listShopTokens(reads),
    has: id => hasDelivery(reads, id),
    stream: after => streamDeliveries(reads, after),
    close: () => db.close(),
  }
}
