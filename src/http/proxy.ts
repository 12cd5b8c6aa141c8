import {BlockList, isIP} from 'node:net'
import type {buildConnector, Dispatcher, Pool, ProxyAgent} from 'undici'
import {createUsageError} from '../errors.js'
import {findUrl} from '../language/find-url.js'
import type {Identity} from './trusted-certificates.js'

type Env = Readonly<Record<string, string | undefined>>

/**
 * The proxy that calls to a URL go through, with its credentials; `undefined` when they go directly.
 *
 * `HTTPS_PROXY` or `HTTP_PROXY` by the URL's scheme, else `ALL_PROXY`, else `HTTP_PROXY` for https as well. `NO_PROXY`
 * lists hosts with their subdomains, addresses and ranges of them. Names in lower case come first.
 *
 * @throws StorectlError `usage.proxy` for an invalid proxy URL or address range
 */
export function findProxy(url: URL, env: Env): string | undefined {
  const own = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const name = [own, 'ALL_PROXY', 'HTTP_PROXY'].find(each => readVariable(each, env) !== undefined)
  if (name === undefined) return undefined
  return isCalledDirectly(url, readVariable('NO_PROXY', env) ?? '') ? undefined : readProxy(name, env)
}

/** The same without credentials, for messages. */
export function selectProxy(url: URL, env: Env): string | undefined {
  const proxy = findProxy(url, env)
  return proxy === undefined ? undefined : new URL(proxy).origin
}

const DEFAULT_PORTS: Readonly<Record<string, string>> = {'https:': '443', 'http:': '80'}

/** Whether an entry of `NO_PROXY` matches this URL. */
function isCalledDirectly({hostname, port, protocol}: URL, none: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  const ownPort = port || DEFAULT_PORTS[protocol]
  return none
    .toLowerCase()
    .split(/[\s,]+/)
    .some(entry => {
      if (entry === '' || entry === '*') return entry === '*'
      if (entry.includes('/')) return isInRange(host, entry)
      const {name, wantedPort} = splitEntry(entry)
      if (wantedPort !== undefined && wantedPort !== ownPort) return false
      return name === host || (name !== '' && isIP(host) === 0 && host.endsWith(`.${name}`))
    })
}

/** `shop.example`, `.shop.example`, `*.shop.example`, each with a port or without; `[::1]:8080`, `::1`. */
function splitEntry(entry: string): {readonly name: string; readonly wantedPort: string | undefined} {
  if (isIP(entry)) return {name: entry, wantedPort: undefined}
  const [, text = '', wantedPort] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? []
  return {name: text.replace(/^\*?\./, '').replace(/^\[(.*)\]$/, '$1'), wantedPort}
}

/** Ranges match addresses only: host names are not resolved. @see RFC 4632 §3.1 */
function isInRange(host: string, range: string): boolean {
  const [network = '', bits = ''] = range.split('/')
  const family = isIP(network) === 6 ? 'ipv6' : 'ipv4'
  const isValid =
    isIP(network) > 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 'ipv6' ? 128 : 32)
  if (!isValid)
    throw createUsageError('proxy', `"${range}" in NO_PROXY is not an address range such as 10.0.0.0/8.`)
  const list = new BlockList()
  list.addSubnet(network, Number(bits), family)
  return isIP(host) > 0 && list.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4')
}

function readProxy(name: string, env: Env): string {
  const text = readVariable(name, env) ?? ''
  const proxy = text.includes('://') ? text : `http://${text}`
  const protocol = findUrl(proxy) && new URL(proxy).protocol
  if (protocol === 'http:' || protocol === 'https:') return proxy
  const what = protocol?.startsWith('socks')
    ? 'is a SOCKS proxy; only HTTP proxies work'
    : 'is not a proxy URL'
  throw createUsageError('proxy', `${name} ${what}.`, [
    `unset ${name} ${name.toLowerCase()}`,
    'or export HTTPS_PROXY=http://HOST:PORT',
  ])
}

function readVariable(name: string, env: Env): string | undefined {
  return env[name.toLowerCase()] || env[name] || undefined
}

/** A dispatcher, and how to close it at once. */
export interface OpenDispatcher {
  readonly dispatcher: Dispatcher
  destroy(): Promise<void>
}

/** Opens connections that go through a proxy. @param connectTimeoutMs also for the proxy's response to a CONNECT */
export async function openProxyAgent(
  proxy: string,
  settings: Omit<ProxyAgent.Options, 'uri'>,
  connectTimeoutMs: number,
): Promise<OpenDispatcher> {
  const {default: Agent} = await import('undici/lib/dispatcher/proxy-agent.js')
  await giveConnect()
  const tls = settings.connect as ProxyAgent.Options['requestTls']
  const {cert: _cert, key: _key, ...towardsProxy} = (tls ?? {}) as Partial<Identity> & typeof tls
  const {towards, clientFactory} = await createProxyPools(connectTimeoutMs)
  const dispatcher = new Agent({
    ...settings,
    uri: proxy,
    clientFactory,
    ...(tls ? {requestTls: tls, proxyTls: towardsProxy} : {}),
  })
  // The agent's `close` would wait for a CONNECT that an unresponsive proxy never answers.
  const destroy = async () => {
    await Promise.all(towards.map(pool => pool.destroy()))
    await dispatcher.destroy()
  }
  return {dispatcher, destroy}
}

/** Connections to proxies: by default, undici waits five minutes for the response to a CONNECT. */
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

/** undici passes a proxy's IP address to TLS as the server name, which Node 26 refuses: it must be a host name. */
function leaveAddressUnnamed(options: {readonly connect?: Connector}): object {
  const {connect} = options
  if (typeof connect !== 'function') return options
  const open: Connector = (given, done) =>
    connect({...given, servername: isIP(given.servername ?? '') ? '' : (given.servername ?? '')}, done)
  return {...options, connect: open}
}

/**
 * The same error from the shop would mean that something was sent to it. With its own code, undici would retry a closed
 * connection for ever.
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

/** A proxy's client calls `this.connect`, which only undici's entry file adds to dispatchers; we do not load it. */
async function giveConnect(): Promise<void> {
  const {default: connect} = await import('undici/lib/api/api-connect.js')
  const {default: Base} = await import('undici/lib/dispatcher/dispatcher.js')
  Object.assign(Base.prototype, {connect})
}
