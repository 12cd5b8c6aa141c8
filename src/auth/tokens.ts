import type {StorectlError} from '../errors.js'
import type {Caller} from '../http/caller.js'
import type {Clock} from '../platform/clock.js'
import {requestToken, type TokenWish} from './api.js'
import type {Credentials, Kept} from './credentials.js'
import {endsWithin, renewalMarginMs} from './expiry.js'
import {notSignedIn, sessionEnded} from './not-signed-in.js'
import type {Profile} from './profile.js'
import type {AccessToken, SignIn} from './secrets.js'

/** Access tokens for one place. */
export interface Tokens {
  /**
   * A token that outlives a call started now; signs in or renews first where it must.
   *
   * @throws StorectlError `auth.not_signed_in`, `auth.session_ended`, and what `requestToken` throws
   */
  current(): Promise<AccessToken>
  /**
   * Another token than the one that the shop has just refused.
   *
   * @returns `undefined` when there is nothing to get one with
   */
  after(refused: AccessToken): Promise<AccessToken | undefined>
}

interface Deps {
  /** Calls the base URL without a token. */
  readonly caller: Caller
  readonly clock: Clock
}

/**
 * Tokens that live as long as the command: what the environment or the bundled shop gives is never written down.
 */
export function unkeptTokens(signIn: SignIn, deps: Deps): Tokens {
  if (signIn.kind === 'token') return givenToken(signIn.token)
  let refreshToken: string | undefined
  const request = async () => {
    const token = await (refreshToken === undefined
      ? requestToken(signIn, deps)
      : requestToken({kind: 'refresh', refreshToken}, deps).catch(error => {
          if (!hasEnded(error)) throw error
          return requestToken(signIn, deps)
        }))
    refreshToken = token.refreshToken
    return token
  }
  return oneAtATime(deps.clock, request)
}

export interface KeptDeps extends Deps {
  readonly profile: Profile
  readonly credentials: Credentials
  /** Does the work while no other process renews this profile's token. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>
  /** Told when a new token could not be written down; the command goes on with it. */
  readonly onNotKept: (error: StorectlError) => Promise<void>
}

/**
 * Tokens of a stored profile, shared by all processes: of many that find an old one, one renews it and the others wait.
 */
export function keptTokens(deps: KeptDeps): Tokens {
  const {profile, credentials, clock, alone} = deps
  return oneAtATime(clock, async refused => {
    const usable = ({token}: Kept) =>
      token && isFresh(token, clock) && token.value !== refused ? token : undefined
    return (
      usable(await credentials.of(profile)) ??
      alone(async () => {
        const kept = await credentials.of(profile)
        return usable(kept) ?? renew(kept, refused, deps)
      })
    )
  })
}

async function renew(kept: Kept, refused: string | undefined, deps: KeptDeps): Promise<AccessToken> {
  const {profile, clock} = deps
  const wish = renewalOf(kept, profile)
  if (!wish) {
    const {token} = kept
    if (token && token.value !== refused && !endsWithin(token, clock.now(), 0)) return token
    throw token ? sessionEnded(profile, token) : notSignedIn(profile)
  }
  const token = await requestToken(wish, deps).catch(async error => {
    if (wish.kind === 'refresh' && hasEnded(error)) await dropRefreshToken(wish.refreshToken, deps)
    throw error
  })
  await deps.credentials.change(profile, now => ({...now, token})).catch(deps.onNotKept)
  return token
}

function renewalOf({clientSecret, token}: Kept, {clientId}: Profile): TokenWish | undefined {
  if (clientSecret !== undefined && clientId !== undefined) return {kind: 'client', clientId, clientSecret}
  return token?.refreshToken === undefined ? undefined : {kind: 'refresh', refreshToken: token.refreshToken}
}

/** Someone may have signed in again meanwhile: only the token that failed goes. */
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
  return !endsWithin(token, clock.now(), renewalMarginMs(token))
}

/** For a place that nothing is known to sign in with: only calls without a token are possible. */
export function noTokens(profile: Profile): Tokens {
  return {current: () => Promise.reject(notSignedIn(profile)), after: async () => undefined}
}

/** A token from `STORECTL_TOKEN`: nobody knows how it was made, so it cannot be renewed. */
function givenToken(value: string): Tokens {
  const token: AccessToken = {value, expiresAt: undefined, obtainedAt: undefined, grant: 'given', skewMs: 0}
  return {current: async () => token, after: async () => undefined}
}

/** Remembers the token, and lets many calls that want another one wait for the same request. */
function oneAtATime(clock: Clock, obtain: (refused: string | undefined) => Promise<AccessToken>): Tokens {
  let held: AccessToken | undefined
  let pending: Promise<AccessToken> | undefined
  const another = (refused?: string) => {
    pending ??= obtain(refused)
      .then(token => {
        held = token
        return token
      })
      .finally(() => {
        pending = undefined
      })
    return pending
  }
  return {
    current: async () => (held && isFresh(held, clock) ? held : another()),
    after: async refused => (held && held.value !== refused.value ? held : another(refused.value)),
  }
}
