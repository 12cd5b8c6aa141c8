import type {FastifyInstance, FastifyRequest} from 'fastify'
import {httpError, type ShopError} from '../runtime/shop-error.js'
import type {ShopRoute} from './route.js'
import {targetOf} from './shop-request.js'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Answers 405 where a path is known and the method is not. The methods it has stand in the text alone. */
export function allowMethods(app: FastifyInstance, routes: readonly ShopRoute[]): void {
  const taken = new Map<string, Set<string>>()
  for (const {path, method} of routes) taken.set(path, (taken.get(path) ?? new Set()).add(method))
  const choosy = new Map(routes.filter(({accepts}) => accepts).map(route => [route.path, route]))
  for (const [url, methods] of taken) {
    const free = METHODS.filter(method => !methods.has(method))
    app.route({
      method: free,
      url,
      handler: (request: FastifyRequest) => {
        requireAccepted(choosy.get(url), request)
        throw httpError(
          405,
          `No route found for "${targetOf(request)}": Method Not Allowed (Allow: ${[...methods].join(', ')})`,
        )
      },
    })
  }
}

/** @throws ShopError 404 where the route does not take such a path */
export function requireAccepted(route: ShopRoute | undefined, request: FastifyRequest): void {
  if (route?.accepts && !route.accepts(request.params as Record<string, string>)) throw notFound(request)
}

/** The answer to a path that there is not. @see protocol.md §1.4 */
export function notFound(request: FastifyRequest): ShopError {
  const {referer} = request.headers
  const origin = referer ? ` (from "${referer}")` : ''
  return httpError(404, `No route found for "${targetOf(request)}"${origin}`)
}
