import {fold} from '../../shop-model/fold.js'
import {newId} from '../../shop-model/ids.js'
import type {ShopStore} from '../../store/shop/open.js'
import {
  hashOfPassword,
  hashOfSecret,
  newAccessKey,
  newSecret,
  newWebhookToken,
  randomAlphanumeric,
} from './secrets.js'
import {WEBHOOK_TOKEN_KEY} from './webhook/token.js'

/** What signs in to the bundled shop. Kept in a file for the owner alone; the database holds hashes. */
export interface Credentials {
  /** `SWIA…` */
  clientId: string
  clientSecret: string
  username: string
  password: string
  webhookToken: string
}

const INTEGRATION_LABEL = 'storectl'
const ADMINISTRATOR = 'admin'
const PASSWORD_LENGTH = 24

/** New credentials, different in every shop and at every reset. */
export function newCredentials(): Credentials {
  return {
    clientId: newAccessKey('SWIA'),
    clientSecret: newSecret(),
    username: ADMINISTRATOR,
    password: randomAlphanumeric(PASSWORD_LENGTH),
    webhookToken: newWebhookToken(),
  }
}

/** A change to the accounts whose slow part, hashing the password, is done. */
export type SaveCredentials = (transaction: ShopStore['db']['reads']) => Promise<void>

/** Prepares putting credentials in place of those that the shop had; tokens given for the old ones end with them. */
export async function prepareCredentials(
  {accounts, systemConfig}: ShopStore,
  credentials: Credentials,
  now: Date,
): Promise<SaveCredentials> {
  const passwordHash = await hashOfPassword(credentials.password)
  return async transaction => {
    await accounts.saveUser(transaction, {
      id: newId(now),
      username: credentials.username,
      username_folded: fold(credentials.username),
      password_hash: passwordHash,
      admin: 1,
      privileges: '[]',
      password_changed_at_ms: now.getTime(),
    })
    await accounts.replaceIntegration(transaction, {
      id: newId(now),
      access_key: credentials.clientId,
      secret_hash: hashOfSecret(credentials.clientSecret),
      label: INTEGRATION_LABEL,
      admin: 1,
      privileges: '[]',
    })
    await systemConfig.writeConfig(transaction, WEBHOOK_TOKEN_KEY, credentials.webhookToken)
  }
}
