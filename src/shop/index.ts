/**
 * The bundled shop, as the command line sees it: nothing else of this folder is imported from outside. Only light code
 * is imported here; code that opens, serves or seeds a shop is loaded on demand.
 */
import type {DatabaseContents} from '../storage/engine/database.js'
import type {ShopCounts} from '../wire/schemas/server.js'
import type {OpenShopOptions} from './open-shop.js'
import type {Deliveries} from './read-deliveries.js'
import type {SeedDeps, Seeded, SeedSelection} from './run-seed.js'
import type {ServeDeps, ServeOptions} from './run-server.js'
import type {ServerHost, ShopHost} from './runtime/runtime.js'
import type {RunningShop} from './shop.js'

export {FAULT_KEYS, parseFaultRule} from './faults/parse.js'
export type {Deliveries, DeliveryRecord} from './read-deliveries.js'
export type {SeedDeps, Seeded, SeedSelection} from './run-seed.js'
export type {ServeDeps, ServeOptions, Started} from './run-server.js'
export {type Announcement, findServer, readLastAddress} from './runtime/announcement.js'
export {
  formatServerCommand,
  hasCredentials,
  readCredentials,
  type ShopCredentials,
} from './runtime/credentials.js'
export {locateProvider, readAuthority} from './runtime/provider-address.js'
export type {ServerHost} from './runtime/runtime.js'

/**
 * Runs the shop of a data folder until it is stopped; requests in flight are finished first.
 *
 * @throws StorectlError `conflict.server_running`, `conflict.port_in_use`, `usage.address_not_usable`, and as opening
 * the database does
 */
export async function serve(options: ServeOptions, deps: ServeDeps): Promise<void> {
  return (await import('./run-server.js')).runServer(options, deps)
}

/**
 * Runs the shop inside a command, on a loopback port that only this process knows.
 *
 * @throws StorectlError as `serve`
 */
export async function embed(options: OpenShopOptions, host: ShopHost): Promise<RunningShop> {
  return (await import('./shop.js')).embedShop(options, host)
}

/**
 * Seeds the shop of a data folder with generated customers, orders and payments, under a lock.
 *
 * @returns what was added
 * @throws StorectlError `conflict.seeding`, and as opening the database does
 */
export async function seed(selection: SeedSelection, deps: SeedDeps): Promise<Seeded> {
  return (await import('./run-seed.js')).runSeed(selection, deps)
}

/**
 * Gives the shop of a data folder new credentials. The old ones, and tokens issued for them, are refused from then on.
 *
 * @throws StorectlError as opening the database does
 */
export async function renewCredentials(dataFolder: string, host: ServerHost): Promise<void> {
  return (await import('./open-shop.js')).resetOwnCredentials(dataFolder, host)
}

/** @returns a shop's deliveries; `undefined` without a shop @throws StorectlError as opening the database does */
export async function openDeliveries(file: string, now: () => Date): Promise<Deliveries | undefined> {
  return (await import('./read-deliveries.js')).openShopDeliveries(file, now)
}

/** The content of a shop's database, and the steps of its schema. */
export async function describeDatabase(): Promise<DatabaseContents> {
  return (await import('./store/schema/initial-schema.js')).SHOP
}

/** Opens a shop's database for writing, which applies pending migrations. @throws StorectlError as `openDatabase` */
export async function openShopDatabase(file: string, now: () => Date): Promise<{close(): Promise<void>}> {
  return (await import('./store/store.js')).openShopStore(file, now)
}

/** Row counts of a shop, which need not run; read-only. @throws StorectlError as `openDatabase` */
export async function countRows(file: string, now: () => Date): Promise<ShopCounts> {
  return (await import('./store/store.js')).countShopIn(file, now)
}
