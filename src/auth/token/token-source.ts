import {createUsageError, StorectlError} from '../../errors.js'
import type {Clock} from '../../platform/clock.js'
import type {CredentialStore, StoredCredentials} from '../credentials/credentials.js'
import type {AccessToken, SignIn} from '../credentials/secrets.js'
import {
  createNotSignedInError,
  createSessionEndedError,
  createTokenEndedError,
} from '../credentials/sign-in-commands.js'
import type {Profile} from '../profile/profile.js'
import {requestToken, type TokenDeps} from './token-client.js'
import type {TokenQuery} from './token-errors.js'
import {computeRenewalMarginMs, endsWithin, readTokenTimes} from './token-times.js'

/** Access tokens for one shop. */
export interface Tokens {
  /**
   * A token that outlives a call started now; signs in or renews first if necessary.
   *
   * @param signal ends the wait for the shop and for other processes; a write, which has begun, passes none
   * @throws StorectlError `auth.not_signed_in`, `auth.session_ended`, and what `requestToken` throws
   */
  obtain(signal?: AbortSignal): Promise<AccessToken>
  /**
   * A token other than the one that the shop has just refused.
   *
   * @returns `undefined` if there are no credentials to get one
   */
  renew(refused: AccessToken, signal?: AbortSignal): Promise<AccessToken | undefined>
}

/** Tokens for the duration of the command: those of the environment or the bundled shop are never stored. */
export function createTemporaryTokens(signIn: SignIn, deps: TokenDeps): Tokens {
  if (signIn.kind === 'token') return createGivenToken(signIn.token, deps)
  let refreshToken: string | undefined
  let hadWorked = false
  const request = async (_refused?: string, signal?: AbortSignal) => {
    const requestAfresh = () => requestToken(signIn, deps, hadWorked, signal)
    const token = await (refreshToken === undefined
      ? requestAfresh()
      : requestToken({kind: 'refresh', refreshToken}, deps).catch(error => {
          if (!hasEnded(error)) throw error
          return requestAfresh()
        }))
    refreshToken = token.refreshToken
    hadWorked = true
    return token
  }
  return shareRequests(deps.clock, request)
}

interface KeptDeps extends TokenDeps {
  readonly profile: Profile
  readonly credentials: CredentialStore
  /** Does the work while no other process renews this profile's token; the signal ends the waiting for them. */
  readonly withExclusiveLock: <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>
  /** Called if a new token could not be stored; the command continues with it. */
  readonly onNotKept: (error: StorectlError) => Promise<void>
}

/**
 * Tokens of a stored profile, shared by all processes: of many that find an old one, one renews it and the others wait.
 */
export function createStoredTokens(deps: KeptDeps): Tokens {
  const {profile, credentials, clock, withExclusiveLock} = deps
  const obtain = async (refused?: string, signal?: AbortSignal) => {
    const findUsableToken = ({token}: StoredCredentials) =>
      token && isFresh(token, clock) && token.value !== refused ? token : undefined
    return (
      findUsableToken(await credentials.read(profile)) ??
      withExclusiveLock(async () => {
        const kept = await credentials.read(profile)
        return findUsableToken(kept) ?? renew(kept, refused, deps, signal)
      }, signal)
    )
  }
  return shareRequests(clock, obtain)
}

/** @returns `undefined` if the stored one was refused, and there are no credentials to get another */
async function renew(
  kept: StoredCredentials,
  refused: string | undefined,
  deps: KeptDeps,
  signal: AbortSignal | undefined,
): Promise<AccessToken | undefined> {
  const {profile} = deps
  const query = buildRenewal(kept, profile)
  if (!query) return createUnrenewableError(kept, refused, deps)
  if (query.kind === 'refresh') await refuseUnkeepable(deps)
  const token = await requestToken(query, deps, true, signal).catch(async error => {
    if (query.kind === 'refresh' && hasEnded(error)) await dropRefreshToken(query.refreshToken, deps)
    throw error
  })
  await deps.credentials
    .change(profile, now => ({...now, token}))
    .catch(error => {
      if (!(error instanceof StorectlError)) throw error
      return deps.onNotKept(error)
    })
  return token
}

/**
 * A refresh token works once: if the next one could not be stored, using this one would lose the session, so it is not
 * used.
 *
 * @see protocol.md §2.4
 */
async function refuseUnkeepable({credentials, profile}: KeptDeps): Promise<void> {
  await credentials.change(profile, now => ({...now}))
}

function createUnrenewableError(
  {token}: StoredCredentials,
  refused: string | undefined,
  {profile, clock}: KeptDeps,
) {
  if (!token) throw createNotSignedInError(profile)
  if (endsWithin(token, clock.now(), 0)) throw createSessionEndedError(profile, token)
  return token.value === refused ? undefined : token
}

function buildRenewal({clientSecret, token}: StoredCredentials, {clientId}: Profile): TokenQuery | undefined {
  if (clientSecret !== undefined && clientId !== undefined) return {kind: 'client', clientId, clientSecret}
  return token?.refreshToken === undefined ? undefined : {kind: 'refresh', refreshToken: token.refreshToken}
}

/** Someone may have signed in again meanwhile: only the failed token is deleted. */
async function dropRefreshToken(failed: string, {credentials, profile}: KeptDeps): Promise<void> {
  await credentials.change(profile, now => {
    if (now.token?.refreshToken !== failed) return undefined
    const {refreshToken: _, ...token} = now.token
    return {...now, token}
  })
}

function hasEnded(error: unknown): boolean {
  return (error as {code?: unknown}).code === 'auth.session_ended'
}

function isFresh(token: AccessToken, clock: Clock): boolean {
  return !endsWithin(token, clock.now(), computeRenewalMarginMs(token))
}

/** For a shop without credentials: only calls without a token are possible. */
export function createNoTokens(profile: Profile): Tokens {
  return {obtain: () => Promise.reject(createNotSignedInError(profile)), renew: async () => undefined}
}

/** A token from `STORECTL_TOKEN`: its origin is unknown, so it cannot be renewed. */
function createGivenToken(value: string, {clock, hints}: TokenDeps): Tokens {
  const {issuedAt, expiresAt} = readTokenTimes(value)
  const token: AccessToken = {value, expiresAt, obtainedAt: issuedAt, grant: 'given', skewMs: 0}
  const renew = async () => {
    if (expiresAt && endsWithin(token, clock.now(), 0)) throw createTokenEndedError(expiresAt, hints.signIn)
    return undefined
  }
  return {obtain: async () => token, renew}
}

/**
 * Remembers the token, and lets many calls that need another one wait for the same request; an aborted request is
 * repeated for callers that were not aborted.
 */
function shareRequests<Found extends AccessToken | undefined>(
  clock: Clock,
  obtain: (refused?: string, signal?: AbortSignal) => Promise<Found>,
): Tokens {
  let held: AccessToken | undefined
  let pending: {readonly found: Promise<Found>; readonly signal: AbortSignal | undefined} | undefined
  const requestOnce = (refused?: string, signal?: AbortSignal): Promise<Found> => {
    const {found, signal: its} = pending ?? begin(refused, signal)
    return found.catch(error => {
      if (!its?.aborted || signal?.aborted || its === signal) throw error
      return requestOnce(refused, signal)
    })
  }
  const begin = (refused?: string, signal?: AbortSignal) => {
    const found = obtain(refused, signal)
      .then(token => {
        held = token ?? held
        return token
      })
      .finally(() => {
        pending = undefined
      })
    pending = {found, signal}
    return pending
  }
  return {
    obtain: async signal =>
      held && isFresh(held, clock) ? held : ((await requestOnce(undefined, signal)) ?? (held as AccessToken)),
    renew: async (refused, signal) =>
      held && held.value !== refused.value ? held : requestOnce(refused.value, signal),
  }
}

/**
 * A token that is valid for at least `minTtlMs`.
 *
 * @param minTtlMs milliseconds, 0 or more
 * @param signal ends the wait
 * @throws StorectlError `usage.min_ttl` when even a new token ends sooner
 */
export async function getToken(
  minTtlMs: number,
  tokens: Tokens,
  clock: Clock,
  signal: AbortSignal,
): Promise<AccessToken> {
  const token = await tokens.obtain(signal)
  if (!endsWithin(token, clock.now(), minTtlMs)) return token
  const renewed = await tokens.renew(token, signal)
  if (renewed && !endsWithin(renewed, clock.now(), minTtlMs)) return renewed
  const {expiresAt} = renewed ?? token
  const leftS = Math.floor(((expiresAt?.getTime() ?? 0) - clock.now().getTime()) / 1000)
  throw createUsageError(
    'min_ttl',
    renewed
      ? `The shop's tokens are too short-lived: a new one expires in ${leftS} s, and ${minTtlMs / 1000} s are needed.`
      : `The token expires in ${leftS} s, and no credentials are stored to renew it.`,
    [renewed ? 'storectl auth token --min-ttl 60s' : `storectl auth token --min-ttl ${leftS}s`],
  )
}
