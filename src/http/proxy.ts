import {isIP} from 'node:net'
import type {buildConnector, Dispatcher, EnvHttpProxyAgent, Pool} from 'undici'
import {createUsageError} from '../errors.js'
import {findUrl} from '../language/find-url.js'
import type {Identity} from './trusted-certificates.js'

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
export function readProxies(env: Env): Proxies | undefined {
  const https = readProxy('HTTPS_PROXY', env)
  const http = readProxy('HTTP_PROXY', env)
  return https || http ? {https, http, none: readVariable('NO_PROXY', env)} : undefined
}

/**
 * The proxy that calls to a URL go through, without its credentials; `undefined` when they go directly.
 *
 * @throws StorectlError `usage.proxy`
 */
export function selectProxy({protocol, host, hostname}: URL, env: Env): string | undefined {
  const {https, http, none = ''} = readProxies(env) ?? {}
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

function readProxy(name: string, env: Env): string | undefined {
  const text = readVariable(name, env)
  if (text === undefined) return undefined
  const url = text.includes('://') ? text : `http://${text}`
  if (findUrl(url)) return url
  throw createUsageError('proxy', `${name} is not a proxy URL.`, [`unset ${name}`])
}

function readVariable(name: string, env: Env): string | undefined {
  return env[name.toLowerCase()] || env[name] || undefined
}

/** A dispatcher with the way to be rid of it at once. */
export interface OpenDispatcher {
  readonly dispatcher: Dispatcher
  destroy(): Promise<void>
}

/** Opens connections that go through proxies. @param connectTimeoutMs for the proxy's answer to a CONNECT as well */
export async function openProxyAgent(
  {https, http, none}: Proxies,
  settings: EnvHttpProxyAgent.Options,
  connectTimeoutMs: number,
): Promise<OpenDispatcher> {
  const {default: Agent} = await import('undici/lib/dispatcher/env-http-proxy-agent.js')
  await giveConnect()
  const tls = settings.connect as EnvHttpProxyAgent.Options['requestTls']
  const {cert: _cert, key: _key, ...towardsProxy} = (tls ?? {}) as Partial<Identity> & typeof tls
  const {towards, clientFactory} = await createProxyPools(connectTimeoutMs)
  const dispatcher = new Agent({
    ...settings,
    ...(https ? {httpsProxy: https} : {}),
    ...(http ? {httpProxy: http} : {}),
    noProxy: none ?? '',
    clientFactory,
    ...(tls ? {requestTls: tls, proxyTls: towardsProxy} : {}),
  })
  // The agent's own end waits for a CONNECT that a silent proxy never answers.
  const destroy = async () => {
    await Promise.all(towards.map(pool => pool.destroy()))
    await dispatcher.destroy()
  }
  return {dispatcher, destroy}
}

/** Connections to proxies: left alone, undici waits five minutes for the answer to a CONNECT. */
async function createProxyPools(connectTimeoutMs: number) {
  const {default: Pool} = await import('undici/lib/dispatcher/pool.js')
  const towards: Pool[] = []
  const createPool = (origin: URL, options: object): Dispatcher => {
    const pool = new Pool(origin, {...leaveAddressUnnamed(options), headersTimeout: connectTimeoutMs})
    const ask = (pool as Dispatcher).connect as (given: Dispatcher.ConnectOptions) => Promise<unknown>
    const connect = (given: Dispatcher.ConnectOptions) => ask.call(pool, given).catch(throwUnanswered)
    towards.push(pool)
    return Object.assign(pool, {connect})
  }
  return {towards, clientFactory: createPool}
}

type Connector = buildConnector.connector

/** undici names a proxy at an address to TLS by that address, which Node 26 refuses: a name is for names alone. */
function leaveAddressUnnamed(options: {readonly connect?: Connector}): object {
  const {connect} = options
  if (typeof connect !== 'function') return options
  const open: Connector = (given, done) =>
    connect({...given, servername: isIP(given.servername ?? '') ? '' : (given.servername ?? '')}, done)
  return {...options, connect: open}
}

/**
 * The same error from the shop would come after something was sent to it. A closed connection undici would try again for
 * ever, as long as it goes by its own code.
 */
function throwUnanswered(error: NodeJS.ErrnoException): never {
  const [said, code] = MISSING[error.code ?? ''] ?? []
  throw said === undefined ? error : Object.assign(new Error(said, {cause: error}), {code})
}

/** Code of the error for a proxy that does not answer a CONNECT. */
export const PROXY_SILENT = 'PROXY_SILENT'

/** Code of the error for a proxy that closes the connection on a CONNECT. */
export const PROXY_CLOSED = 'PROXY_CLOSED'

const CLOSED = ['the proxy closed the connection', PROXY_CLOSED] as const
const MISSING: Readonly<Record<string, readonly [string, string]>> = {
  UND_ERR_HEADERS_TIMEOUT: ['the proxy did not answer', PROXY_SILENT],
  UND_ERR_SOCKET: CLOSED,
  ECONNRESET: CLOSED,
}

/** A proxy's client calls its own `connect`, which undici's entry file hangs on every dispatcher; we do not load that. */
async function giveConnect(): Promise<void> {
  const {default: connect} = await import('undici/lib/api/api-connect.js')
  const {default: Base} = await import('undici/lib/dispatcher/dispatcher.js')
  Object.assign(Base.prototype, {connect})
}
