import type {Context} from '../../context.js'
import {type Http, openHttp} from '../../http/client.js'
import {withCleanRefusals} from '../../http/redact-errors.js'
import {traceOf} from '../../http/request-trace.js'
import {authorities, identity} from '../../http/trusted-certificates.js'
import type {Env} from '../../platform/environment.js'

const CONNECTIONS = 64

/** Connections with the time-outs, authorities and proxies of the settings. */
export async function openConfiguredHttp(context: Context, proxies: Env): Promise<Http> {
  const {clock, userAgent, stderr, env} = context.host
  const settings = await context.settings()
  const caFile = settings.value('ca-file')
  const certFile = settings.value('cert')
  const http = openHttp({
    connectTimeoutMs: settings.value('connect-timeout') ?? 5000,
    timeoutMs: settings.value('timeout') ?? 30_000,
    connections: CONNECTIONS,
    env: proxies,
    clock,
    userAgent,
    ca: caFile === undefined ? undefined : authorities(caFile, env),
    identity: certFile === undefined ? undefined : await identity(certFile, settings.value('key')),
    trace: context.flags.debug
      ? (call, base, end, ms) => void stderr.write(`${traceOf(call, base, end, ms)}\n`).catch(() => undefined)
      : undefined,
  })
  const clean = (text: string) => context.redaction.cleanForeign(text)
  return {...http, to: url => withCleanRefusals(http.to(url), clean)}
}
