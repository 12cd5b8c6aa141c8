import {join} from 'node:path'
import {
  CHANGING_CREDENTIALS,
  type Credentials,
  keepCredentials,
  mendProviderPair,
  newCredentials,
  prepareCredentials,
  readCredentials,
} from './credentials.js'
import type {FaultList} from './faults/active-faults.js'
import {baseData} from './model/base-data.js'
import {ENTITIES, EntityModel} from './model/entities/entities.js'
import {accessTokens, newSigningKey} from './oauth/access-tokens.js'
import {Throttle} from './oauth/throttle.js'
import {DEFAULT_LIMITS, type ServerLimits} from './runtime/limits.js'
import type {Shop} from './runtime/runtime.js'
import type {ServerWorld, ShopWorld} from './runtime/shop-host.js'
import {PlainWriters} from './search/response/response.js'
import {mendPromise} from './seed/pending-marker.js'
import type {ShopStore} from './store/store.js'

export interface OpenShopOptions {
  /** Holds `shop.db`, `credentials` and, while a server listens, `server.json`. Made where there is none. */
  dataFolder: string
  /** Default `paypal`. */
  provider?: string
  /** Default `sw`. */
  tokenPrefix?: string
  faults?: FaultList
  /** Default `DEFAULT_LIMITS`. */
  limits?: Partial<ServerLimits>
  /** Of a server that others find. */
  listening?: Shop['listening']
}

/** A shop that is open in this process; how many others have it open too does not matter. */
export interface OpenedShop {
  shop: Shop
  /** Only when this made the shop. */
  firstCredentials: Credentials | undefined
  /** Finishes what is being written, and closes the database. */
  close(): Promise<void>
}

/**
 * Opens the bundled shop of a data folder and, the first time, makes its key, its credentials and its base data.
 *
 * @throws StorectlError as opening the database does
 */
export async function openShop(
  options: OpenShopOptions,
  world: ShopWorld & Partial<Pick<ServerWorld, 'isRunning'>>,
): Promise<OpenedShop> {
  const {dataFolder, provider = 'paypal', tokenPrefix = 'sw', faults, limits, listening} = options
  world.files.makePrivateFolder(dataFolder)
  const store = await world.openStore(join(dataFolder, 'shop.db'), world.now)
  try {
    const model = new EntityModel(ENTITIES)
    const keep = (credentials: Credentials) => keepCredentials(dataFolder, credentials, world)
    const begun = await beginShop(store, model, world.now(), keep)
    await mendPromise(store, dataFolder, world)
    await mendProviderPair(store, () => readCredentials(dataFolder, world.files), keep)
    const shop: Shop = {
      store,
      model,
      accessTokens: accessTokens(begun.signingKey, world.now),
      throttle: new Throttle(),
      plainWriters: new PlainWriters(),
      now: world.now,
      provider,
      tokenPrefix,
      limits: {...DEFAULT_LIMITS, ...limits},
      ...(faults ? {faults} : {}),
      ...(listening ? {listening} : {}),
    }
    return {shop, firstCredentials: begun.credentials, close: () => store.db.close()}
  } catch (error) {
    await store.db.close()
    throw error
  }
}

/** Gives the shop new credentials. Those it had, and the tokens given for them, are refused from now on. */
export async function resetCredentials(
  shop: Shop,
  dataFolder: string,
  world: Pick<ShopWorld, 'files'>,
): Promise<Credentials> {
  const credentials = newCredentials()
  const save = await prepareCredentials(shop.store, credentials, shop.now())
  await shop.store.db.writes.run(async transaction => {
    await save(transaction)
    keepCredentials(dataFolder, credentials, world)
  }, CHANGING_CREDENTIALS)
  return credentials
}

const SIGNING_KEY = 'storectl.signingKey'

/** A shop that has what it needs to run. */
export interface Begun {
  /** PEM. */
  signingKey: string
  /** Only when this was the first start. */
  credentials: Credentials | undefined
}

/**
 * Gives a new shop its key, its credentials and its base data; an older shop keeps what it has.
 *
 * Of two processes that start at once, one does it: the credentials' file is written while the database is locked,
 * and a file without its database rows is replaced at the next start.
 *
 * @param keep writes the credentials' file
 */
export async function beginShop(
  store: ShopStore,
  model: EntityModel,
  now: Date,
  keep: (credentials: Credentials) => void,
): Promise<Begun> {
  const {db, systemConfig} = store
  const known = await systemConfig.readConfig(db.reads, SIGNING_KEY)
  if (known !== undefined) return {signingKey: known, credentials: undefined}
  const credentials = newCredentials()
  const [signingKey, saveCredentials] = await Promise.all([
    newSigningKey(),
    prepareCredentials(store, credentials, now),
  ])
  const begin = async (transaction: typeof db.reads) => {
    const meanwhile = await systemConfig.readConfig(transaction, SIGNING_KEY)
    if (meanwhile !== undefined) return {signingKey: meanwhile, credentials: undefined}
    for (const [name, values] of Object.entries(baseData())) {
      await store.entities.insertEntities(transaction, model.get(name), values, now)
    }
    await saveCredentials(transaction)
    await systemConfig.writeConfig(transaction, SIGNING_KEY, signingKey)
    keep(credentials)
    return {signingKey, credentials}
  }
  return db.writes.run(begin, CHANGING_CREDENTIALS)
}
