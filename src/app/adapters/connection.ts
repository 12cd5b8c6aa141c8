import {createNoWebhookTokenError} from '../../auth/credentials/sign-in-commands.js'
import {type Agreement, confirmWrite} from '../../auth/profile/confirm-write.js'
import type {Connection} from '../../auth/profile/profile.js'
import {createAuthenticatedCaller} from '../../auth/token/authenticated-client.js'
import type {Settings} from '../../config/settings.js'
import {StorectlError} from '../../errors.js'
import {type Http, openHttp} from '../../http/client.js'
import {traceOf} from '../../http/request-trace.js'
import {createResponseError} from '../../http/response-errors.js'
import {createRetryingClient, readRetryAfterMs} from '../../http/retry.js'
import {readAuthorities, readIdentity} from '../../http/trusted-certificates.js'
import {writeNote} from '../../output/write-note.js'
import {describeRequestedWait} from '../../platform/backoff.js'
import type {Env} from '../../platform/processes.js'
import type {Prompts} from '../../platform/terminal/prompts.js'
import type {Host} from '../host.js'
import type {Endpoint} from './endpoint.js'

/** How often a read is retried. */
const READ_RETRIES = 3

/** What the person has confirmed on the command line, and how to ask for more. */
export interface Consent extends Pick<Agreement, 'yes' | 'confirm'> {
  readonly prompts: () => Prompts
}

/** Signed calls to an endpoint, and what a command needs besides them. */
export function connect(
  {clock, stderr}: Host,
  {profile, tokens, unsigned, hints, webhookToken}: Endpoint,
  {yes, confirm, prompts}: Consent,
): Connection {
  const signed = createAuthenticatedCaller(unsigned, tokens, clock)
  return {
    profile,
    signed,
    unsigned,
    patient: createRetryingClient(signed, {
      ...{retries: READ_RETRIES, clock, random: Math.random},
      onWait: (waitMs, because) => {
        if (because instanceof StorectlError || readRetryAfterMs(because, clock.now()) === undefined) return
        const said = describeRequestedWait(`${profile.url.host} (${because.status})`, waitMs, clock.now())
        if (said !== undefined) void stderr.write(`${said}\n`).catch(() => undefined)
      },
    }),
    webhookToken: async () => {
      const {findProvider} = await import('../../providers/providers.js')
      if (findProvider(profile.provider).token === null) return ''
      if (webhookToken === undefined) throw createNoWebhookTokenError(profile)
      return webhookToken
    },
    confirmWrite: async change => {
      const note = (text: string) => writeNote(stderr, text)
      return confirmWrite(change, {profile, yes, confirm, prompts: prompts(), note})
    },
    refusal: (answer, doing) =>
      createResponseError(answer, {baseUrl: profile.url, doing, now: clock.now(), fixes: hints}),
  }
}

const CONNECTIONS = 64

export interface HttpOptions {
  /** Variables that name proxies; empty for none. */
  readonly proxies: Env
  /** Whether each call is shown on stderr. */
  readonly isTraced: boolean
}

/** Connections with the time-outs, authorities and proxies of the settings. */
export async function openConfiguredHttp(
  {clock, userAgent, stderr, env, redaction}: Host,
  settings: Settings,
  {proxies, isTraced}: HttpOptions,
): Promise<Http> {
  const caFile = settings.resolveValue('ca-file')
  const certFile = settings.resolveValue('cert')
  return openHttp({
    connectTimeoutMs: settings.resolveValue('connect-timeout') ?? 5000,
    timeoutMs: settings.resolveValue('timeout') ?? 30_000,
    connections: CONNECTIONS,
    env: proxies,
    clock,
    userAgent,
    ca: caFile === undefined ? undefined : readAuthorities(caFile, env),
    identity: certFile === undefined ? undefined : await readIdentity(certFile, settings.resolveValue('key')),
    clean: text => redaction.cleanForeign(text),
    trace: isTraced
      ? (call, base, end, ms) => void stderr.write(`${traceOf(call, base, end, ms)}\n`).catch(() => undefined)
      : undefined,
  })
}
