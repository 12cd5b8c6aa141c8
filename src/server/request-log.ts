import type {FastifyInstance} from 'fastify'
import {pathOf} from './shop-request.js'

/** Logs a line for each answer: method, path without its query (a token stands there), status, time. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const ms = Math.round(reply.elapsedTime * 10) / 10
    const line = {method: request.method, path: pathOf(request.url), status: reply.statusCode, ms}
    app.log.info(line, 'answered')
    done()
  })
}
