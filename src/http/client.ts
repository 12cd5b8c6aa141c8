import {subscribe} from 'node:diagnostics_channel'
import type {buildConnector, Dispatcher} from 'undici'
import {StorectlError} from '../errors.js'
import type {Clock} from '../platform/clock.js'
import {buildLengthHeader, isPieces, readWhole, startTimeLimit, streamBody, toRequestBody} from './bodies.js'
import {createNoAnswerError} from './connection-errors.js'
import {type Exchange, exchange} from './exchange.js'
import {ANSWER_BYTES, type Call, type HttpClient, type HttpResponse} from './http.js'
import {findProxy, type OpenDispatcher, openProxyAgent} from './proxy.js'
import {cleanAnswer, cleanError} from './redact-errors.js'
import type {Identity} from './trusted-certificates.js'

interface HttpOptions {
  /** Milliseconds in which a connection must be established. */
  readonly connectTimeoutMs: number
  /** Milliseconds for a whole call, from sending to the last byte of the response. */
  readonly timeoutMs: number
  /** Connections a base URL may have open at once. */
  readonly connections: number
  /** PEM text of certificate authorities to trust besides the built-in ones. */
  readonly ca?: string | undefined
  /** Client certificate, sent to a shop that asks for one and never to a proxy. */
  readonly identity?: Identity | undefined
  /** Names proxies: `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  readonly userAgent: string
  /** Removes secrets from the text of every error response, redirect and failure. */
  readonly clean?: (text: string) => string
  /** Called after every call, for `--debug`. */
  readonly trace?: ((call: Call, base: URL, end: HttpResponse | Error, ms: number) => void) | undefined
}

/** Connections that all base URLs of a command share; opened at the first call. */
export interface Http {
  to(baseUrl: URL): HttpClient
  close(): Promise<void>
}

export function openHttp(options: HttpOptions): Http {
  const {clean = text => text} = options
  /** By proxy; `undefined` for direct connections. */
  const opened = new Map<string | undefined, Promise<Connections>>()
  const connect = (baseUrl: URL) => {
    const proxy = findProxy(baseUrl, options.env)
    const connections = opened.get(proxy) ?? openConnections(options, proxy)
    opened.set(proxy, connections)
    return connections
  }
  return {
    to: baseUrl => ({
      baseUrl,
      call: async call => {
        const note = startTrace(options, baseUrl, call)
        try {
          const answer = await send(await connect(baseUrl), options, baseUrl, call)
          note?.(answer)
          return answer.status < 300 ? answer : cleanAnswer(answer, clean)
        } catch (error) {
          note?.(error as Error)
          throw cleanError(error, clean)
        }
      },
    }),
    close: async () => {
      for (const each of opened.values()) await (await each.catch(() => undefined))?.destroy()
    },
  }
}

/** Connections and undici's request function, which is loaded once: the bundler copies it at each `import()`. */
interface Connections extends Pick<OpenDispatcher, 'destroy'> {
  readonly dispatcher: Dispatcher
  readonly request: (options: Dispatcher.RequestOptions) => Promise<Dispatcher.ResponseData>
  readonly parseHeaders: Exchange['parseHeaders']
}

async function openConnections(options: HttpOptions, proxy: string | undefined): Promise<Connections> {
  const {dispatcher, destroy} = await openDispatcher(options, proxy)
  const {default: request} = await import('undici/lib/api/api-request.js')
  const {parseHeaders} = await import('undici/lib/core/util.js')
  return {dispatcher, destroy, parseHeaders, request: given => request.call(dispatcher, given)}
}

/** @returns a function to call at the end of the call; `undefined` without a trace */
function startTrace({trace, clock}: HttpOptions, baseUrl: URL, call: Call) {
  if (!trace) return undefined
  const begun = clock.now().getTime()
  return (end: HttpResponse | Error) => trace(call, baseUrl, end, clock.now().getTime() - begun)
}

/**
 * With `NODE_DEBUG` set for it, undici prints every URL, tokens included, unless its diagnostics channels have a
 * subscriber.
 */
function keepUndiciSilent(): void {
  subscribe('undici:client:connectError', () => undefined)
  subscribe('undici:request:error', () => undefined)
}

/**
 * Longest time that an idle connection is reused, milliseconds: a server that closes it at that moment leaves open
 * whether it received the call.
 */
const MOST_IDLE_MS = 900

async function openDispatcher(options: HttpOptions, proxy: string | undefined): Promise<OpenDispatcher> {
  keepUndiciSilent()
  const {connectTimeoutMs, timeoutMs, connections, ca, identity} = options
  const settings = {
    connections,
    pipelining: 1,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    ...{keepAliveTimeout: MOST_IDLE_MS, keepAliveMaxTimeout: MOST_IDLE_MS},
    connect: {timeout: connectTimeoutMs, ...(ca ? {ca: await listTrusted(ca)} : {}), ...identity},
  }
  if (proxy !== undefined) return openProxyAgent(proxy, settings, connectTimeoutMs)
  const {default: Agent} = await import('undici/lib/dispatcher/agent.js')
  const {default: connector} = await import('undici/lib/core/connect.js')
  const dispatcher = new Agent({...settings, connect: withTlsAlerts(connector(settings.connect))})
  return {dispatcher, destroy: () => dispatcher.destroy()}
}

/** A list of our own replaces Node's built-in one, so we pass both. */
async function listTrusted(ca: string): Promise<string[]> {
  const {rootCertificates} = await import('node:tls')
  return [...rootCertificates, ca]
}

function send(
  connections: Connections,
  options: HttpOptions,
  baseUrl: URL,
  call: Call,
): Promise<HttpResponse> {
  call.signal?.throwIfAborted()
  const isWhole = !call.receive && !isPieces(call.body)
  return isWhole
    ? callWhole(connections, options, baseUrl, call)
    : callStreamed(connections, options, baseUrl, call)
}

/** The usual call: the body is sent at once, and the response kept in memory. */
async function callWhole(
  {dispatcher, parseHeaders}: Connections,
  options: HttpOptions,
  baseUrl: URL,
  call: Call,
): Promise<HttpResponse> {
  const {timeoutMs} = options
  let hasExpired = false
  try {
    const given = {
      options: requestOf(options, baseUrl, call),
      baseUrl,
      timeoutMs,
      mostBytes: ANSWER_BYTES[call.answer ?? 'usual'],
      signal: call.signal,
      parseHeaders,
    }
    return await exchange(dispatcher, given, () => {
      hasExpired = true
    })
  } catch (error) {
    return throwConnectionError(error, {options, baseUrl, call, hasExpired})
  }
}

function requestOf(options: HttpOptions, baseUrl: URL, call: Call) {
  return {
    origin: baseUrl.origin,
    path: `${baseUrl.pathname.replace(/\/$/, '')}${call.path}`,
    method: call.method as Dispatcher.HttpMethod,
    headers: {'user-agent': options.userAgent, ...call.headers, ...buildLengthHeader(call.body)},
    body: (call.body ?? null) as Dispatcher.RequestOptions['body'] & {},
  }
}

async function callStreamed(
  {request}: Connections,
  options: HttpOptions,
  baseUrl: URL,
  call: Call,
): Promise<HttpResponse> {
  const {receive} = call
  const limit = startTimeLimit(options.timeoutMs)
  const stop = () => limit.end(call.signal?.reason)
  const fail = (error: unknown) =>
    throwConnectionError(error, {options, baseUrl, call, hasExpired: limit.hasExpired()})
  call.signal?.addEventListener('abort', stop, {once: true})
  try {
    const {
      statusCode: status,
      headers,
      body,
    } = await rejectOnAbort(
      limit.signal,
      request({
        ...requestOf(options, baseUrl, call),
        body: toRequestBody(call.body, limit) as Dispatcher.RequestOptions['body'] & {},
        signal: limit.signal,
      }),
    ).catch(fail)
    if (!receive || status >= 300) {
      const mostBytes = ANSWER_BYTES[call.answer ?? 'usual']
      return {status, headers, body: await readWhole(body, headers, baseUrl, mostBytes).catch(fail)}
    }
    const takenBytes = await streamBody({status, headers, body}, receive, limit, baseUrl)
    return {status, headers, body: Buffer.alloc(0), takenBytes}
  } finally {
    limit.pause()
    call.signal?.removeEventListener('abort', stop)
  }
}

/** undici checks the signal only once it is connected; after an abort it sends nothing. */
function rejectOnAbort<T>(signal: AbortSignal, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason)
    signal.addEventListener('abort', end, {once: true})
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', end))
  })
}

interface Failing {
  readonly options: HttpOptions
  readonly baseUrl: URL
  readonly call: Call
  /** Whether the time limit was reached. */
  readonly hasExpired: boolean
}

function throwConnectionError(error: unknown, {options, baseUrl, call, hasExpired}: Failing): never {
  call.signal?.throwIfAborted()
  if (error instanceof TypeError || error instanceof StorectlError) throw error
  throw createNoAnswerError(error as NodeJS.ErrnoException, {
    baseUrl,
    timeoutMs: hasExpired ? options.timeoutMs : undefined,
    isProxied: findProxy(baseUrl, options.env) !== undefined,
    showsCertificate: options.identity !== undefined,
  })
}

/**
 * Connects, and reports TLS alerts that arrive after the handshake: with TLS 1.3 a server checks our certificate only
 * after our side of the handshake, and undici would see no more than a closed connection.
 *
 * @see RFC 8446 §4.4.2.4, §6.2
 */
function withTlsAlerts(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...given) => {
      const [, socket] = given
      socket?.on('error', (error: NodeJS.ErrnoException) => {
        if (/^ERR_SSL_.*ALERT/.test(error.code ?? '')) socket.destroy(error)
      })
      callback(...given)
    })
}
