import type {ShopEdition} from '../../shopware/editions.js'
import {REFRESH_TOKEN_ENDED, REFRESH_TOKEN_REVOKED} from '../../shopware/error-texts.js'
import {fold} from '../../shopware/fold-text.js'
import type {TokenResponse} from '../../wire/schemas/token.js'
import type {RuleDeps} from '../runtime/runtime.js'
import {addRefreshToken, findRefreshToken, findUserByName, revokeRefreshToken} from '../store/accounts.js'
import type {RefreshTokenRow} from '../store/schema/schema.js'
import {ACCESS_TOKEN_LIFE_SECONDS, type AccessTokens} from './access-tokens.js'
import {authenticateProgram, checkAdministrationClient, type TokenFields} from './clients.js'
import {
  createInvalidCredentialsError,
  createInvalidParameterError,
  createInvalidRefreshTokenError,
  createInvalidScopeError,
  createUnsupportedGrantError,
} from './oauth-errors.js'
import {generateRefreshToken, hashOfSecret, isPassword, simulatePasswordCheck} from './secrets.js'

/** Scopes that the shop knows. @see protocol.md §2.1 */
const SCOPES: readonly unknown[] = ['write', 'admin', 'user-verified']

const REFRESH_TOKEN_LIFE_MS = 7 * 24 * 3600 * 1000

export interface GrantDeps extends RuleDeps {
  readonly accessTokens: Pick<AccessTokens, 'issue'>
}

/**
 * Responds to a token request.
 *
 * @throws ShopError as protocol.md §2.5 lists them
 */
export function grant(fields: TokenFields, deps: GrantDeps): Promise<TokenResponse> {
  if (fields.grantType === 'client_credentials') return grantToProgram(fields, deps)
  if (fields.grantType === 'password') return grantByPassword(fields, deps)
  if (fields.grantType === 'refresh_token') return renew(fields, deps)
  return Promise.reject(createUnsupportedGrantError())
}

async function grantToProgram(
  fields: TokenFields,
  {db, accessTokens, edition}: GrantDeps,
): Promise<TokenResponse> {
  const clientId = await authenticateProgram(db.reads, fields, edition)
  const scopes = resolveClientScopes(parseRequestedScopes(fields.scope, edition) ?? [])
  // Newer shops put the integration's id in its token.
  const subject = edition.hasNewGrants ? clientId : ''
  return {
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_LIFE_SECONDS,
    access_token: await accessTokens.issue(clientId, subject, scopes),
  }
}

async function grantByPassword(fields: TokenFields, deps: GrantDeps): Promise<TokenResponse> {
  const clientId = checkAdministrationClient(fields, deps.edition)
  // Newer shops check the user first.
  const {hasNewGrants} = deps.edition
  const early = hasNewGrants ? undefined : parseRequestedScopes(fields.scope, deps.edition)
  const {username, password} = fields
  if (typeof username !== 'string') throw createInvalidParameterError('username')
  if (typeof password !== 'string') throw createInvalidParameterError('password')
  const user = await findUserByName(deps.db.reads, fold(username))
  if (!user) await simulatePasswordCheck(password)
  if (!user || !(await isPassword(password, user.password_hash))) throw createInvalidCredentialsError()
  const requested = early ?? parseRequestedScopes(fields.scope, deps.edition) ?? []
  return issuePair(clientId, user.id, resolveUserScopes(requested, user.admin === 1), deps)
}

async function renew(fields: TokenFields, deps: GrantDeps): Promise<TokenResponse> {
  const clientId = checkAdministrationClient(fields, deps.edition)
  const {refreshToken} = fields
  if (deps.edition.hasNewGrants && typeof refreshToken === 'number')
    throw createInvalidRefreshTokenError('Cannot decrypt the refresh token')
  if (typeof refreshToken !== 'string') throw createInvalidParameterError('refresh_token')
  const {db, now} = deps
  const tokenHash = hashOfSecret(refreshToken)
  const old = requireUsableRefreshToken(await findRefreshToken(db.reads, tokenHash), clientId, now())
  const scopes = resolveRenewalScopes(
    parseRequestedScopes(fields.scope, deps.edition),
    JSON.parse(old.scopes) as string[],
    deps.edition,
  )
  const wasThere = await db.writes.run(transaction => revokeRefreshToken(transaction, tokenHash))
  if (!wasThere) throw createInvalidRefreshTokenError(REFRESH_TOKEN_REVOKED)
  return issuePair(clientId, old.user_id, scopes, deps)
}

function requireUsableRefreshToken(
  token: RefreshTokenRow | undefined,
  clientId: string,
  now: Date,
): RefreshTokenRow {
  if (!token) throw createInvalidRefreshTokenError('Cannot decrypt the refresh token')
  if (token.client_id !== clientId) throw createInvalidRefreshTokenError('Token is not linked to client')
  if (token.expires_at_ms < now.getTime()) throw createInvalidRefreshTokenError(REFRESH_TOKEN_ENDED)
  if (token.revoked === 1) throw createInvalidRefreshTokenError(REFRESH_TOKEN_REVOKED)
  return token
}

async function issuePair(
  clientId: string,
  userId: string,
  scopes: string[],
  {db, accessTokens, now}: GrantDeps,
): Promise<TokenResponse> {
  const refreshToken = generateRefreshToken()
  const nowMs = now().getTime()
  const row: RefreshTokenRow = {
    token_hash: hashOfSecret(refreshToken),
    user_id: userId,
    client_id: clientId,
    scopes: JSON.stringify(scopes),
    expires_at_ms: nowMs + REFRESH_TOKEN_LIFE_MS,
    revoked: 0,
  }
  await db.writes.run(transaction => addRefreshToken(transaction, row, nowMs))
  return {
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_LIFE_SECONDS,
    access_token: await accessTokens.issue(clientId, userId, scopes),
    refresh_token: refreshToken,
  }
}

/**
 * The scopes that a request asks for: a text with spaces, a list, or the values of an object.
 *
 * @throws ShopError 400 for one that the shop does not know
 */
function parseRequestedScopes(scope: unknown, {hasNewGrants}: ShopEdition): string[] | undefined {
  if (scope === undefined || scope === null) return undefined
  if (hasNewGrants && typeof scope === 'object') throw createInvalidParameterError('scope')
  if (hasNewGrants && typeof scope === 'number') throw createInvalidScopeError(String(scope))
  const wanted = typeof scope === 'string' ? scope.split(' ').filter(part => part !== '') : scope
  if (typeof wanted !== 'object') throw createInvalidParameterError('scope')
  const scopes = Object.values(wanted)
  for (const one of scopes) if (!SCOPES.includes(one)) throw createInvalidScopeError(String(one))
  return scopes as string[]
}

/** The scopes of a user's token: the requested ones, in that order, then the missing ones. @see protocol.md §2.3 */
function resolveUserScopes(requested: readonly string[], isAdministrator: boolean): string[] {
  const scopes = new Set(requested.filter(scope => scope !== 'admin' || isAdministrator)).add('write')
  if (isAdministrator) scopes.add('admin')
  return [...scopes]
}

/** The scopes of an integration's token; `user-verified` is silently dropped. */
function resolveClientScopes(requested: readonly string[]): string[] {
  return [...new Set(requested.filter(scope => scope !== 'user-verified')).add('write')]
}

/**
 * The scopes of a renewed token: those of the old one, or fewer.
 *
 * @throws ShopError 400 when more is requested than the old one had
 */
function resolveRenewalScopes(
  requested: readonly string[] | undefined,
  old: readonly string[],
  {hasNewGrants}: ShopEdition,
): string[] {
  const beyond = requested?.find(scope => !old.includes(scope))
  if (beyond !== undefined) throw createInvalidScopeError(beyond)
  // A newer shop accepts `user-verified` only shortly after the password was entered.
  return requested ? [...requested] : old.filter(scope => !hasNewGrants || scope !== 'user-verified')
}
