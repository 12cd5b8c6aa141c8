import {join} from 'node:path'
import type {Look} from '../../auth/credentials/credentials.js'
import {type AccessToken, readWebhookToken, type SignIn, signInFrom} from '../../auth/credentials/secrets.js'
import {suggestSignIn} from '../../auth/credentials/sign-in-commands.js'
import {hideSecrets, type StoredCredentials} from '../../auth/credentials/stored-credentials.js'
import {type Profile, UNNAMED} from '../../auth/profile/profile.js'
import {parseStoredProfiles} from '../../auth/profile/stored-profiles.js'
import {addCallerHeaders} from '../../auth/token/authenticated-client.js'
import {createSignInCaller} from '../../auth/token/throttle-wait.js'
import {
  createNoTokens,
  createStoredTokens,
  createTemporaryTokens,
  type Tokens,
} from '../../auth/token/token-source.js'
import {StorectlError} from '../../errors.js'
import type {Http} from '../../http/client.js'
import type {HttpClient, SignInFixes} from '../../http/http.js'
import {writeNote} from '../../output/write-note.js'
import {withLock} from '../../platform/files/exclusive-lock.js'
import type {Host} from '../host.js'
import type {Home} from './home.js'

/** How long a process waits for another that is waiting out a throttle before it renews the token. */
const LONGEST_THROTTLE_MS = 600_000

/** A shop with everything needed to call it. */
export interface Endpoint {
  readonly profile: Profile
  /** Calls it with the profile's headers, without a token. */
  readonly unsigned: HttpClient
  readonly tokens: Tokens
  /** Commands that fix a refused sign-in. */
  readonly hints: SignInFixes
  readonly webhookToken: string | undefined
}

export interface EndpointDeps {
  readonly home: Home
  openHttp(way?: 'direct'): Promise<Http>
  /** Whether sign-ins wait while the shop throttles them. */
  readonly waits: boolean
  closeAtEnd(close: () => Promise<void>): void
}

/** Opens a shop other than the bundled one. */
export async function openEndpoint(
  host: Host,
  profile: Profile,
  {home, openHttp, waits}: Omit<EndpointDeps, 'closeAtEnd'>,
): Promise<Endpoint> {
  const {env, redaction} = host
  if (profile.name === UNNAMED) await warnOfProfiles(host, home)
  const signIn = signInFrom(env, profile)
  const kept = profile.name === UNNAMED ? {} : await readKept(host, home, profile, signIn)
  hideSecrets(kept, redaction)
  const unsigned = addCallerHeaders((await openHttp()).to(profile.url), kept.headers ?? {})
  const hints = suggestSignIn(profile, signIn, env)
  const caller = createSignInCaller(unsigned, waits, host)
  const tokens = await openTokens(host, home, profile, {signIn, hints, caller, waits})
  return {
    ...{profile, unsigned, hints},
    tokens: hideTokens(tokens, redaction),
    webhookToken: readWebhookToken(env, profile) ?? kept.webhookToken,
  }
}

/** A protected profile that the environment overrides protects nothing, so a note says so. */
async function warnOfProfiles({stderr}: Host, home: Home): Promise<void> {
  const {content} = await home.readUser()
  try {
    parseStoredProfiles(content)
  } catch (error) {
    await writeNote(stderr, `warning: ${(error as Error).message} No profile is used.`)
  }
}

/** If the environment signs in, an unreadable keyring is only a warning. */
async function readKept(
  {stderr}: Host,
  home: Home,
  profile: Profile,
  signIn: SignIn | undefined,
): Promise<StoredCredentials> {
  const {kept, problem} = await lookAt(home, profile)
  if (!problem) return kept
  if (!signIn) throw problem
  await writeNote(stderr, `warning: ${problem.message} Using the credentials of the environment.`)
  return kept
}

/** An unreadable file is the same kind of problem as an unreadable keyring. */
async function lookAt(home: Home, profile: Profile): Promise<Pick<Look, 'kept' | 'problem'>> {
  try {
    return await (await home.openStores()).credentials.look(profile)
  } catch (error) {
    if (error instanceof StorectlError) return {kept: {}, problem: error}
    throw error
  }
}

interface TokenSource {
  readonly signIn: SignIn | undefined
  readonly hints: SignInFixes
  readonly caller: HttpClient
  readonly waits: boolean
}

async function openTokens(
  {clock, stderr}: Host,
  home: Home,
  profile: Profile,
  {signIn, hints, caller, waits}: TokenSource,
): Promise<Tokens> {
  if (signIn) return createTemporaryTokens(signIn, {caller, clock, hints})
  if (profile.name === UNNAMED) return createNoTokens(profile)
  const {credentials, locks} = await home.openStores()
  const callMs = (await home.openSettings()).resolveValue('timeout') ?? 0
  const waitMs = waits ? LONGEST_THROTTLE_MS : callMs * 2
  const folder = join(locks, `token-${profile.name}`)
  return createStoredTokens({
    ...{caller, clock, hints, profile, credentials},
    withExclusiveLock: (work, signal) => withLockWherePossible(folder, waitMs, work, signal),
    onNotKept: error => writeNote(stderr, `warning: could not store the new token: ${error.message}`),
  })
}

/**
 * If no lock can be written, no token can be stored either, so waiting for another process is useless: a read-only home,
 * as in a container.
 */
async function withLockWherePossible<T>(
  folder: string,
  waitMs: number,
  work: () => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  let hasBegun = false
  try {
    const begin = () => {
      hasBegun = true
      return work()
    }
    return await withLock(folder, waitMs, begin, signal)
  } catch (error) {
    if (hasBegun || !(error instanceof StorectlError) || error.exitName === 'unavailable') throw error
    return work()
  }
}

/** Tokens are removed from everything that goes to stderr as soon as they are known. */
function hideTokens(tokens: Tokens, redaction: Host['redaction']): Tokens {
  const hide = (token: AccessToken) => {
    redaction.hide(token.value)
    redaction.hide(token.refreshToken)
    return token
  }
  return {
    obtain: async signal => hide(await tokens.obtain(signal)),
    renew: async (refused, signal) => {
      const token = await tokens.renew(refused, signal)
      return token && hide(token)
    },
  }
}
