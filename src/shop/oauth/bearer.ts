import {PASSWORD_CHANGED, USER_GONE} from '../../shopware/error-texts.js'
import type {AccessTokenClaims} from '../../wire/schemas/token.js'
import {PerTickCache} from '../runtime/event-loop.js'
import type {RuleDeps} from '../runtime/runtime.js'
import {createHttpError} from '../runtime/shop-error.js'
import {findIntegration, findUser, findUserByAccessKey} from '../store/accounts.js'
import type {ShopConnection, UserRow} from '../store/schema/schema.js'
import type {AccessTokens} from './access-tokens.js'
import type {Principal} from './caller.js'
import {isUserKey} from './clients.js'
import {createAccessDeniedError} from './oauth-errors.js'

export interface BearerDeps extends Pick<RuleDeps, 'edition'> {
  readonly reads: ShopConnection
  readonly accessTokens: Pick<AccessTokens, 'verify'>
}

/** Authenticates requests; concurrent ones with the same token are looked up once. @see authenticate */
export function createAuthentication(
  deps: BearerDeps,
): (authorization: string | undefined) => Promise<Principal> {
  const callers = new PerTickCache<Promise<Principal>>()
  return authorization => callers.get(authorization ?? '', () => authenticate(authorization, deps))
}

/**
 * The caller of a request, by its `Authorization` header. The `Bearer` prefix is case-sensitive and may be absent.
 *
 * @throws ShopError 401, code "9"; 500 for the token of a deleted integration
 * @see protocol.md §2.6, §3.3
 */
async function authenticate(
  authorization: string | undefined,
  {reads, accessTokens, edition}: BearerDeps,
): Promise<Principal> {
  if (authorization === undefined) throw createAccessDeniedError('Missing "Authorization" header')
  const token = authorization.replace(/^\s*Bearer\s/, '').trim()
  if (authorization.trim() === '' || (edition.hasNewGrants && token === ''))
    throw createAccessDeniedError('Missing token in "Authorization" header')
  const claims = await accessTokens.verify(token)
  // Integrations have an empty subject or themselves.
  if (claims.sub !== '' && claims.sub !== claims.aud) return findCallingUser(reads, claims)
  return isUserKey(claims.aud) ? findCallerByUserKey(reads, claims) : findCallingProgram(reads, claims)
}

async function findCallingUser(
  reads: ShopConnection,
  {sub, iat, scopes}: AccessTokenClaims,
): Promise<Principal> {
  const user = await findUser(reads, sub)
  if (!user) throw createAccessDeniedError(USER_GONE)
  if (iat * 1000 < user.password_changed_at_ms - 1) throw createAccessDeniedError(PASSWORD_CHANGED)
  return {...buildUserCaller(user, scopes), isPasswordSignIn: true}
}

/** A key stays valid when the password changes, and ends when it is deleted. */
async function findCallerByUserKey(
  reads: ShopConnection,
  {aud, scopes}: AccessTokenClaims,
): Promise<Principal> {
  const user = await findUserByAccessKey(reads, aud)
  if (!user) throw createAccessDeniedError(USER_GONE)
  return buildUserCaller(user, scopes)
}

function buildUserCaller({id, admin, privileges}: UserRow, scopes: readonly string[]): Principal {
  return {
    kind: 'user',
    id,
    isPasswordSignIn: false,
    isAdministrator: admin === 1,
    privileges: new Set(JSON.parse(privileges) as string[]),
    scopes,
  }
}

const NO_INTEGRATION =
  'Shopware\\Core\\Framework\\Api\\Context\\AdminApiSource::__construct(): Argument #2 ($integrationId) must be of type ?string, false given'

async function findCallingProgram(
  reads: ShopConnection,
  {aud, scopes}: AccessTokenClaims,
): Promise<Principal> {
  const integration = await findIntegration(reads, aud)
  // The shop assumes that the integration of a valid token exists.
  if (!integration) throw createHttpError(500, NO_INTEGRATION)
  return {
    kind: 'integration',
    id: integration.id,
    isPasswordSignIn: false,
    isAdministrator: integration.admin === 1,
    privileges: new Set(JSON.parse(integration.privileges) as string[]),
    scopes,
  }
}
