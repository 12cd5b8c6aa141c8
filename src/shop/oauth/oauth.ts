import type {TokenResponse} from '../../wire/response.js'
import {fold} from '../model/fold-text.js'
import type {Shop} from '../runtime/runtime.js'
import type {RefreshTokenRow} from '../store/schema/account-tables.js'
import {ACCESS_TOKEN_LIFE_SECONDS} from './access-tokens.js'
import {administrationClient, programClient} from './clients.js'
import {invalidCredentials, invalidParameter, invalidRefreshToken, unsupportedGrant} from './oauth-errors.js'
import {requestedScopes, scopesOfClient, scopesOfRenewal, scopesOfUser} from './scopes.js'
import {hashOfSecret, isPassword, newRefreshToken, spendPasswordCheck} from './secrets.js'
import type {TokenFields} from './token-fields.js'

const REFRESH_TOKEN_LIFE_MS = 7 * 24 * 3600 * 1000

/**
 * Answers a request for a token.
 *
 * @throws ShopError as protocol.md §2.5 lists them
 */
export function grant(shop: Shop, fields: TokenFields): Promise<TokenResponse> {
  if (fields.grantType === 'client_credentials') return grantToProgram(shop, fields)
  if (fields.grantType === 'password') return grantByPassword(shop, fields)
  if (fields.grantType === 'refresh_token') return renew(shop, fields)
  return Promise.reject(unsupportedGrant())
}

async function grantToProgram(shop: Shop, fields: TokenFields): Promise<TokenResponse> {
  const clientId = await programClient(shop, fields)
  const scopes = scopesOfClient(requestedScopes(fields.scope) ?? [])
  return {
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_LIFE_SECONDS,
    access_token: await shop.accessTokens.issue(clientId, '', scopes),
  }
}

async function grantByPassword(shop: Shop, fields: TokenFields): Promise<TokenResponse> {
  const clientId = administrationClient(fields)
  const requested = requestedScopes(fields.scope) ?? []
  const {username, password} = fields
  if (typeof username !== 'string') throw invalidParameter('username')
  if (typeof password !== 'string') throw invalidParameter('password')
  const {accounts, db} = shop.store
  const user = await accounts.findUserByName(db.reads, fold(username))
  if (!user) await spendPasswordCheck(password)
  if (!user || !(await isPassword(password, user.password_hash))) throw invalidCredentials()
  return issuePair(shop, clientId, user.id, scopesOfUser(requested, user.admin === 1))
}

async function renew(shop: Shop, fields: TokenFields): Promise<TokenResponse> {
  const clientId = administrationClient(fields)
  const {refreshToken} = fields
  if (typeof refreshToken !== 'string') throw invalidParameter('refresh_token')
  const {refreshTokens, db} = shop.store
  const tokenHash = hashOfSecret(refreshToken)
  const old = usable(await refreshTokens.findRefreshToken(db.reads, tokenHash), clientId, shop.now())
  const scopes = scopesOfRenewal(requestedScopes(fields.scope), JSON.parse(old.scopes) as string[])
  const wasThere = await db.writes.run(transaction =>
    refreshTokens.revokeRefreshToken(transaction, tokenHash),
  )
  if (!wasThere) throw invalidRefreshToken('Token has been revoked')
  return issuePair(shop, clientId, old.user_id, scopes)
}

function usable(token: RefreshTokenRow | undefined, clientId: string, now: Date): RefreshTokenRow {
  if (!token) throw invalidRefreshToken('Cannot decrypt the refresh token')
  if (token.client_id !== clientId) throw invalidRefreshToken('Token is not linked to client')
  if (token.expires_at_ms < now.getTime()) throw invalidRefreshToken('Token has expired')
  if (token.revoked === 1) throw invalidRefreshToken('Token has been revoked')
  return token
}

async function issuePair(
  shop: Shop,
  clientId: string,
  userId: string,
  scopes: string[],
): Promise<TokenResponse> {
  const {refreshTokens, db} = shop.store
  const refreshToken = newRefreshToken()
  const nowMs = shop.now().getTime()
  const row: RefreshTokenRow = {
    token_hash: hashOfSecret(refreshToken),
    user_id: userId,
    client_id: clientId,
    scopes: JSON.stringify(scopes),
    expires_at_ms: nowMs + REFRESH_TOKEN_LIFE_MS,
    revoked: 0,
  }
  await db.writes.run(transaction => refreshTokens.addRefreshToken(transaction, row, nowMs))
  return {
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_LIFE_SECONDS,
    access_token: await shop.accessTokens.issue(clientId, userId, scopes),
    refresh_token: refreshToken,
  }
}
