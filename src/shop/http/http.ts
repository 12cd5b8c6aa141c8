import type {IncomingMessage} from 'node:http'
import type {Socket} from 'node:net'
import type {Duplex} from 'node:stream'
import type {FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest} from 'fastify'
import fastify from 'fastify'
import {StorectlError} from '../../errors.js'
import {discardBody} from '../../http/listener.js'
import {type Principal, requirePrivilege} from '../oauth/caller.js'
import {escapePlain} from '../runtime/json-escape.js'
import {DEFAULT_LIMITS, LONGEST_PARAMETER, type ServerLimits} from '../runtime/limits.js'
import {createHttpError, ShopError} from '../runtime/shop-error.js'
import {type BodyRequest, readBodies} from './body-reading.js'
import {SpelledResponse, sendAnswer, sendError} from './replies.js'
import type {RequestContext, RouteResponse, ShopRequest, ShopRoute} from './route.js'
import {createRouteTable, type RouteMatch} from './route-table.js'
import {
  applyMethodOverride,
  convertToOriginForm,
  createNotAllowedError,
  createNotFoundError,
  describeRefused,
  describeRequest,
  extractPath,
  requireAccepted,
} from './shop-request.js'

/**
 * Stands between the decoded request and the route, to rehearse faults: it may wait, answer by itself, or break the
 * connection before or after `handle` has done its work.
 */
export type Interceptor = (
  request: Pick<ShopRequest, 'method' | 'path'>,
  handle: () => Promise<RouteResponse>,
  connection: {reset(): void},
) => Promise<RouteResponse>

interface AppDeps {
  routes: readonly ShopRoute[]
  /** @throws ShopError 401 @see protocol.md §2.6 */
  authenticate(authorization: string | undefined): Promise<Principal>
  /** @throws ShopError 412, 400, 500 @see protocol.md §3.2 */
  resolveContext(headers: FastifyRequest['headers']): Promise<RequestContext> | RequestContext
  /** @throws ShopError 417 @see protocol.md §3.2, `sw-expect-packages` */
  checkExpectations?(headers: FastifyRequest['headers']): void
  /** A refusal as this edition of the shop words it. */
  adaptRefusal?(refusal: ShopError): ShopError
  /** Those that are absent are the usual ones; a route may set its own for bodies. */
  limits?: Partial<ServerLimits>
  /** Whether the type of a JSON body must be written in small letters. */
  readsTypesExactly?: boolean
  logger?: FastifyBaseLogger
  intercept?: Interceptor
}

/**
 * The shop's HTTP interface, not yet listening. Checks come in the shop's order: preflight, body, route, method,
 * token, context, privileges, packages, and then the route's own.
 *
 * @see protocol.md §1.1
 */
export function buildApp(deps: AppDeps): FastifyInstance {
  const limits = {...DEFAULT_LIMITS, ...deps.limits}
  const app = fastify({
    // It would make a logger of its own for each request, and all of them would say nothing.
    logger: false,
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionTimeout: limits.stalledMs,
    http: {
      // Slow senders are cut off, so that open connections cannot be collected.
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: limits.slowCheckMs,
      requireHostHeader: false,
      ServerResponse: SpelledResponse,
    },
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: {maxParamLength: LONGEST_PARAMETER, caseSensitive: true},
    frameworkErrors: (error, request, reply) =>
      void sendError(request as FastifyRequest, reply as FastifyReply, convertToShopError(error)),
    clientErrorHandler: answerRawConnectionErrors,
    rewriteUrl: request => {
      applyMethodOverride(request)
      return convertToOriginForm(request)
    },
  }) as unknown as FastifyInstance
  // What a caller expects changes nothing: Node alone would refuse it without an envelope.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.server.on('connect', refuseTunnel)
  app.server.maxConnections = limits.connections
  if (deps.logger) logRequests(app, deps.logger)
  readBodies(app, deps.readsTypesExactly)
  app.setErrorHandler(async (error, request, reply) => {
    const refusal = convertToShopError(error, request)
    const failure = deps.adaptRefusal?.(refusal) ?? refusal
    if (failure.status >= 500 && !(error instanceof ShopError)) deps.logger?.error({err: error}, 'failed')
    if (isTooLarge(error)) await discardBody(request.raw)
    return sendError(request, reply, await reportFailureToRoute(request as BodyRequest, failure))
  })
  app.setNotFoundHandler((request: FastifyRequest) => {
    throw createNotFoundError(request)
  })
  addRoutes(app, deps, limits.bodyBytes)
  return app
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The framework sees one route, and those that take smaller bodies than the server. */
function addRoutes(app: FastifyInstance, deps: AppDeps, bodyBytes: number): void {
  const findRoutes = createRouteTable(deps.routes)
  app.decorateRequest('shopRoute')
  app.decorateRequest('pathRoutes')
  app.addHook('onRequest', (plainRequest, _reply, done) => {
    const request = plainRequest as RoutedRequest
    const found = findRoutes(/^[^?#]*/.exec(request.url)?.[0] ?? '')
    if (found) {
      request.params = found.params
      request.pathRoutes = found.routes
      request.shopRoute = found.routes.get(request.method)
    }
    done()
  })
  const handler = async (plainRequest: FastifyRequest, reply: FastifyReply) => {
    const request = plainRequest as RoutedRequest
    const answer = await answerRequest(request, reply, requireRoute(request), deps)
    if (reply.sent) return reply
    return sendAnswer(request, reply, answer)
  }
  app.route({method: METHODS, url: '/*', handler})
  for (const {method, path, bodyLimitBytes} of deps.routes)
    if (bodyLimitBytes !== undefined && bodyLimitBytes < bodyBytes)
      app.route({method, url: path, bodyLimit: bodyLimitBytes, handler})
}

/** @throws ShopError 404, 405: the methods that the path has stand in the text alone */
function requireRoute(request: RoutedRequest): ShopRoute {
  const {pathRoutes, shopRoute} = request
  if (!pathRoutes) throw createNotFoundError(request)
  const routes = [...pathRoutes.values()]
  requireAccepted(shopRoute ?? routes.find(({accepts}) => accepts), request)
  if (!shopRoute) throw createNotAllowedError(request, [...pathRoutes.keys()])
  return shopRoute
}

async function answerRequest(
  request: BodyRequest,
  reply: FastifyReply,
  route: ShopRoute,
  deps: AppDeps,
): Promise<RouteResponse> {
  const handle = async () => {
    const caller = route.auth === 'none' ? undefined : await deps.authenticate(request.headers.authorization)
    const context = await deps.resolveContext(request.headers)
    for (const privilege of route.privileges ?? []) requirePrivilege(caller as Principal, privilege)
    deps.checkExpectations?.(request.headers)
    return route.handle(describeRequest(request, caller, context))
  }
  if (!deps.intercept) return handle()
  const connection = {
    reset: () => {
      reply.hijack()
      request.raw.socket.resetAndDestroy()
    },
  }
  return deps.intercept({method: request.method, path: extractPath(request.url)}, handle, connection)
}

/** Tells the route of the refusal; where that fails, the failure is what the caller hears of. */
async function reportFailureToRoute(request: BodyRequest, failure: ShopError): Promise<ShopError> {
  const {shopRoute} = request as RoutedRequest
  if (!shopRoute?.onRefused) return failure
  try {
    await shopRoute.onRefused(describeRefused(request), failure)
    return failure
  } catch (error) {
    return convertToShopError(error)
  }
}

/**
 * Logs a line for each answer: method, path without its query (a token stands there), status, time. What stands in a
 * path and looks like a secret is left out: somebody may have put one there by mistake.
 */
function logRequests(app: FastifyInstance, logger: FastifyBaseLogger): void {
  if (SAYS_NOTHING_OF_ANSWERS.has(logger.level)) return
  app.addHook('onResponse', (request, reply, done) => {
    const ms = Math.round(reply.elapsedTime * 10) / 10
    const line = {
      method: request.method,
      path: maskPath(extractPath(request.url)),
      status: reply.statusCode,
      ms,
    }
    logger.info(line, 'answered')
    done()
  })
}

/** A hook costs every answer, also where the line goes nowhere. */
const SAYS_NOTHING_OF_ANSWERS: ReadonlySet<string> = new Set(['warn', 'error', 'fatal', 'silent'])

/** Longer than any path of a shop. */
const LONGEST_SHOWN = 500

/** Ids and words stay; long runs of mixed characters are what secrets and tokens are made of. */
function maskPath(path: string): string {
  return path
    .replace(/[\w.~%+=-]{20,}/g, part => (/^(?:[0-9a-f]{32}|[a-z_-]+)$/.test(part) ? part : '…'))
    .slice(0, LONGEST_SHOWN)
}

/** A request of the framework's, and what the shop has for it: absent where the path or the method is unknown. */
interface RoutedRequest extends BodyRequest {
  pathRoutes: RouteMatch['routes'] | undefined
  shopRoute: ShopRoute | undefined
}

/** Anything thrown, as an answer: our refusals as they are, the framework's by status, the rest as a 500. */
function convertToShopError(error: unknown, request?: FastifyRequest): ShopError {
  if (error instanceof ShopError) return error
  const {statusCode, code, message} = error as FastifyError
  if (isTooLarge(error)) {
    const shopRoute = (request as RoutedRequest | undefined)?.shopRoute
    return shopRoute?.describeTooLarge?.() ?? createHttpError(413, 'The request body is too large.')
  }
  if (error instanceof StorectlError && error.code === 'usage.query_too_large')
    return createHttpError(400, error.message)
  if (error instanceof StorectlError && error.code === 'usage.nul_in_text')
    return createHttpError(
      400,
      'A text holds the character U+0000, which the database of this shop does not keep.',
    )
  if (code === 'FST_ERR_BAD_URL') return createHttpError(400, 'The path is not valid.')
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500)
    return createHttpError(statusCode, message)
  return createHttpError(500, message ?? String(error))
}

/** Whether the framework has stopped reading a body for its size. */
function isTooLarge(error: unknown): boolean {
  return (error as FastifyError).code === 'FST_ERR_CTP_BODY_TOO_LARGE'
}

const STATUS_BY_CODE: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Answers what is not even HTTP, or comes too slowly, with the envelope, and closes. */
function answerRawConnectionErrors(error: Error & {code?: string}, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy()
  const status = STATUS_BY_CODE[error.code ?? ''] ?? 400
  answerRaw(
    socket,
    createHttpError(
      status,
      status === 408 ? 'The request took too long to come.' : 'The request is not valid HTTP.',
    ),
  )
}

/** Answers somebody who takes the shop for a proxy: Node would hang up without a word. */
function refuseTunnel({url = ''}: IncomingMessage, socket: Duplex): void {
  socket.on('error', () => socket.destroy())
  answerRaw(socket, createHttpError(405, `No route found for "CONNECT ${url}": Method Not Allowed (Allow: )`))
}

/** How long somebody who was refused may stay; Node does not watch the connection any more. */
const LINGERING_MS = 1000

/** Writes a refusal past the framework, and closes, also where the other side does not. */
function answerRaw(socket: Duplex, {status, entries}: ShopError): void {
  const hangUp = setTimeout(() => socket.destroy(), LINGERING_MS)
  socket.once('close', () => clearTimeout(hangUp))
  const body = escapePlain(JSON.stringify({errors: entries}))
  socket.end(
    `HTTP/1.1 ${status} ${entries[0]?.title}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
