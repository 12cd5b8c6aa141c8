import type {FastifyBaseLogger, FastifyInstance} from 'fastify'
import {pathOf} from './shop-request.js'

/**
 * Logs a line for each answer: method, path without its query (a token stands there), status, time. What stands in a
 * path and looks like a secret is left out: somebody may have put one there by mistake.
 */
export function logRequests(app: FastifyInstance, logger: FastifyBaseLogger): void {
  if (SAYS_NOTHING_OF_ANSWERS.has(logger.level)) return
  app.addHook('onResponse', (request, reply, done) => {
    const ms = Math.round(reply.elapsedTime * 10) / 10
    const line = {method: request.method, path: shownPath(pathOf(request.url)), status: reply.statusCode, ms}
    logger.info(line, 'answered')
    done()
  })
}

/** A hook costs every answer, also where the line goes nowhere. */
const SAYS_NOTHING_OF_ANSWERS: ReadonlySet<string> = new Set(['warn', 'error', 'fatal', 'silent'])

/** Longer than any path of a shop. */
const LONGEST_SHOWN = 500

/** Ids and words stay; long runs of mixed characters are what secrets and tokens are made of. */
function shownPath(path: string): string {
  return path
    .replace(/[\w.~%+=-]{20,}/g, part => (/^(?:[0-9a-f]{32}|[a-z_-]+)$/.test(part) ? part : '…'))
    .slice(0, LONGEST_SHOWN)
}
