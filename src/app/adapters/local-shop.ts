import {readWebhookToken} from '../../auth/credentials/secrets.js'
import {suggestBundledSignIn} from '../../auth/credentials/sign-in-commands.js'
import {LOCAL, PRESUME_LOST_MS, type Profile} from '../../auth/profile/profile.js'
import {createSignInCaller} from '../../auth/token/throttle-wait.js'
import {createTemporaryTokens} from '../../auth/token/token-source.js'
import {
  makePrivateFolder,
  readSizeIfThere,
  readTextIfThere,
  removeIfThere,
  writeWhole,
} from '../../platform/files/files.js'
import {identifyProcess, isRunning} from '../../platform/processes.js'
import {requireCredentials} from '../../server/credentials.js'
import {embed, findServer, type ServerHost} from '../../shop/index.js'
import type {Host} from '../host.js'
import type {Endpoint, EndpointDeps} from './endpoint.js'

/** A bundled shop that answers. */
interface AnsweringShop {
  readonly url: string
  readonly provider: string
  readonly tokenPrefix: string
}

/**
 * The bundled shop: the running server, or else one that is started inside this command and ends with it. It signs in
 * automatically, with the credentials that its first start has stored.
 *
 * @throws StorectlError `auth.no_local_credentials`, and as opening the shop's database does
 */
export async function openLocalEndpoint(host: Host, deps: EndpointDeps): Promise<Endpoint> {
  const {home, openHttp, waits} = deps
  const {clock, env, redaction} = host
  const folder = home.paths.shopFolder
  const {url, provider, tokenPrefix} = findRunningServer(folder) ?? (await startEmbedded(host, folder, deps))
  const {clientId, clientSecret, password, webhookToken} = requireCredentials(folder, {readTextIfThere})
  for (const secret of [clientSecret, password, webhookToken]) redaction.hide(secret)
  const profile: Profile = {
    name: LOCAL,
    url: new URL(url),
    ...{provider, tokenPrefix, grant: 'client_credentials', clientId, protected: false},
    presumeLostAfterMs: PRESUME_LOST_MS,
  }
  const unsigned = (await openHttp('direct')).to(profile.url)
  const hints = suggestBundledSignIn()
  const caller = createSignInCaller(unsigned, waits, host)
  return {
    ...{profile, hints, unsigned},
    tokens: createTemporaryTokens({kind: 'client', clientId, clientSecret}, {caller, clock, hints}),
    webhookToken: readWebhookToken(env, profile) ?? webhookToken,
  }
}

/** The bundled server that serves a data folder, `undefined` if none does. */
export function findRunningServer(folder: string) {
  return findServer(folder, {files: {readTextIfThere}, isRunning})
}

async function startEmbedded(
  host: Host,
  dataFolder: string,
  {closeAtEnd}: EndpointDeps,
): Promise<AnsweringShop> {
  const running = await embed({dataFolder}, createServerHost(host))
  closeAtEnd(() => running.stop())
  const {provider, tokenPrefix} = running.runtime
  return {url: running.url, provider, tokenPrefix}
}

/** The machine as the bundled server needs it. */
export function createServerHost(host: Host): ServerHost {
  return {
    now: () => host.clock.now(),
    files: {readTextIfThere, writeWhole, makePrivateFolder, removeIfThere},
    process: identifyProcess(),
    isRunning,
  }
}

/** Bytes of the bundled shop's database, including its write-ahead log; 0 if there is none. */
export function readShopSize(file: string): number {
  return readSizeIfThere(file) + readSizeIfThere(`${file}-wal`)
}
