import {user} from '../shopware/entities/access.js'
import {fold} from '../shopware/fold-text.js'
import {generateId} from '../shopware/ids.js'
import {
  generateAccessKey,
  generateAlphanumeric,
  generateSecret,
  generateWebhookToken,
  hashOfPassword,
  hashOfSecret,
} from './oauth/secrets.js'
import {generateProviderPair, hashOfPair, PROVIDER_PAIR_KEY} from './provider/sign-in.js'
import {replaceToken} from './rules/webhook-tokens.js'
import {BASE_IDS} from './runtime/base-data.js'
import type {ShopCredentials} from './runtime/credentials.js'
import {findUserByName, replaceIntegration, saveUser} from './store/accounts.js'
import {updateEntity} from './store/entities/entity-writes.js'
import {insertEntities} from './store/entities/insert-entities.js'
import {exists} from './store/entities/read-entities.js'
import type {ShopConnection} from './store/schema/schema.js'
import {writeConfig} from './store/schema/system-config.js'

const INTEGRATION_LABEL = 'storectl'
const ADMINISTRATOR = 'admin'
const PASSWORD_LENGTH = 24

/**
 * The administrator, as in the shop's own installation: a visible user, who can have access keys. The integration of
 * the credentials is hidden, so that no sync removes it.
 */
const PERSON = {
  localeId: BASE_IDS.locale,
  firstName: '',
  lastName: 'admin',
  email: 'admin@example.test',
}

/** New credentials, different in every shop and at every reset. */
export function generateCredentials(): ShopCredentials {
  return {
    clientId: generateAccessKey('SWIA'),
    clientSecret: generateSecret(),
    username: ADMINISTRATOR,
    password: generateAlphanumeric(PASSWORD_LENGTH),
    webhookToken: generateWebhookToken(),
    ...generateProviderPair(),
  }
}

/** A change to the accounts after the slow part, hashing the password. */
type SaveCredentials = (transaction: ShopConnection) => Promise<void>

/** Prepares the replacement of the shop's credentials; tokens issued for the old ones end with them. */
export async function prepareCredentials(credentials: ShopCredentials, now: Date): Promise<SaveCredentials> {
  const passwordHash = await hashOfPassword(credentials.password)
  return async transaction => {
    await saveAdministrator(transaction, {username: credentials.username, passwordHash, now})
    await saveOwnSecrets(transaction, credentials, now)
  }
}

/** Stores the integration, the webhook token and the provider's credentials. */
export async function saveOwnSecrets(
  transaction: ShopConnection,
  credentials: ShopCredentials,
  now: Date,
): Promise<void> {
  await replaceIntegration(transaction, {
    id: generateId(now),
    access_key: credentials.clientId,
    secret_hash: hashOfSecret(credentials.clientSecret),
    label: INTEGRATION_LABEL,
    admin: 1,
    privileges: '[]',
  })
  await replaceToken(transaction, credentials.webhookToken, now)
  await writeConfig(transaction, PROVIDER_PAIR_KEY, hashOfPair(credentials))
}

/** An account for sign-in, and a user that searches find and that can have access keys. */
async function saveAdministrator(
  transaction: ShopConnection,
  {username, passwordHash, now}: {username: string; passwordHash: string; now: Date},
): Promise<void> {
  const username_folded = fold(username)
  await saveUser(transaction, {
    id: generateId(now),
    username,
    username_folded,
    password_hash: passwordHash,
    admin: 1,
    privileges: '[]',
    password_changed_at_ms: now.getTime(),
  })
  const id = (await findUserByName(transaction, username_folded))?.id as string
  const values = {username, password: passwordHash, admin: true, active: true}
  if (await exists(transaction, 'user', id)) {
    await updateEntity(transaction, {entity: user, id}, values, now)
  } else {
    await insertEntities(transaction, user, [{...PERSON, ...values, id}], now)
  }
}
