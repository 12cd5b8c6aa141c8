import type {ServerResponse} from 'node:http'
import type {ReceivedRequest} from './shop-request.js'

/** What the server tells of itself. */
export interface ServerLog {
  /** Below which level nothing is written. */
  readonly level: string
  info(line: object | string, message?: string): void
  error(line: object, message: string): void
}

/** A listener costs every answer, also where the line goes nowhere. */
const SAYS_NOTHING_OF_ANSWERS: ReadonlySet<string> = new Set(['warn', 'error', 'fatal', 'silent'])

/** Whether answers are to be logged at all. */
export function logsAnswers({level}: ServerLog): boolean {
  return !SAYS_NOTHING_OF_ANSWERS.has(level)
}

/**
 * Logs a line for the answer: method, path without its query (a token stands there), status, time. What stands in a
 * path and looks like a secret is left out: somebody may have put one there by mistake.
 */
export function logAnswer(log: ServerLog, {method, path}: ReceivedRequest, response: ServerResponse): void {
  const begin = performance.now()
  response.once('finish', () => {
    const ms = Math.round((performance.now() - begin) * 10) / 10
    log.info({method, path: maskPath(path), status: response.statusCode, ms}, 'answered')
  })
}

/** Longer than any path of a shop. */
const LONGEST_SHOWN = 500

/** Ids and words stay; long runs of mixed characters are what secrets and tokens are made of. */
function maskPath(path: string): string {
  return path
    .replace(/[\w.~%+=-]{20,}/g, part => (/^(?:[0-9a-f]{32}|[a-z_-]+)$/.test(part) ? part : '…'))
    .slice(0, LONGEST_SHOWN)
}
