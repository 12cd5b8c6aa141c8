import {join} from 'node:path'
import {DEFAULT_EDITION, EDITIONS, type ShopEdition, type ShopVersionName} from '../shopware/editions.js'
import {ENTITY_MODEL} from '../shopware/entities/entities.js'
import {type AccessTokens, createAccessTokens, generateSigningKey} from './oauth/access-tokens.js'
import {buildBaseData, listEditionValues} from './runtime/base-data.js'
import {keepCredentials, type ShopCredentials} from './runtime/credentials.js'
import {DEFAULT_LIMITS, type ServerLimits} from './runtime/limits.js'
import type {ServerHost, ShopHost, ShopRuntime} from './runtime/runtime.js'
import {generateCredentials, prepareCredentials} from './save-credentials.js'
import {clearStaleMarker} from './seed/exclusive-seed.js'
import {updateEntity} from './store/entities/entity-writes.js'
import {insertEntities} from './store/entities/insert-entities.js'
import type {ShopConnection, ShopDatabase} from './store/schema/schema.js'
import {deriveShopId, readConfig, SHOP_ID, SIGNING_KEY, writeConfig} from './store/schema/system-config.js'
import {openShopStore} from './store/store.js'

export interface OpenShopOptions {
  /**
   * Has `shop.db`, `credentials`, the last `address` and, while a server listens, `server.json`. Created if missing.
   */
  dataFolder: string
  /** Default `paypal`. */
  provider?: string
  /** Default `sw`. */
  tokenPrefix?: string
  /** The shop version that it imitates. Default 6.6. */
  shopVersion?: ShopVersionName
  /** Default `DEFAULT_LIMITS`, with the edition's page limit. */
  limits?: Partial<ServerLimits>
}

/** A shop that is open in this process; others may have it open too. */
export interface OpenedShop {
  db: ShopDatabase
  runtime: ShopRuntime
  /** Signed with the shop's own key. */
  accessTokens: AccessTokens
  /** Only if this created the shop. */
  firstCredentials: ShopCredentials | undefined
  /** Finishes pending writes, and closes the database. */
  close(): Promise<void>
}

/**
 * Opens the bundled shop of a data folder and, the first time, creates its key, credentials and base data.
 *
 * @throws StorectlError as opening the database does
 */
export async function openShop(
  options: OpenShopOptions,
  host: ShopHost & Partial<Pick<ServerHost, 'isRunning'>>,
): Promise<OpenedShop> {
  const {dataFolder, provider = 'paypal', tokenPrefix = 'sw', shopVersion = DEFAULT_EDITION.name} = options
  const edition = EDITIONS[shopVersion]
  const limits = {...DEFAULT_LIMITS, maxLimit: edition.maxLimit, ...options.limits}
  const {now} = host
  host.files.makePrivateFolder(dataFolder)
  const db = await openShopStore(join(dataFolder, 'shop.db'), now)
  try {
    const begun = await beginShop(db, now(), credentials => keepCredentials(dataFolder, credentials, host))
    if (options.shopVersion) await followEdition(db, edition)
    await clearStaleMarker(db, dataFolder, host)
    return {
      db,
      runtime: {now, provider, tokenPrefix, limits, edition},
      accessTokens: createAccessTokens(begun.signingKey, now),
      firstCredentials: begun.credentials,
      close: () => db.close(),
    }
  } catch (error) {
    await db.close()
    throw error
  }
}

/** Gives the shop new credentials. The old ones, and tokens issued for them, are refused from then on. */
export async function resetCredentials(
  {writes}: ShopDatabase,
  dataFolder: string,
  host: Pick<ShopHost, 'files' | 'now'>,
): Promise<ShopCredentials> {
  const credentials = generateCredentials()
  const save = await prepareCredentials(credentials, host.now())
  await writes.run(async transaction => {
    await save(transaction)
    keepCredentials(dataFolder, credentials, host)
  })
  return credentials
}

/** The same for the shop of a data folder. @throws StorectlError as `openShop` does */
export async function resetOwnCredentials(dataFolder: string, host: ShopHost): Promise<void> {
  const {db, close} = await openShop({dataFolder}, host)
  await resetCredentials(db, dataFolder, host).finally(close)
}

const EDITION_KEY = 'storectl.edition'

/** Updates the rows with version numbers to this edition. */
async function followEdition({reads, writes}: ShopDatabase, edition: ShopEdition): Promise<void> {
  const known = (await readConfig(reads, EDITION_KEY)) ?? DEFAULT_EDITION.name
  if (known === edition.name) return
  await writes.run(async db => {
    await writeConfig(db, EDITION_KEY, edition.name)
    for (const {entity: name, id, values} of listEditionValues(edition))
      await updateEntity(db, {entity: ENTITY_MODEL.get(name), id}, values)
  })
}

/** The secrets of a shop that is ready to run. */
interface Begun {
  /** PEM. */
  signingKey: string
  /** Only on the first start. */
  credentials: ShopCredentials | undefined
}

/**
 * Creates the key, credentials and base data of a new shop; an existing shop keeps its own.
 *
 * Of two processes that start at once, only one does it: the credentials file is written while the database is locked,
 * and a file without its database rows is replaced at the next start.
 *
 * @param keep writes the credentials' file
 */
async function beginShop(
  {reads, writes}: ShopDatabase,
  now: Date,
  keep: (credentials: ShopCredentials) => void,
): Promise<Begun> {
  const known = await readConfig(reads, SIGNING_KEY)
  if (known !== undefined) return {signingKey: known, credentials: undefined}
  const credentials = generateCredentials()
  const [signingKey, saveCredentials] = await Promise.all([
    generateSigningKey(),
    prepareCredentials(credentials, now),
  ])
  const begin = async (transaction: ShopConnection) => {
    const meanwhile = await readConfig(transaction, SIGNING_KEY)
    if (meanwhile !== undefined) return {signingKey: meanwhile, credentials: undefined}
    for (const [name, values] of Object.entries(buildBaseData())) {
      await insertEntities(transaction, ENTITY_MODEL.get(name), values, now)
    }
    await saveCredentials(transaction)
    await writeConfig(transaction, SIGNING_KEY, signingKey)
    await writeConfig(transaction, SHOP_ID, deriveShopId(signingKey))
    keep(credentials)
    return {signingKey, credentials}
  }
  return writes.run(begin)
}
