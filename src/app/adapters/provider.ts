import {hideSecrets} from '../../auth/credentials/stored-credentials.js'
import {type Profile, UNNAMED} from '../../auth/profile/profile.js'
import {createAuthenticatedCaller} from '../../auth/token/authenticated-client.js'
import {
  createNoBundledCredentialsError,
  createNoProviderCredentialsError,
  createProviderTokenSource,
  type ProviderAccess,
  readProviderAccess,
} from '../../auth/token/provider-access.js'
import type {Http} from '../../http/client.js'
import {createProviderError} from '../../http/provider-errors.js'
import {createRetryingClient} from '../../http/retry.js'
import {readTextIfThere} from '../../platform/files/files.js'
import {requireCapability} from '../../providers/capabilities.js'
import {locateProvider, readCredentials} from '../../shop/index.js'
import type {Provider} from '../../webhook/provider/provider.js'
import type {Host} from '../host.js'
import type {Endpoint} from './endpoint.js'
import type {Home} from './home.js'

/** How often a read is retried. */
const READ_RETRIES = 3

export interface OpenProviderDeps {
  readonly home: Home
  openHttp(way?: 'direct'): Promise<Http>
  /** Used for the bundled shop, whose server plays the provider. */
  openEndpoint(): Promise<Endpoint>
}

/**
 * The payment provider's own API, signed in with the chosen profile. For the bundled shop that is the bundled server,
 * whatever the environment names.
 *
 * @param profile `undefined` for the bundled shop
 * @throws StorectlError `auth.no_provider_credentials`, `usage.provider_cannot`, and as `readProviderAccess` does
 */
export async function openProvider(
  host: Host,
  profile: Profile | undefined,
  {home, openHttp, openEndpoint}: OpenProviderDeps,
): Promise<Provider> {
  if (profile) requireCapability(profile.provider, 'api')
  const access = profile
    ? await readChosenAccess(host, home, profile)
    : await readBundledAccess(home, openEndpoint)
  const caller = (await openHttp(profile ? undefined : 'direct')).to(access.url)
  const {clock, interruption, redaction} = host
  const hide = (secret: string) => redaction.hide(secret)
  hide(access.clientSecret)
  const refusal: Provider['refusal'] = (answer, doing) =>
    createProviderError(answer, access.url, doing, clock.now())
  const patience = {retries: READ_RETRIES, clock, random: Math.random, signal: interruption.stopping}
  const signed = createAuthenticatedCaller(
    caller,
    createProviderTokenSource(access, {caller, clock, refusal, hide}),
  )
  return {url: access.url, signed, patient: createRetryingClient(signed, patience), refusal}
}

async function readChosenAccess(
  {env, redaction}: Host,
  home: Home,
  profile: Profile,
): Promise<ProviderAccess> {
  const kept = profile.name === UNNAMED ? {} : await (await home.openStores()).credentials.read(profile)
  hideSecrets(kept, redaction)
  const access = readProviderAccess(env, profile, kept)
  if (!access) throw createNoProviderCredentialsError(profile.name)
  return access
}

async function readBundledAccess(home: Home, openEndpoint: () => Promise<Endpoint>): Promise<ProviderAccess> {
  const {profile} = await openEndpoint()
  const found = readCredentials(home.paths.shopFolder, {readTextIfThere})
  const {providerClientId: clientId, providerClientSecret: clientSecret} = found ?? {}
  if (clientId === undefined || clientSecret === undefined) throw createNoBundledCredentialsError()
  return {url: locateProvider(profile.url.href, profile.provider), clientId, clientSecret}
}
