import {createServer, type IncomingHttpHeaders, type Server, type ServerResponse} from 'node:http'
import {StorectlError} from '../../errors.js'
import {discardBody} from '../../http/listener.js'
import {type Principal, requirePrivilege} from '../oauth/caller.js'
import {DEFAULT_LIMITS, type ServerLimits} from '../runtime/limits.js'
import {createHttpError, ShopError} from '../runtime/shop-error.js'
import {announcesBody, BodyTooLargeError, decodeParameters, readBody} from './body-reading.js'
import {refuseMalformed, refuseTunnel} from './connection-refusals.js'
import {buildErrorAnswer, sendAnswer} from './replies.js'
import {logAnswer, logsAnswers, type ServerLog} from './request-log.js'
import type {RequestContext, RouteResponse, ShopRequest, ShopRoute} from './route.js'
import {createRouteTable, type RouteTable} from './route-table.js'
import {createNotAllowedError, createNotFoundError, ReceivedRequest} from './shop-request.js'

/**
 * Runs between the decoded request and the route, to inject faults: it may wait, respond itself, or reset the
 * connection before or after `handle`.
 */
export type Interceptor = (
  request: Pick<ShopRequest, 'method' | 'path'>,
  handle: () => Promise<RouteResponse>,
  connection: {reset(): void},
) => Promise<RouteResponse>

interface AppDeps {
  routes: readonly ShopRoute[]
  /** @throws ShopError 401 @see protocol.md §2.6 */
  authenticate(authorization: string | undefined): Promise<Principal> | Principal
  /** @throws ShopError 412, 400, 500 @see protocol.md §3.2 */
  resolveContext(headers: IncomingHttpHeaders): Promise<RequestContext> | RequestContext
  /** @throws ShopError 417 @see protocol.md §3.2, `sw-expect-packages` */
  checkExpectations?(headers: IncomingHttpHeaders): void
  /** The error in the wording of this edition of the shop. */
  adaptRefusal?(refusal: ShopError): ShopError
  /** Missing limits have their defaults; a route may set its own for bodies. */
  limits?: Partial<ServerLimits>
  /** Whether the content type of a JSON body must be lower case. */
  readsTypesExactly?: boolean
  /** Content-Security-Policy of 2xx responses; absent for the usual one. */
  contentPolicy?: string
  logger?: ServerLog
  intercept?: Interceptor
  /** Finds pages besides the shop's own paths, exempt from faults; `undefined` where there is none. */
  findPage?(request: ReceivedRequest): Promise<RouteResponse> | undefined
}

interface App extends AppDeps {
  readonly findRoutes: RouteTable
  readonly bodyBytes: number
}

/**
 * The shop's HTTP API, not yet listening. Checks are in the shop's order: preflight, body, route, method, token,
 * context, privileges, packages, and then the route's own.
 *
 * @see protocol.md §1.1
 */
export function buildApp(deps: AppDeps): Server {
  const limits = {...DEFAULT_LIMITS, ...deps.limits}
  const app = {...deps, findRoutes: createRouteTable(deps.routes), bodyBytes: limits.bodyBytes}
  const log = deps.logger && logsAnswers(deps.logger) ? deps.logger : undefined
  const server = createServer({
    // Slow senders are disconnected, so that open connections cannot pile up.
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: limits.slowCheckMs,
    keepAliveTimeout: limits.keepAliveMs,
    requireHostHeader: false,
  })
  server.setTimeout(limits.stalledMs)
  // The size limit of the head is enough: of many headers Node 20 silently drops some, later versions refuse all.
  server.maxHeadersCount = 0
  server.maxConnections = limits.connections
  server.on('request', (raw, response) => {
    const request = new ReceivedRequest(raw)
    if (log) logAnswer(log, request, response)
    // During a stop, tells connected clients that no further request is read.
    request.endsConnection = !server.listening
    serve(request, response, app).catch(() => response.destroy())
  })
  // Ignores `Expect`: Node itself would refuse it without the envelope.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('connect', refuseTunnel)
  server.on('clientError', refuseMalformed)
  return server
}

async function serve(request: ReceivedRequest, response: ServerResponse, app: App): Promise<void> {
  try {
    const answer = await findAnswer(request, app)
    if (!request.isCutOff) sendAnswer(request, response, answer)
  } catch (error) {
    const refusal = await refuse(error, request, app)
    if (!request.isCutOff) sendAnswer(request, response, buildErrorAnswer(refusal))
  }
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])

/** A malformed body takes precedence over 404, 405 and 401, for any method and path. @see protocol.md §1.1, §1.2 */
async function findAnswer(request: ReceivedRequest, app: App): Promise<RouteResponse> {
  const {method, raw} = request
  findRoute(request, app.findRoutes)
  if (method === 'OPTIONS') return {}
  if (!METHODS.has(method)) throw createNotFoundError(request)
  if (announcesBody(raw)) {
    request.body = await readBody(
      raw,
      Math.min(app.bodyBytes, request.route?.bodyLimitBytes ?? app.bodyBytes),
    )
    request.parameters = decodeParameters(request.body, request.contentType, app.readsTypesExactly ?? false)
  }
  const page = request.pathRoutes ? undefined : app.findPage?.(request)
  if (page) return page
  return isStorefront(request) ? STOREFRONT_PAGE : answerRequest(request, requireRoute(request), app)
}

/** Whether a path is the storefront's, which has a page for unknown paths. @see protocol.md §1.4 */
function isStorefront({pathRoutes, path}: ReceivedRequest): boolean {
  return !pathRoutes && /^\/\w/.test(path) && !OF_AN_INTERFACE.test(path)
}

const OF_AN_INTERFACE = /^\/(?:api|store-api|provider|viewer|_storectl)(?:\/|%2F|#|$)/i

const STOREFRONT_PAGE: RouteResponse = {
  contentType: 'text/html; charset=UTF-8',
  body: '<!DOCTYPE html>\n<title>No such page</title>\n<p>This shop has no such page. Its API is below <code>/api</code>.</p>\n',
}

/** @throws ShopError 400 for a path that cannot be decoded */
function findRoute(request: ReceivedRequest, findRoutes: RouteTable): void {
  const {path, method} = request
  const fragment = path.indexOf('#')
  const found = findRoutes(fragment < 0 ? path : path.slice(0, fragment))
  if (!found) return
  request.params = found.params
  request.pathRoutes = found.routes
  request.route = found.routes.get(method)
}

/** @throws ShopError 404, 405: only the text lists the methods of the path */
function requireRoute(request: ReceivedRequest): ShopRoute {
  const {pathRoutes, route} = request
  if (!pathRoutes) throw createNotFoundError(request)
  const isThere = ({accepts}: ShopRoute) => accepts?.(request.params) !== false
  if (route && isThere(route)) return route
  const there = [...pathRoutes.values()].filter(isThere)
  if (there.length === 0) throw createNotFoundError(request)
  throw createNotAllowedError(
    request,
    there.map(({method}) => method),
  )
}

function answerRequest(
  request: ReceivedRequest,
  route: ShopRoute,
  app: App,
): Promise<RouteResponse> | RouteResponse {
  if (!app.intercept) return handle(request, route, app)
  const connection = {
    reset: () => {
      request.isCutOff = true
      request.raw.socket.resetAndDestroy()
    },
  }
  return app.intercept(request, () => handle(request, route, app), connection)
}

async function handle(request: ReceivedRequest, route: ShopRoute, app: App): Promise<RouteResponse> {
  const {headers} = request
  if (route.auth !== 'none') request.caller = await app.authenticate(headers.authorization)
  request.context = await app.resolveContext(headers)
  for (const privilege of route.privileges ?? []) requirePrivilege(request.caller as Principal, privilege)
  app.checkExpectations?.(headers)
  const answer = await route.handle(request)
  return app.contentPolicy === undefined ? answer : addPolicy(answer, app.contentPolicy)
}

function addPolicy(answer: RouteResponse, policy: string): RouteResponse {
  if (answer.hasOwnHeaders || (answer.status ?? 200) >= 300) return answer
  return {...answer, headers: {...answer.headers, 'content-security-policy': policy}}
}

/** Converts any error to the error response, after reporting it to the route. */
async function refuse(error: unknown, request: ReceivedRequest, app: App): Promise<ShopError> {
  const refusal = convertToShopError(error, request)
  const failure = app.adaptRefusal?.(refusal) ?? refusal
  if (failure.status >= 500 && !(error instanceof ShopError)) app.logger?.error({err: error}, 'failed')
  if (error instanceof BodyTooLargeError) {
    request.endsConnection = true
    await discardBody(request.raw)
  }
  return reportFailureToRoute(request, failure)
}

/** Reports the error to the route; if that fails, the caller gets the new error. */
async function reportFailureToRoute(request: ReceivedRequest, failure: ShopError): Promise<ShopError> {
  if (!request.route?.onRefused) return failure
  try {
    await request.route.onRefused(request, failure)
    return failure
  } catch (error) {
    return convertToShopError(error, request)
  }
}

/** Our own errors unchanged, those of the database that a caller can act on, the rest as a 500. */
function convertToShopError(error: unknown, {route}: ReceivedRequest): ShopError {
  if (error instanceof ShopError) return error
  if (error instanceof BodyTooLargeError)
    return route?.describeTooLarge?.() ?? createHttpError(413, 'The request body is too large.')
  if (error instanceof StorectlError && error.code === 'usage.query_too_large')
    return createHttpError(400, error.message)
  if (error instanceof StorectlError && error.code === 'usage.nul_in_text')
    return createHttpError(400, 'A text contains the character U+0000, which this database cannot store.')
  return createHttpError(500, (error as Error).message ?? String(error))
}
