import type {FastifyInstance} from 'fastify'
import {pathOf} from './shop-request.js'

/**
 * Logs a line for each answer: method, path without its query (a token stands there), status, time. What stands in a
 * path and looks like a secret is left out: somebody may have put one there by mistake.
 */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const ms = Math.round(reply.elapsedTime * 10) / 10
    const line = {method: request.method, path: shownPath(pathOf(request.url)), status: reply.statusCode, ms}
    app.log.info(line, 'answered')
    done()
  })
}

/** Longer than any path of a shop. */
const LONGEST_SHOWN = 500

/** Ids and words stay; long runs of mixed characters are what secrets and tokens are made of. */
function shownPath(path: string): string {
  return path
    .replace(/[\w.~%+=-]{20,}/g, part => (/^(?:[0-9a-f]{32}|[a-z_-]+)$/.test(part) ? part : '…'))
    .slice(0, LONGEST_SHOWN)
}
