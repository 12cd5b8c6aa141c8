import type {IncomingMessage} from 'node:http'
import type {FastifyRequest} from 'fastify'
import type {Principal} from '../oauth/caller.js'
import {createHttpError, type ShopError} from '../runtime/shop-error.js'
import type {BodyRequest} from './body-reading.js'
import {parseForm} from './form.js'
import type {RefusedRequest, RequestContext, ShopRequest, ShopRoute} from './route.js'

/** The request as routes see it. The query string is taken apart only when a route asks for it. */
export function describeRequest(
  request: BodyRequest,
  caller: Principal | undefined,
  context: RequestContext,
): ShopRequest {
  const queryString = queryStringOf(request.url)
  return {
    method: request.method,
    origin: readOrigin(request),
    path: extractPath(request.url),
    queryString,
    get query() {
      return parseForm(queryString)
    },
    params: request.params as Record<string, string>,
    headers: request.headers,
    rawHeaders: request.raw.rawHeaders,
    body: request.sentBody,
    contentType: request.sentContentType,
    parameters: request.parameters,
    clientAddress: request.ip,
    caller,
    context,
  }
}

/** One that is too large has not been read. */
const NOT_READ = Buffer.alloc(0)

/** What is known of a request before its body is understood and its caller known. */
export function describeRefused(request: BodyRequest): RefusedRequest {
  return {
    path: extractPath(request.url),
    queryString: queryStringOf(request.url),
    params: request.params as Record<string, string>,
    rawHeaders: request.raw.rawHeaders,
    body: request.sentBody ?? NOT_READ,
    contentType: request.sentContentType,
  }
}

function queryStringOf(url: string): string {
  const queryStart = url.indexOf('?')
  return queryStart < 0 ? '' : url.slice(queryStart + 1)
}

/** Scheme and host as the caller addressed us; without a `Host` header, the address that it reached. */
export function readOrigin(request: FastifyRequest): string {
  const {socket} = request.raw
  return `${request.protocol}://${request.headers.host ?? `${socket.localAddress}:${socket.localPort}`}`
}

/**
 * The target of a request as servers of their own get it: proxies' callers send a whole address, whose host then counts.
 *
 * @see RFC 9112 §3.2.2
 */
export function convertToOriginForm({url = '/', headers}: Pick<IncomingMessage, 'url' | 'headers'>): string {
  if (url.charCodeAt(0) === SLASH) return url
  const [, authority, rest = ''] = /^https?:\/\/([^/?#]+)(.*)$/is.exec(url) ?? []
  if (authority === undefined) return url
  headers.host = authority
  return rest.startsWith('/') ? rest : `/${rest}`
}

const SLASH = 47

/** Methods that a header may put in place of POST. */
const OVERRIDING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Takes a request for one of the method that its `X-HTTP-Method-Override` names. @see protocol.md §1.1 */
export function applyMethodOverride(request: Pick<IncomingMessage, 'method' | 'headers'>): void {
  const override = request.headers['x-http-method-override']
  const method = typeof override === 'string' ? override.toUpperCase() : ''
  if (request.method === 'POST' && OVERRIDING.has(method)) request.method = method
}

/** The path of a request target, without query string. */
export function extractPath(url: string): string {
  const queryStart = url.indexOf('?')
  return queryStart < 0 ? url : url.slice(0, queryStart)
}

/** `POST http://127.0.0.1:8000/api/x`: what was asked for, without the query string, which may hold a token. */
export function describeTarget(request: FastifyRequest): string {
  return `${request.method} ${readOrigin(request)}${extractPath(request.url)}`
}

/** The answer to a method that a path does not have. */
export function createNotAllowedError(request: FastifyRequest, allowed: readonly string[]): ShopError {
  return createHttpError(
    405,
    `No route found for "${describeTarget(request)}": Method Not Allowed (Allow: ${allowed.join(', ')})`,
  )
}

/** @throws ShopError 404 where the route does not take such a path */
export function requireAccepted(route: ShopRoute | undefined, request: FastifyRequest): void {
  if (route?.accepts && !route.accepts(request.params as Record<string, string>))
    throw createNotFoundError(request)
}

/** The answer to a path that there is not. @see protocol.md §1.4 */
export function createNotFoundError(request: FastifyRequest): ShopError {
  const {referer} = request.headers
  const origin = referer ? ` (from "${referer}")` : ''
  return createHttpError(404, `No route found for "${describeTarget(request)}"${origin}`)
}
