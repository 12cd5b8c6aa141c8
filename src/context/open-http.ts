import type {Context} from '../context.js'
import {usageError} from '../errors.js'
import {type Http, openHttp} from '../http/client.js'
import {traceOf} from '../http/trace.js'
import {readTextIfThere} from '../platform/files.js'
import type {Env} from './world.js'

const CONNECTIONS = 64

/** Connections with the time-outs, authorities and proxies of the settings. */
export async function openConfiguredHttp(context: Context, proxies: Env): Promise<Http> {
  const {clock, userAgent, stderr, env} = context.world
  const settings = await context.settings()
  const caFile = settings.value('ca-file')
  return openHttp({
    connectTimeoutMs: settings.value('connect-timeout') ?? 5000,
    timeoutMs: settings.value('timeout') ?? 30_000,
    connections: CONNECTIONS,
    env: proxies,
    clock,
    userAgent,
    ca: caFile === undefined ? undefined : [authority(caFile), ...extraAuthorities(env)].join('\n'),
    trace: context.flags.debug
      ? (call, base, end, ms) => void stderr.write(`${traceOf(call, base, end, ms)}\n`).catch(() => undefined)
      : undefined,
  })
}

/** Node trusts these by itself only as long as nothing else is named. */
function extraAuthorities({NODE_EXTRA_CA_CERTS: file}: Env): string[] {
  const text = file ? readTextIfThere(file) : undefined
  return text === undefined ? [] : [text]
}

function authority(file: string): string {
  const text = readTextIfThere(file)
  if (text?.includes('-----BEGIN CERTIFICATE-----')) return text
  const why = text === undefined ? 'There is no file' : 'No certificate in PEM form is in'
  throw usageError('ca_file', `${why} ${file}, which should hold an authority to trust.`)
}
