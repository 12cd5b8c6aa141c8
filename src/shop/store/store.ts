import type {Database, DatabasePlace} from '../../storage/engine/database.js'
import {openDatabase} from '../../storage/storage.js'
import {ENTITIES} from '../model/entities/entities.js'
import * as writtenAccounts from './accounts.js'
import * as refreshTokens from './accounts.js'
import * as accounts from './accounts.js'
import * as counts from './counts.js'
import * as deliveries from './deliveries.js'
import * as entities from './entities/entities.js'
import {entityTablesDiffer, MAKING, makeEntityTables} from './entities/entity-tables.js'
import * as entityWrites from './entities/entity-writes.js'
import {keepTextsIndexed} from './entities/text-index-writes.js'
import * as fulfillmentOrders from './fulfillment-orders.js'
import * as orderTransactions from './order-transactions.js'
import * as providerEvents from './provider-events.js'
import * as providerMovements from './provider-movements.js'
import * as vaultTokens from './provider-movements.js'
import {chooseShopDialect} from './schema/choose-dialect.js'
import {shopMigrations} from './schema/contents.js'
import type {ShopTables} from './schema/schema.js'
import type {ShopDatabase} from './schema/search-dialect.js'
import * as systemConfig from './schema/system-config.js'
import * as seedClaims from './seed-claims.js'
import * as stateChanges from './state-changes.js'

/**
 * The shop's database with everything that reads and writes it. Repositories take the connection first, so that
 * several can share one transaction: `store.db.reads`, or what `store.db.writes.run` hands in.
 */
export interface ShopStore {
  readonly db: ShopDatabase
  readonly accounts: typeof accounts
  readonly entities: typeof entities
  readonly entityWrites: typeof entityWrites
  readonly refreshTokens: typeof refreshTokens
  readonly systemConfig: typeof systemConfig
  readonly counts: typeof counts
  readonly deliveries: typeof deliveries
  readonly fulfillmentOrders: typeof fulfillmentOrders
  readonly orderTransactions: typeof orderTransactions
  readonly providerEvents: typeof providerEvents
  readonly providerMovements: typeof providerMovements
  readonly seedClaims: typeof seedClaims
  readonly stateChanges: typeof stateChanges
  readonly vaultTokens: typeof vaultTokens
  readonly writtenAccounts: typeof writtenAccounts
}

/**
 * Opens a shop's database, making its tables where there are none.
 *
 * @throws StorectlError as `openDatabase`
 */
export async function openShopStore(place: DatabasePlace, now: () => Date): Promise<ShopStore> {
  return shopStoreOver(await openDatabase<ShopTables>(place, {name: 'shop', migrations: shopMigrations, now}))
}

/** The shop's store over a database that is open, and is closed with it. */
export async function shopStoreOver(opened: Database<ShopTables>): Promise<ShopStore> {
  if (await entityTablesDiffer(opened.reads, ENTITIES)) {
    await opened.writes.run(transaction => makeEntityTables(transaction, ENTITIES), MAKING)
  }
  const {searchOf, arrivals} = chooseShopDialect(opened.reads)
  await arrivals.mend(opened)
  const search = await searchOf(opened.reads)
  const db = keepTextsIndexed({...opened, search}, ENTITIES)
  return {
    db,
    accounts,
    counts,
    deliveries,
    entities,
    entityWrites,
    fulfillmentOrders,
    orderTransactions,
    providerEvents,
    providerMovements,
    refreshTokens,
    seedClaims,
    stateChanges,
    systemConfig,
    vaultTokens,
    writtenAccounts,
  }
}
