import {baseUrl} from '../auth/profile/base-url.js'
import type {Context} from '../context.js'
import type {CaptureDeps} from '../gateway/gateway.js'
import type {Certificate} from '../gateway/webhook-listener.js'
import type {Caller} from '../http/http.js'
import {isLoopback} from '../http/listener.js'
import {withCleanRefusals} from '../http/redact-errors.js'
import {identity} from '../http/trusted-certificates.js'
import {webhookPath} from '../webhook/delivery/delivery.js'

/** What a capture needs of the world: everything but what its command says itself. */
export type OpenCapture = Omit<CaptureDeps, 'onReady' | 'onEvent' | 'note' | 'oldToken'> & {
  /** Name of the profile. */
  readonly profile: string
  /** Where calls go on to, for people; `undefined` where they are only kept. */
  readonly forwardsTo: string | undefined
}

/** Instead of a URL: events are only kept. */
const NOWHERE = 'none'

/**
 * Opens the inbox of the chosen shop, and the way to it.
 *
 * @param forwardTo another address of the shop; `none` for no way at all
 * @throws StorectlError `auth.no_webhook_token`, `usage.url`, and as the profile's opening does
 */
export async function openCapture(context: Context, forwardTo: string | undefined): Promise<OpenCapture> {
  const elsewhere = forwardTo === undefined || forwardTo === NOWHERE ? undefined : baseUrl(forwardTo)
  const {target} = await context.inbox()
  const {captures, turns} = await context.records()
  const {profile, unsigned, webhookToken} = await context.connect()
  const path = webhookPath({profile})
  const {clock, interruption} = context.host
  const there = elsewhere ?? profile.url
  // Headers of the profile may be credentials: they are for its own address.
  const shop =
    elsewhere && elsewhere.href !== profile.url.href ? await callerTo(context, elsewhere) : unsigned
  const isKeptOnly = forwardTo === NOWHERE
  return {
    ...{captures, turns, target, path, profile: profile.name, tokenPrefix: profile.tokenPrefix},
    shop: isKeptOnly ? undefined : shop,
    forwardsTo: isKeptOnly ? undefined : `${there.href.replace(/\/$/, '')}${path}`,
    publicPath: `${profile.url.pathname.replace(/\/$/, '')}${path}`,
    token: await webhookToken(),
    timeoutMs: (await context.settings()).value('timeout') ?? 30_000,
    now: () => clock.now(),
    stopping: interruption.stopping,
  }
}

/** What is on this machine is reached without a proxy. */
async function callerTo(context: Context, url: URL): Promise<Caller> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const http = isLoopback(host) ? await context.directHttp() : await context.http()
  return withCleanRefusals(http.to(url), text => context.redaction.clean(text))
}

/**
 * The certificate to show to callers.
 *
 * @throws StorectlError `usage.cert`, `usage.key`
 */
export async function captureCertificate(
  cert: string | undefined,
  key: string | undefined,
): Promise<Certificate | undefined> {
  return cert === undefined ? undefined : identity(cert, key)
}
