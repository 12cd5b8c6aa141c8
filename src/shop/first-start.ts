import {CHANGING_CREDENTIALS, type Credentials, newCredentials, prepareCredentials} from './credentials.js'
import {baseData} from './model/base-data.js'
import type {EntityModel} from './model/entities/entities.js'
import {newSigningKey} from './oauth/access-tokens.js'
import type {ShopStore} from './store/store.js'

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
