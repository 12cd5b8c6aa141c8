import {createUsageError, StorectlError} from '../../errors.js'
import type {StoredCredentials} from '../credentials/credentials.js'
import {isFor} from '../credentials/secrets.js'
import {formatBaseUrl, parseBaseUrl} from '../profile/base-url.js'
import {LOCAL, type Profile, UNNAMED} from '../profile/profile.js'

/** What signs in to the payment provider's own API. */
export interface ProviderAccess {
  readonly url: URL
  readonly clientId: string
  readonly clientSecret: string
}

/** The provider's two places, by the words that stand for them. @see protocol.md §4.7 */
const PROVIDER_URLS: ReadonlyMap<string, string> = new Map([
  ['live', 'https://api-m.paypal.com'],
  ['sandbox', 'https://api-m.sandbox.paypal.com'],
])

type Env = Readonly<Record<string, string | undefined>>

/**
 * The base URL of the provider's own API: `live`, `sandbox`, or a URL.
 *
 * @throws StorectlError `usage.url`
 */
export function parseProviderUrl(text: string): URL {
  return parseBaseUrl(PROVIDER_URLS.get(text.trim().toLowerCase()) ?? text)
}

/** Where the provider's own API of a profile is. */
export function getProviderUrl(profile: Pick<Profile, 'providerUrl'>): URL {
  return profile.providerUrl ?? parseProviderUrl('live')
}

/**
 * What signs in to the provider's own API for this profile. The environment stands above what is kept, each of its
 * three by itself; a secret that is kept goes to the one base URL that it was given for.
 *
 * @returns `undefined` when no secret is known
 * @throws StorectlError `usage.half_credentials` without a client id, `usage.url`
 */
export function readProviderAccess(
  env: Env,
  profile: Profile,
  kept: StoredCredentials,
): ProviderAccess | undefined {
  const given = isFor(env, profile) ? env : {}
  const url = given.STORECTL_PROVIDER_URL
    ? parseProviderUrl(given.STORECTL_PROVIDER_URL)
    : getProviderUrl(profile)
  const {providerSecret} = kept
  const keptSecret = providerSecret?.url === formatBaseUrl(url) ? providerSecret.value : undefined
  const clientSecret = given.STORECTL_PROVIDER_CLIENT_SECRET?.trim() || keptSecret
  const clientId = given.STORECTL_PROVIDER_CLIENT_ID?.trim() || profile.providerClientId
  if (clientSecret === undefined) return undefined
  if (clientId === undefined) throw createMissingIdError()
  return {url, clientId, clientSecret}
}

function createMissingIdError() {
  return createUsageError('half_credentials', "There is a secret for the provider's API, but no client id.", [
    'export STORECTL_PROVIDER_CLIENT_ID=…',
    'storectl profile set NAME --provider-client-id ID',
  ])
}

/** The error for a profile that has no secret for the provider's API. */
export function createNoProviderCredentialsError(name: string): StorectlError {
  const profile = name === UNNAMED ? 'NAME --url URL' : name
  return new StorectlError(
    'auth.no_provider_credentials',
    `Nothing is known to sign in to the provider's own API with, for "${name}".`,
    {
      nextSteps: [
        `storectl profile set ${profile} --provider-client-id ID --provider-client-secret-stdin`,
        'or export STORECTL_PROVIDER_CLIENT_ID=… STORECTL_PROVIDER_CLIENT_SECRET=…',
      ],
    },
  )
}

/** The same for the bundled shop, whose server makes them when it starts. */
export function createNoBundledCredentialsError(): StorectlError {
  return new StorectlError(
    'auth.no_provider_credentials',
    `The shop of the profile "${LOCAL}" has no credentials for the provider yet.`,
    {nextSteps: ['start its server again', 'or storectl server credentials --reset']},
  )
}
