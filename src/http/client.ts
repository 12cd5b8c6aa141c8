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
  /** Milliseconds until a connection must stand. */
  readonly connectTimeoutMs: number
  /** Milliseconds for a whole call, from sending to the last byte of the answer. */
  readonly timeoutMs: number
  /** Connections a base URL may have open at once. */
  readonly connections: number
  /** PEM text of certificate authorities to trust besides the built-in ones. */
  readonly ca?: string | undefined
  /** Shown to a shop that asks for it, and never to a proxy. */
  readonly identity?: Identity | undefined
  /** Names proxies: `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY`. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  readonly userAgent: string
  /** Takes secrets out of the text of every refusal, redirect and failure. */
  readonly clean?: (text: string) => string
  /** Told of every call once it has ended; `--debug` prints from it. */
  readonly trace?: ((call: Call, base: URL, end: HttpResponse | Error, ms: number) => void) | undefined
}

/** Connections shared by every base URL of one command; opened at the first call. */
export interface Http {
  to(baseUrl: URL): HttpClient
  close(): Promise<void>
}

export function openHttp(options: HttpOptions): Http {
  const {clean = text => text} = options
  /** By proxy; those that go directly have none. */
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

/** Connections with what makes a request over them, which is loaded once: the bundler copies it at each `import()`. */
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

/** @returns to be called when the call has ended; `undefined` where nobody wants to know */
function startTrace({trace, clock}: HttpOptions, baseUrl: URL, call: Call) {
  if (!trace) return undefined
  const begun = clock.now().getTime()
  return (end: HttpResponse | Error) => trace(call, baseUrl, end, clock.now().getTime() - begun)
}

/**
 * undici prints every address, tokens in it and all, when `NODE_DEBUG` names it or everything; but not while somebody
 * listens to what it has to say.
 */
function keepUndiciSilent(): void {
  subscribe('undici:client:connectError', () => undefined)
  subscribe('undici:request:error', () => undefined)
}

/**
 * What was idle for longer is not used again, milliseconds: a server that closes it at that moment leaves open whether it
 * took a call.
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

/** A list of own authorities replaces the built-in one, so both are named. */
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

/** Most calls: all of them is sent at once, and all of the answer is kept. */
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

/** undici heeds the signal only once a connection stands; what was not sent by then never is. */
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
  /** Whether the time was over. */
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
 * Connects, and ends a connection with what the other side says of TLS once it stands: with TLS 1.3 a server looks at
 * our certificate only after our handshake has ended, and undici would hear of the closing alone.
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
