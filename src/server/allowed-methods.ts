import type {FastifyInstance, FastifyRequest} from 'fastify'
import type {ShopRoute} from './routes/route.js'
import {httpError} from './shop-error.js'
import {targetOf} from './shop-request.js'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Answers 405 where a path is known and the method is not. The methods it has stand in the text alone. */
export function allowMethods(app: FastifyInstance, routes: readonly ShopRoute[]): void {
  const taken = new Map<string, Set<string>>()
  for (const {path, method} of routes) taken.set(path, (taken.get(path) ?? new Set()).add(method))
  for (const [url, methods] of taken) {
    const free = METHODS.filter(method => !methods.has(method))
    app.route({
      method: free,
      url,
      handler: (request: FastifyRequest) => {
        throw httpError(
          405,
          `No route found for "${targetOf(request)}": Method Not Allowed (Allow: ${[...methods].join(', ')})`,
        )
      },
    })
  }
}
