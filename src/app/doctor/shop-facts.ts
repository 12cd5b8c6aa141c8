import {join} from 'node:path'
import {fetchShopVersion} from '../../auth/login/shop-version.js'
import {formatBaseUrl} from '../../auth/profile/base-url.js'
import {type Connection, LOCAL, UNNAMED} from '../../auth/profile/profile.js'
import {probePrivileges} from '../../doctor/privileges.js'
import {explainUnknownHost, memoizeHealth, type ShopFacts, withSignal} from '../../doctor/shop-checks.js'
import type {WebhookFacts} from '../../doctor/webhook-check.js'
import {selectProxy} from '../../http/proxy.js'
import {fetchCertificateEnd, readFileSize, resolveAddresses} from '../../platform/machine-facts.js'
import {findProvider} from '../../providers/providers.js'
import type {Adapters} from '../adapters/adapters.js'
import {findShopVersions} from '../adapters/versions.js'
import type {Host} from '../host.js'

/** A longer handshake is a finding of its own. */
const HANDSHAKE_TIMEOUT_MS = 5000

/**
 * The chosen shop, for the checks of doctor.
 *
 * @returns `undefined` for a bundled shop that was never started: checking it would create it
 */
export async function openShopFacts(host: Host, adapters: Adapters): Promise<ShopFacts | undefined> {
  const {home} = adapters
  const {profile} = await adapters.findChosenProfile()
  const isThere = profile ?? (await readFileSize(join(home.paths.shopFolder, 'shop.db')))
  if (isThere === undefined) return undefined
  return buildShopFacts(host, await adapters.connect(), () => findShopVersions(host, adapters, true))
}

/** A shop as the checks see it. */
export async function buildShopFacts(
  {clock, env, interruption}: Host,
  given: Connection,
  findVersions: ShopFacts['findVersions'],
): Promise<ShopFacts> {
  const signal = interruption.stopping
  const connection = withSignal(given, signal)
  const {profile, signed, patient, unsigned, refusal} = connection
  return {
    name: profile.name,
    isKept: profile.name !== UNNAMED,
    baseUrl: profile.url,
    proxy: profile.name === LOCAL ? undefined : selectProxy(profile.url, env),
    resolveHost: host => resolveAddresses(host).catch(explainUnknownHost),
    readCertificateEnd: url => fetchCertificateEnd(url, HANDSHAKE_TIMEOUT_MS),
    fetchHealth: memoizeHealth(unsigned, () => clock.now()),
    fetchVersion: () => fetchShopVersion(signed, refusal, signal),
    findVersions,
    probePrivileges: () => probePrivileges(patient, profile.provider),
    readWebhookFacts: () => readWebhookFacts(connection),
    now: () => clock.now(),
  }
}

function describeUnregistered(found: string, state: 'ok' | 'warning' = 'ok'): WebhookFacts {
  return {registration: undefined, unregistered: {state, found}}
}

async function readWebhookFacts(connection: Connection): Promise<WebhookFacts> {
  const {profile} = connection
  // The bundled shop would record the call as a delivery, and its token was read from its own file.
  if (profile.name === LOCAL) return describeUnregistered('stored; the bundled shop needs no registration')
  const {registration: registered, token, displayName} = findProvider(profile.provider)
  if (token === null) return describeUnregistered(`${displayName} uses none`)
  if (registered === null) {
    const isKnown = await connection.webhookToken().then(
      () => true,
      () => false,
    )
    return describeUnregistered(
      `${isKnown ? 'stored' : 'not stored'}; the shop registers no webhook at ${displayName}`,
      isKnown ? 'ok' : 'warning',
    )
  }
  const {createRegistrationApi} = await import('../../webhook/registration/registration-client.js')
  const {checkRegistration} = await import('../../webhook/registration/registration.js')
  const registration = await checkRegistration(undefined, {
    api: createRegistrationApi(connection),
    profile: profile.name,
    shopWords:
      profile.name === UNNAMED ? ` --url ${formatBaseUrl(profile.url)}` : ` --profile ${profile.name}`,
    ours: () => connection.webhookToken().catch(() => undefined),
  })
  return {registration}
}
