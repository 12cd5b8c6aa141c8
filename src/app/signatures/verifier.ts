import {join} from 'node:path'
import {rootCertificates} from 'node:tls'
import {type Connection, LOCAL, type Profile} from '../../auth/profile/profile.js'
import {readProviderUrl} from '../../auth/token/provider-access.js'
import {StorectlError} from '../../errors.js'
import type {Http} from '../../http/client.js'
import {readAuthorities} from '../../http/trusted-certificates.js'
import {makePrivateFolder, readTextIfThere, writeWhole} from '../../platform/files/files.js'
import {memoize} from '../../platform/memoize.js'
import {locateProvider, readAuthority} from '../../shop/index.js'
import type {SignatureStore} from '../../webhook/inbox/signature-store.js'
import type {Provider} from '../../webhook/provider/provider.js'
import {askProvider} from '../../webhook/verify/ask-provider.js'
import {locateCertificate} from '../../webhook/verify/certificate-address.js'
import {TrustedRoots} from '../../webhook/verify/certificate-chain.js'
import {type CertificateDeps, Certificates} from '../../webhook/verify/certificates.js'
import {EventVerifier, type VerifierDeps} from '../../webhook/verify/verify-events.js'
import {fetchProviderWebhookIds, fetchShopWebhookIds} from '../../webhook/verify/webhook-ids.js'
import {findTarget, type Home} from '../adapters/home.js'
import type {Host} from '../host.js'

export type {EventVerifier} from '../../webhook/verify/verify-events.js'

/**
 * How far a check may go:
 *
 * - `cached`: stored certificates and webhook ids
 * - `fetched`: also certificates from the provider, and webhook ids from shop and provider
 * - `asked`: also the provider's own answer if a check is not possible here
 */
export type VerifierReach = 'cached' | 'fetched' | 'asked'

export interface OpenVerifierDeps {
  readonly home: Home
  /** `undefined` for the bundled shop. */
  readonly profile: Profile | undefined
  readonly signatures: SignatureStore
  openHttp(way?: 'direct'): Promise<Http>
  connect(): Promise<Connection>
  openProvider(): Promise<Provider>
  /** The running bundled server; `undefined` for none. */
  findBundledServer(): Promise<{readonly url: string; readonly provider: string} | undefined>
}

/** Checks signatures of the chosen shop's events. */
export async function openVerifier(
  host: Host,
  deps: OpenVerifierDeps,
  reach: VerifierReach,
): Promise<EventVerifier> {
  const providerUrl = await findProviderUrl(host, deps)
  const openProvider = memoize(() => deps.openProvider())
  const verifierDeps: VerifierDeps = {
    ...{signatures: deps.signatures, providerUrl, clock: host.clock},
    certificates: new Certificates(buildCertificateDeps(host, deps, {providerUrl, reach})),
    fetchWebhookIds: reach === 'cached' ? async () => [] : () => fetchWebhookIds(deps, openProvider),
    askProvider:
      reach === 'asked'
        ? (...question) => ignoreErrors(async () => askProvider((await openProvider()).patient, ...question))
        : undefined,
  }
  return new EventVerifier(verifierDeps)
}

/** No address of a bundled server that is not running: its certificates can be read from the cache alone. */
const NOT_RUNNING = new URL('http://127.0.0.1:1/')

async function findProviderUrl({env}: Host, deps: OpenVerifierDeps): Promise<URL> {
  if (deps.profile) return readProviderUrl(env, deps.profile)
  const running = await deps.findBundledServer()
  return running ? locateProvider(running.url, running.provider) : NOT_RUNNING
}

interface CertificateChoice {
  readonly providerUrl: URL
  readonly reach: VerifierReach
}

function buildCertificateDeps(
  {clock, env}: Host,
  {home, openHttp, profile}: OpenVerifierDeps,
  {providerUrl, reach}: CertificateChoice,
): CertificateDeps {
  const folder = join(home.paths.cache, 'certificates')
  const isFetched = reach !== 'cached' || profile === undefined
  return {
    clock,
    cache: {
      read: name => readTextIfThere(join(folder, name)),
      write: (name, pem) => {
        makePrivateFolder(folder)
        writeWhole(join(folder, name), pem)
      },
    },
    download: isFetched
      ? async address => {
          const url = locateCertificate(address, providerUrl)
          const http = await openHttp(profile ? undefined : 'direct')
          const headers = {accept: '*/*'}
          const path = url.pathname + url.search
          const {status, body} = await http
            .to(new URL(url.origin))
            .call({method: 'GET', path, headers, answer: 'short'})
          if (status !== 200) throw new Error(`answered ${status}`)
          return body.toString('latin1')
        }
      : undefined,
    loadRoots: memoize(async () => {
      const caFile = (await home.openSettings()).resolveValue('ca-file')
      const own = caFile === undefined ? [] : [readAuthorities(caFile, env)]
      const isBundled = (await findTarget(home, profile)) === LOCAL
      const bundled = isBundled ? readAuthority(home.paths.shopFolder, {readTextIfThere}) : undefined
      return new TrustedRoots([...rootCertificates, ...own, ...(bundled === undefined ? [] : [bundled])])
    }),
  }
}

/** The webhook ids from shop and provider; one that does not answer adds none. */
async function fetchWebhookIds(
  {connect}: OpenVerifierDeps,
  openProvider: () => Promise<Provider>,
): Promise<string[]> {
  const lists = await Promise.all([
    ignoreErrors(async () => fetchShopIds(await connect())),
    ignoreErrors(async () => fetchProviderWebhookIds((await openProvider()).patient)),
  ])
  return [...new Set(lists.flatMap(list => list ?? []))]
}

function fetchShopIds({patient, profile}: Connection): Promise<string[]> {
  return fetchShopWebhookIds(patient, profile.provider)
}

async function ignoreErrors<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StorectlError) return undefined
    throw error
  }
}
