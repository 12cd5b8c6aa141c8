import {parseBaseUrl} from '../../auth/profile/base-url.js'
import {createUsageError} from '../../errors.js'
import type {CaptureFlags} from '../../flags/capture-flags.js'
import type {CaptureDeps, CaptureOptions, Certificate} from '../../gateway/index.js'
import type {HttpClient} from '../../http/http.js'
import {type Address, isLoopback, parseListenAddress} from '../../http/listener.js'
import {readIdentity} from '../../http/trusted-certificates.js'
import {parseByteSize} from '../../language/quantities.js'
import {measureFreeBytes} from '../../platform/machine-facts.js'
import {buildWebhookPath} from '../../webhook/delivery/delivery.js'
import {KnownTokens} from '../../webhook/event/known-tokens.js'
import {digestToken} from '../../webhook/event/webhook-token.js'
import {createSignatureCheck} from '../../webhook/verify/check-signatures.js'
import type {Adapters} from '../adapters/adapters.js'
import {locatePostgres} from '../adapters/locate-database.js'
import type {Host} from '../host.js'

/** Dependencies of a capture, but for what it prints. */
export type OpenCapture = Omit<CaptureDeps, 'onReady' | 'onEvent' | 'note'> & {
  readonly profile: {readonly name: string}
  /** Where calls go on to, for people; `undefined` where they are only stored. */
  readonly forwardsTo: string | undefined
}

/** Instead of a URL: events are only stored. */
const NOWHERE = 'none'

/**
 * Dependencies of a capture: the inbox of the chosen shop, and the shop.
 *
 * @param flags `--forward-to`: another address of the shop, `none` for no shop at all
 * @throws StorectlError `auth.no_webhook_token`, `usage.url`, and as connecting and reading a secret do
 */
export async function buildCaptureDeps(
  host: Host,
  adapters: Adapters,
  flags: Pick<CaptureFlags, 'forward-to' | 'old-token-file'>,
): Promise<OpenCapture> {
  const forwardTo = flags['forward-to']
  const oldToken = await adapters.files.readSecret({file: flags['old-token-file'], what: 'old webhook token'})
  const elsewhere = forwardTo === undefined || forwardTo === NOWHERE ? undefined : parseBaseUrl(forwardTo)
  const {target} = await adapters.openInbox()
  const {captures, turns, tokens, noteIfRestored} = await adapters.openRecords()
  await noteIfRestored()
  const {profile, unsigned, webhookToken} = await adapters.connect()
  const token = await webhookToken()
  const clock = await adapters.openRecordsClock()
  const now = () => clock.now()
  if (token !== '') await tokens.noteOwn(target, digestToken(token), now(), false)
  const checkSignatures = createSignatureCheck(() => adapters.openVerifier('fetched'))
  const there = elsewhere ?? profile.url
  // Headers of the profile may be credentials: they are for its own address.
  const isOther = elsewhere !== undefined && elsewhere.href !== profile.url.href
  const shop = isOther ? await openCaller(adapters, elsewhere) : unsigned
  const isOnlyStored = forwardTo === NOWHERE
  return {
    freeBytes: (await locatePostgres(await adapters.home.openSettings(), host))
      ? undefined
      : await measureFreeBytes(adapters.home.paths.state),
    checkSignatures: async events => void (await checkSignatures(target, events)),
    ...{oldToken, captures, turns, target, profile},
    shop: isOnlyStored ? undefined : shop,
    forwardsTo: isOnlyStored ? undefined : `${there.href.replace(/\/$/, '')}${buildWebhookPath({profile})}`,
    basePath: profile.url.pathname.replace(/\/$/, ''),
    token,
    knownTokens: new KnownTokens(await tokens.list(target)),
    onAcceptedToken: digest => tokens.noteAccepted(target, digest, now()),
    timeoutMs: (await adapters.home.openSettings()).resolveValue('timeout') ?? 30_000,
    now,
    stopping: host.interruption.stopping,
  }
}

/** What is on this machine is reached without a proxy. */
async function openCaller(adapters: Adapters, url: URL): Promise<HttpClient> {
  const name = url.hostname.replace(/^\[|\]$/g, '')
  const http = await adapters.openHttp(isLoopback(name) ? 'direct' : undefined)
  return http.to(url)
}

/**
 * The certificate that a capture shows, from PEM files.
 *
 * @throws StorectlError `usage.cert`, `usage.key`
 */
async function openCertificate(
  cert: string | undefined,
  key: string | undefined,
): Promise<Certificate | undefined> {
  return cert === undefined ? undefined : readIdentity(cert, key)
}

/**
 * What flags ask of a capture.
 *
 * @throws StorectlError `usage.remote_host`, `usage.listen`, `usage.size`, `usage.cert`, `usage.key`
 */
export async function parseCaptureOptions(flags: CaptureFlags): Promise<CaptureOptions> {
  const isRemoteAllowed = flags['allow-remote'] ?? false
  const own = flags['metrics-listen']
  return {
    listen: parseAddress(flags.listen, isRemoteAllowed),
    metricsListen: own === undefined ? undefined : parseAddress(own, isRemoteAllowed),
    certificate: await openCertificate(flags['tls-cert'], flags['tls-key']),
    bodyBytes: parseByteSize(flags['body-limit']),
    acceptsWhenDown: flags['accept-when-down'] ?? false,
    skipsDelivered: flags['skip-delivered'] ?? false,
    maxDiskBytes: flags['max-disk'] === undefined ? undefined : parseByteSize(flags['max-disk']),
    graceMs: flags['shutdown-timeout'],
  }
}

function parseAddress(text: string, isRemoteAllowed: boolean): Address {
  const found = parseListenAddress(text)
  if (isRemoteAllowed || isLoopback(found.host)) return found
  throw createUsageError('remote_host', `On ${text}, other machines could reach the capture.`, [
    `storectl webhook capture --listen 127.0.0.1:${found.port}`,
    `storectl webhook capture --listen ${text} --allow-remote`,
  ])
}
