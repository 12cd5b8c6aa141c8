import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import {discarded} from '../../http/discarded.js'
import type {Caller} from '../oauth/caller.js'
import {requirePrivilege} from '../oauth/privileges.js'
import type {RequestContext} from '../rules/request-context.js'
import {DEFAULT_LIMITS, LONGEST_PARAMETER, type ServerLimits} from '../runtime/limits.js'
import {ShopError} from '../runtime/shop-error.js'
import {allowMethods, notFound, requireAccepted} from './allowed-methods.js'
import {type BodyRequest, readBodies} from './body-reading.js'
import {
  answerRawConnectionErrors,
  failureOf,
  isTooLarge,
  refuseTunnel,
  type ShopRouteConfig,
} from './failures.js'
import {sendAnswer, sendError} from './replies.js'
import {logRequests} from './request-log.js'
import type {Answer, ShopRequest, ShopRoute} from './route.js'
import {describeRefused, describeRequest, originForm, pathOf} from './shop-request.js'
import {SpelledResponse} from './spelled-response.js'

/**
 * Stands between the decoded request and the route, to rehearse faults: it may wait, answer by itself, or break the
 * connection before or after `handle` has done its work.
 */
export type Interceptor = (
  request: Pick<ShopRequest, 'method' | 'path'>,
  handle: () => Promise<Answer>,
  connection: {reset(): void},
) => Promise<Answer>

export interface AppDeps {
  routes: readonly ShopRoute[]
  /** @throws ShopError 401 @see protocol.md §2.6 */
  authenticate(authorization: string | undefined): Promise<Caller>
  /** @throws ShopError 412, 400, 500 @see protocol.md §3.2 */
  resolveContext(headers: FastifyRequest['headers']): Promise<RequestContext> | RequestContext
  /** @throws ShopError 417 @see protocol.md §3.2, `sw-expect-packages` */
  checkExpectations?(headers: FastifyRequest['headers']): void
  /** Those that are absent are the usual ones; a route may set its own for bodies. */
  limits?: Partial<ServerLimits>
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
      void sendError(request as FastifyRequest, reply as FastifyReply, failureOf(error)),
    clientErrorHandler: answerRawConnectionErrors,
    rewriteUrl: originForm,
  }) as unknown as FastifyInstance
  // What a caller expects changes nothing: Node alone would refuse it without an envelope.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.server.on('connect', refuseTunnel)
  if (deps.logger) logRequests(app, deps.logger)
  readBodies(app)
  app.setErrorHandler(async (error, request, reply) => {
    const failure = failureOf(error, request)
    if (failure.status >= 500 && !(error instanceof ShopError)) deps.logger?.error({err: error}, 'failed')
    if (isTooLarge(error)) await discarded(request.raw)
    return sendError(request, reply, await witnessed(request as BodyRequest, failure))
  })
  app.setNotFoundHandler((request: FastifyRequest) => {
    throw notFound(request)
  })
  for (const route of deps.routes) addRoute(app, route, deps, limits.bodyBytes)
  allowMethods(app, deps.routes)
  return app
}

function addRoute(app: FastifyInstance, route: ShopRoute, deps: AppDeps, bodyBytes: number): void {
  app.route({
    method: route.method,
    url: route.path,
    bodyLimit: Math.min(route.bodyLimitBytes ?? bodyBytes, bodyBytes),
    config: {shopRoute: route},
    handler: async (request, reply) => {
      requireAccepted(route, request)
      const answer = await answered(request as BodyRequest, reply, route, deps)
      if (reply.sent) return reply
      return sendAnswer(request, reply, answer)
    },
  })
}

async function answered(
  request: BodyRequest,
  reply: FastifyReply,
  route: ShopRoute,
  deps: AppDeps,
): Promise<Answer> {
  const handle = async () => {
    const caller = route.auth === 'none' ? undefined : await deps.authenticate(request.headers.authorization)
    const context = await deps.resolveContext(request.headers)
    for (const privilege of route.privileges ?? []) requirePrivilege(caller as Caller, privilege)
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
  return deps.intercept({method: request.method, path: pathOf(request.url)}, handle, connection)
}

/** Tells the route of the refusal; where that fails, the failure is what the caller hears of. */
async function witnessed(request: BodyRequest, failure: ShopError): Promise<ShopError> {
  const {shopRoute} = (request.routeOptions.config ?? {}) as ShopRouteConfig
  if (!shopRoute?.refused) return failure
  try {
    await shopRoute.refused(describeRefused(request), failure)
    return failure
  } catch (error) {
    return failureOf(error)
  }
}
