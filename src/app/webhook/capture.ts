import {parseBaseUrl} from '../../auth/profile/base-url.js'
import type {CaptureFlags} from '../../flags/capture-flags.js'
import type {AlertFlags} from '../../flags/flag-kinds.js'
import type {CaptureDeps} from '../../gateway/index.js'
import {measureFreeBytes} from '../../platform/machine-facts.js'
import {buildWebhookPath} from '../../webhook/delivery/delivery.js'
import {KnownTokens} from '../../webhook/event/known-tokens.js'
import {digestToken} from '../../webhook/event/webhook-token.js'
import {createSignatureCheck} from '../../webhook/verify/check-signatures.js'
import type {Adapters} from '../adapters/adapters.js'
import {locatePostgres} from '../adapters/locate-database.js'
import {openAlerts, openCaller} from '../alerts/open-alerts.js'
import type {Host} from '../host.js'

/** Dependencies of a capture, except its output. */
export type OpenCapture = Omit<CaptureDeps, 'onReady' | 'onEvent' | 'note'> & {
  readonly profile: {readonly name: string}
  /** Where calls are forwarded, for people; `undefined` if they are only stored. */
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
  flags: Pick<CaptureFlags, 'forward-to' | 'old-token-file'> & AlertFlags,
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
  // Headers of the profile may be credentials: they are only for its own address.
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
    problems: await openAlerts(host, adapters, flags),
  }
}
