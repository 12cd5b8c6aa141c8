import type {Settings} from '../../config/settings.js'
import {type Http, openHttp} from '../../http/client.js'
import {traceOf} from '../../http/request-trace.js'
import {readAuthorities, readIdentity} from '../../http/trusted-certificates.js'
import type {Env} from '../../platform/processes.js'
import type {Host} from '../host.js'

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
