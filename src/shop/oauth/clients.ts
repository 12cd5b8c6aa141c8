import type {ShopEdition} from '../../shopware/editions.js'
import {UNKNOWN_KEY_KIND} from '../../shopware/error-texts.js'
import {type Parameters, readParameter} from '../runtime/runtime.js'
import {createShopError} from '../runtime/shop-error.js'
import {findIntegration, findUserByAccessKey} from '../store/accounts.js'
import type {ShopConnection} from '../store/schema/schema.js'
import {
  createInvalidClientError,
  createInvalidParameterError,
  createUnsupportedGrantError,
} from './oauth-errors.js'
import {areHashesEqual, hashOfSecret} from './secrets.js'

/** The one client that may use passwords and refresh tokens. */
export const ADMINISTRATION_CLIENT = 'administration'

/** Prefixes of access keys; only the first two may request tokens. @see protocol.md §2.1 */
const KNOWN_PREFIXES = ['SWUA', 'SWIA', 'SWSC', 'SWPE']
const PREFIX_LENGTH = 4

/**
 * Checks the client of a password or refresh grant; it needs no secret.
 *
 * @throws ShopError 400
 */
export function checkAdministrationClient(
  {clientId, clientSecret}: TokenFields,
  {hasNewGrants}: ShopEdition,
): string {
  checkClientFields(clientId, clientSecret)
  const isKnown =
    clientId === ADMINISTRATION_CLIENT || KNOWN_PREFIXES.includes(String(clientId).slice(0, PREFIX_LENGTH))
  if (hasNewGrants && !isKnown) throw createUnknownKeyKindError()
  if (clientId !== ADMINISTRATION_CLIENT) throw createUnsupportedGrantError()
  return ADMINISTRATION_CLIENT
}

/**
 * Authenticates a client by access key and secret.
 *
 * @throws ShopError 400, 401, and 500 for an id with an unknown prefix
 * @see protocol.md §2.5
 */
export async function authenticateProgram(
  reads: ShopConnection,
  fields: TokenFields,
  {hasNewGrants}: ShopEdition,
): Promise<string> {
  const {clientId, clientSecret, authorization} = fields
  if (hasNewGrants) checkNewTypes(fields)
  checkClientFields(clientId, clientSecret)
  if (hasNewGrants) checkNewGrant(fields)
  if (typeof clientId !== 'string') throw createInvalidClientError(authorization)
  if (clientId === ADMINISTRATION_CLIENT && clientSecret === undefined) throw createUnsupportedGrantError()
  if (!KNOWN_PREFIXES.includes(clientId.slice(0, PREFIX_LENGTH))) throw createUnknownKeyKindError()
  // The shop's database ignores trailing spaces.
  const accessKey = clientId.replace(/(?<! ) +$/, '')
  const known = await findClient(reads, accessKey)
  if (!known) throw createInvalidClientError(authorization)
  if (hasNewGrants && !clientSecret) throw createInvalidParameterError('client_secret')
  if (clientSecret === undefined) throw createUnsupportedGrantError()
  const isRight = areHashesEqual(hashOfSecret(clientSecret as string), known.secret_hash)
  if (!isRight) throw createInvalidClientError(authorization)
  return accessKey
}

function checkNewTypes({clientId, clientSecret, authorization}: TokenFields): void {
  if (typeof clientSecret === 'number') throw createInvalidClientError(authorization)
  if (typeof clientId === 'object') throw createInvalidParameterError('client_id')
}

/** A newer shop looks up the client before it checks the secret. @see shop-6.7.md */
function checkNewGrant({clientId, authorization}: TokenFields): void {
  if (typeof clientId === 'number') throw createUnknownKeyKindError()
  if (clientId === ADMINISTRATION_CLIENT) throw createInvalidClientError(authorization)
}

/** Integrations by their own keys, users by their access keys. */
function findClient(reads: ShopConnection, accessKey: string): Promise<{secret_hash: string} | undefined> {
  return isUserKey(accessKey) ? findUserByAccessKey(reads, accessKey) : findIntegration(reads, accessKey)
}

/** Whether an access key is a user's and not an integration's. */
export function isUserKey(accessKey: string): boolean {
  return accessKey.startsWith('SWUA')
}

function checkClientFields(clientId: unknown, clientSecret: unknown): void {
  if (clientId === undefined || clientId === null) throw createInvalidParameterError('client_id')
  if (clientSecret !== undefined && typeof clientSecret !== 'string')
    throw createInvalidParameterError('client_secret')
}

export function createUnknownKeyKindError() {
  return createShopError(500, UNKNOWN_KEY_KIND, 'Access key is invalid and could not be identified.')
}

/** The fields of a token request, from its body and, for the client, from HTTP Basic. */
export interface TokenFields {
  grantType: unknown
  clientId: unknown
  /** `undefined` when there is none at all. */
  clientSecret: unknown
  username: unknown
  password: unknown
  refreshToken: unknown
  scope: unknown
  /** The unchanged header. */
  authorization: string | undefined
}

/** The body wins over HTTP Basic; the query string never counts. @see protocol.md §2.1 */
export function readTokenFields(
  body: Parameters,
  authorization: string | undefined,
  {hasNewGrants}: ShopEdition,
): TokenFields {
  const basic = parseBasicCredentials(
    hasNewGrants ? authorization?.replace(/^basic /i, 'Basic ') : authorization,
  )
  const readField = (name: string) => {
    const value = readParameter(body, name) ?? undefined
    return hasNewGrants && typeof value === 'string' ? value.trim() : value
  }
  return {
    grantType: readField('grant_type'),
    clientId: readField('client_id') ?? basic?.id,
    clientSecret: readField('client_secret') ?? basic?.secret,
    username: readField('username'),
    password: readField('password'),
    refreshToken: readField('refresh_token'),
    scope: readField('scope'),
    authorization,
  }
}

function parseBasicCredentials(authorization: string | undefined): {id: string; secret: string} | undefined {
  if (!authorization?.startsWith('Basic ')) return undefined
  const text = Buffer.from(authorization.slice('Basic '.length), 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? undefined : {id: text.slice(0, colon), secret: text.slice(colon + 1)}
}
