import {createUsageError, StorectlError} from '../../errors.js'
import type {HttpClient, HttpResponse} from '../../http/http.js'
import type {Clock} from '../../platform/clock.js'
import {findProvider} from '../../providers/providers.js'
import type {StoredCredentials} from '../credentials/credentials.js'
import {type AccessToken, isFor, requireWholePair} from '../credentials/secrets.js'
import {formatBaseUrl, parseBaseUrl} from '../profile/base-url.js'
import {LOCAL, type Profile, UNNAMED} from '../profile/profile.js'
import type {Tokens} from './token-source.js'
import {computeRenewalMarginMs, endsWithin} from './token-times.js'

/** Credentials for the payment provider's own API. */
export interface ProviderAccess {
  readonly url: URL
  readonly clientId: string
  readonly clientSecret: string
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * The base URL of the provider's own API: `live`, `sandbox`, or a URL.
 *
 * @throws StorectlError `usage.url`
 */
export function parseProviderUrl(text: string, provider?: string): URL {
  const word = text.trim().toLowerCase()
  const {api} = findProvider(provider)
  return parseBaseUrl((word === 'live' || word === 'sandbox' ? api?.[word] : undefined) ?? text)
}

/** The address of a profile's provider API. */
export function getProviderUrl(profile: Pick<Profile, 'providerUrl'>): URL {
  return profile.providerUrl ?? parseProviderUrl('live')
}

/**
 * The provider's base URL for this profile: the environment's, else the profile's.
 *
 * @throws StorectlError `usage.url`
 */
export function readProviderUrl(env: Env, profile: Profile): URL {
  const given = isFor(env, profile) ? env.STORECTL_PROVIDER_URL : undefined
  return given ? parseProviderUrl(given) : getProviderUrl(profile)
}

/**
 * The credentials for the provider's own API of this profile. Each of the environment's three values overrides the
 * stored one; a stored secret goes only to the base URL for which it was given.
 *
 * @returns `undefined` if no secret is known
 * @throws StorectlError `usage.half_credentials` without a client id, `usage.url`
 */
export function readProviderAccess(
  env: Env,
  profile: Profile,
  kept: StoredCredentials,
): ProviderAccess | undefined {
  const given = isFor(env, profile) ? env : {}
  requireWholePair(given, 'STORECTL_PROVIDER_CLIENT_ID', 'STORECTL_PROVIDER_CLIENT_SECRET')
  const url = readProviderUrl(env, profile)
  const {providerSecret} = kept
  const keptSecret = providerSecret?.url === formatBaseUrl(url) ? providerSecret.value : undefined
  const clientSecret = given.STORECTL_PROVIDER_CLIENT_SECRET || keptSecret
  const clientId = given.STORECTL_PROVIDER_CLIENT_ID || profile.providerClientId
  if (clientSecret === undefined) return undefined
  if (clientId === undefined) throw createMissingIdError()
  return {url, clientId, clientSecret}
}

function createMissingIdError() {
  return createUsageError('half_credentials', 'The provider API secret has no client id.', [
    'export STORECTL_PROVIDER_CLIENT_ID=…',
    'storectl profile set NAME --provider-client-id ID',
  ])
}

/** The error for a profile without a secret for the provider's API. */
export function createNoProviderCredentialsError(name: string): StorectlError {
  const profile = name === UNNAMED ? 'NAME --url URL' : name
  return new StorectlError('auth.no_provider_credentials', `No provider API credentials for "${name}".`, {
    nextSteps: [
      `storectl profile set ${profile} --provider-client-id ID --provider-client-secret-stdin`,
      'or export STORECTL_PROVIDER_CLIENT_ID=… STORECTL_PROVIDER_CLIENT_SECRET=…',
    ],
  })
}

/** The same for the bundled shop, whose server creates them at its start. */
export function createNoBundledCredentialsError(): StorectlError {
  return new StorectlError(
    'auth.no_provider_credentials',
    `The shop of the profile "${LOCAL}" has no credentials for the provider yet.`,
    {nextSteps: ['start its server again', 'or storectl server credentials --reset']},
  )
}

export interface ProviderTokensDeps {
  /** Calls the provider's base URL without a token. */
  readonly caller: HttpClient
  readonly clock: Clock
  readonly refusal: (answer: HttpResponse, doing: string) => StorectlError
  /** Called with each secret as it becomes known. */
  readonly hide: (secret: string) => void
}

/** Access tokens for the provider's API, for the duration of the command. */
export function createProviderTokenSource(access: ProviderAccess, deps: ProviderTokensDeps): Tokens {
  let held: Promise<AccessToken> | undefined
  const requestAnother = () => {
    held = requestToken(access, deps)
    return held
  }
  return {
    obtain: async () => {
      const token = await held?.catch(() => undefined)
      const isFresh = token && !endsWithin(token, deps.clock.now(), computeRenewalMarginMs(token))
      return isFresh ? token : requestAnother()
    },
    renew: async refused => {
      const token = await held?.catch(() => undefined)
      return token && token.value !== refused.value ? token : requestAnother()
    },
  }
}

/** @see protocol.md §4.7, RFC 6749 §4.4 */
async function requestToken(
  {clientId, clientSecret}: ProviderAccess,
  {caller, clock, refusal, hide}: ProviderTokensDeps,
): Promise<AccessToken> {
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  hide(basic)
  const obtainedAt = clock.now()
  const answer = await caller.call({
    method: 'POST',
    path: '/v1/oauth2/token',
    headers: {
      authorization: `Basic ${basic}`,
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  })
  const granted = answer.status === 200 ? parseGrant(answer) : undefined
  if (!granted) throw refusal(answer, 'the sign-in')
  hide(granted.value)
  const expiresAt = new Date(obtainedAt.getTime() + granted.lifeMs)
  return {value: granted.value, expiresAt, obtainedAt, grant: 'client_credentials', skewMs: 0}
}

function parseGrant({body}: HttpResponse): {value: string; lifeMs: number} | undefined {
  try {
    const {access_token: value, expires_in: seconds} = JSON.parse(body.toString('utf8')) as {
      access_token?: unknown
      expires_in?: unknown
    }
    // A line break in it could smuggle a header in; nothing but visible ASCII is a token.
    if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value)) return undefined
    return Number(seconds) > 0 ? {value, lifeMs: Number(seconds) * 1000} : undefined
  } catch {
    return undefined
  }
}
