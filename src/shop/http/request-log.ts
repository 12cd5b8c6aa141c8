import type {ServerResponse} from 'node:http'
import type {ReceivedRequest} from './shop-request.js'

/** The server's log. */
export interface ServerLog {
  /** Lowest level that is written. */
  readonly level: string
  info(line: object | string, message?: string): void
  error(line: object, message: string): void
}

/** At these levels no listener is added, which would slow every response. */
const SAYS_NOTHING_OF_ANSWERS: ReadonlySet<string> = new Set(['warn', 'error', 'fatal', 'silent'])

/** Whether responses are logged. */
export function logsAnswers({level}: ServerLog): boolean {
  return !SAYS_NOTHING_OF_ANSWERS.has(level)
}

/**
 * Logs a line for a response: method, path without its query (which may contain a token), status, time. Masks parts of
 * the path that look like a secret, which may be there by mistake.
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

/** Ids and words stay; long runs of mixed characters may be secrets or tokens. */
function maskPath(path: string): string {
  return path
    .replace(/[\w.~%+=-]{20,}/g, part => (/^(?:[0-9a-f]{32}|[a-z_-]+)$/.test(part) ? part : '…'))
    .slice(0, LONGEST_SHOWN)
}
