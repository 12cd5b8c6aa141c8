import type {Dispatcher, EnvHttpProxyAgent} from 'undici'
import {usageError} from '../errors.js'
import type {Identity} from './identity.js'

/** What the environment says about proxies. */
export interface Proxies {
  readonly https: string | undefined
  readonly http: string | undefined
  /** Hosts to be called directly, as `NO_PROXY` lists them. */
  readonly none: string | undefined
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`; their names in lower case come first.
 *
 * @returns `undefined` when no proxy is named
 * @throws StorectlError `usage.proxy` for one that is no URL
 */
export function proxiesOf(env: Env): Proxies | undefined {
  const https = proxy('HTTPS_PROXY', env)
  const http = proxy('HTTP_PROXY', env)
  return https || http ? {https, http, none: value('NO_PROXY', env)} : undefined
}

/**
 * The proxy that calls to a URL go through, without its credentials; `undefined` when they go directly.
 *
 * @throws StorectlError `usage.proxy`
 */
export function proxyTo({protocol, host, hostname}: URL, env: Env): string | undefined {
  const {https, http, none = ''} = proxiesOf(env) ?? {}
  const chosen = protocol === 'https:' ? https : http
  const isDirect = none.split(/[\s,]+/).some(entry => {
    const name = entry.replace(/^\*?\./, '').toLowerCase()
    return (
      entry === '*' || (name !== '' && (name === host || name === hostname || hostname.endsWith(`.${name}`)))
    )
  })
  if (chosen === undefined || isDirect) return undefined
  const {origin} = new URL(chosen)
  return origin
}

function proxy(name: string, env: Env): string | undefined {
  const text = value(name, env)
  if (text === undefined) return undefined
  const url = text.includes('://') ? text : `http://${text}`
  if (URL.canParse(url)) return url
  throw usageError('proxy', `${name} holds no URL of a proxy.`, [`unset ${name}`])
}

function value(name: string, env: Env): string | undefined {
  return env[name.toLowerCase()] || env[name] || undefined
}

/** Opens connections that go through proxies. */
export async function proxyAgent(
  {https, http, none}: Proxies,
  settings: EnvHttpProxyAgent.Options,
): Promise<Dispatcher> {
  const {default: Agent} = await import('undici/lib/dispatcher/env-http-proxy-agent.js')
  await giveConnect()
  const tls = settings.connect as EnvHttpProxyAgent.Options['requestTls']
  const {cert: _cert, key: _key, ...towardsProxy} = (tls ?? {}) as Partial<Identity> & typeof tls
  return new Agent({
    ...settings,
    ...(https ? {httpsProxy: https} : {}),
    ...(http ? {httpProxy: http} : {}),
    noProxy: none ?? '',
    ...(tls ? {requestTls: tls, proxyTls: towardsProxy} : {}),
  })
}

/** A proxy's client calls its own `connect`, which undici's entry file hangs on every dispatcher; we do not load that. */
async function giveConnect(): Promise<void> {
  const {default: connect} = await import('undici/lib/api/api-connect.js')
  const {default: Base} = await import('undici/lib/dispatcher/dispatcher.js')
  Object.assign(Base.prototype, {connect})
}
