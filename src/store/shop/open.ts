import type {Database} from '../database.js'
import {openDatabase} from '../open.js'
import * as accounts from './accounts.js'
import {shopMigrations} from './migrations/index.js'
import * as refreshTokens from './refresh-tokens.js'
import * as systemConfig from './system-config.js'
import type {ShopTables} from './tables.js'

/**
 * The shop's database with everything that reads and writes it. Repositories take the connection first, so that
 * several can share one transaction: `store.db.reads`, or what `store.db.writes.run` hands in.
 */
export interface ShopStore {
  readonly db: Database<ShopTables>
  readonly accounts: typeof accounts
  readonly refreshTokens: typeof refreshTokens
  readonly systemConfig: typeof systemConfig
}

/**
 * Opens a shop's database, making it where there is none.
 *
 * @throws StorectlError as `openDatabase`
 */
export async function openShopStore(file: string, now: () => Date): Promise<ShopStore> {
  const db = await openDatabase<ShopTables>(file, {migrations: shopMigrations, now})
  return {db, accounts, refreshTokens, systemConfig}
}
