import {ENTITIES} from '../../shop-model/entities/index.js'
import type {Database} from '../database.js'
import {openDatabase} from '../open.js'
import type {DatabasePlace} from '../place.js'
import * as accounts from './accounts.js'
import {chooseShopDialect} from './choose-dialect.js'
import * as counts from './counts.js'
import * as deliveries from './deliveries.js'
import * as entities from './entities/index.js'
import {keepTextsIndexed} from './entities/keep-indexed.js'
import {entityTablesDiffer, MAKING, makeEntityTables} from './entities/schema.js'
import * as entityWrites from './entity-writes.js'
import * as fulfillmentOrders from './fulfillment-orders.js'
import {shopMigrations} from './initial-schema.js'
import * as orderTransactions from './order-transactions.js'
import * as providerEvents from './provider-events.js'
import * as providerMovements from './provider-movements.js'
import * as refreshTokens from './refresh-tokens.js'
import type {ShopDatabase} from './search/engine.js'
import * as seedClaims from './seed-claims.js'
import * as stateChanges from './state-changes.js'
import * as systemConfig from './system-config.js'
import type {ShopTables} from './tables.js'
import * as vaultTokens from './vault-tokens.js'
import * as writtenAccounts from './written-accounts.js'

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
