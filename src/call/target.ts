import {createUsageError, StorectlError} from '../errors.js'
import {suggestNearest} from '../language/nearest-word.js'

/** Every allowed method. */
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const
export type CallMethod = (typeof METHODS)[number]

/** A few of the many paths, for completion: what every shop has and a person asks for by hand. @see protocol.md §6 */
export const WELL_KNOWN_PATHS: readonly string[] = [
  '/api/_info/version',
  '/api/_info/openapi3.json',
  '/api/_info/health-check',
  ...['customer', 'order', 'order-transaction', 'fulfillment-order', 'sales-channel', 'integration'].map(
    entity => `/api/search/${entity}`,
  ),
]

/** Suggests what to try for a missing route, if the beginning of the path was left out. */
export function suggestWholePath(
  refused: StorectlError,
  status: number,
  {method, path}: {readonly method: CallMethod; readonly path: string},
): StorectlError {
  if (status !== 404 || /^\/?api(\/|$)|:/.test(path)) return refused
  const hint = `storectl api ${method} /api/${path.replace(/^\/+/, '')}   # paths begin with /api/`
  return new StorectlError(refused.code, refused.message, {
    nextSteps: [hint, ...refused.nextSteps],
    cause: refused.cause,
  })
}

/** Explains an HTML page in answer to an API call. */
export function describeHtmlPage({
  method,
  path,
}: {
  readonly method: CallMethod
  readonly path: string
}): string {
  const meant = /^\/?api(\/|$)/.test(path)
    ? 'The base URL may lead elsewhere, or a proxy or a maintenance page answered.'
    : `Paths of the API begin with /api/: storectl api ${method} /api/${path.replace(/^\/+/, '')}`
  return `The answer is an HTML page, not an API response. ${meant}`
}

/** Routes that take POST and change nothing. @see protocol.md §6 */
const QUESTIONS = /^\/api\/(search|search-ids)\//

/**
 * The method and the path that a person typed; a path alone is a GET.
 *
 * @throws StorectlError `usage.method`, `usage.path` where the path is missing, or Git Bash has made a file of it
 */
export function parseTarget(first: string, second: string | undefined): {method: CallMethod; path: string} {
  const isPathAlone = second === undefined && /[\\/]/.test(first)
  const path = isPathAlone ? first : (second ?? '')
  const method = isPathAlone ? 'GET' : parseMethod(first === '' ? 'GET' : first)
  if (path === '') {
    throw createUsageError('path', 'Missing PATH (path below the base URL, with query).', [
      `storectl api ${method} /api/_info/version`,
    ])
  }
  const [, meant] = /^[a-z]:[\\/].*?[\\/](api[\\/].*)$/i.exec(path) ?? []
  if (meant === undefined) return {method, path}
  throw createUsageError('path', `Git Bash has rewritten the path as a file path: "${path}".`, [
    `without the first slash: storectl api ${method} ${meant.replaceAll('\\', '/')}`,
  ])
}

/**
 * The method that a person typed, in whatever case.
 *
 * @throws StorectlError `usage.method` with the nearest one
 */
export function parseMethod(typed: string): CallMethod {
  const method = METHODS.find(each => each === typed.toUpperCase())
  if (method) return method
  const said = suggestNearest(typed.toUpperCase(), METHODS)
  throw createUsageError('method', `Unknown HTTP method "${typed}".${said} Methods: ${METHODS.join(', ')}.`, [
    'storectl api GET /api/_info/version',
  ])
}

/**
 * The path on the wire, with its query, of what a person typed: with or without the slash at its beginning, or a whole
 * address of this very shop. What may not stand in a path is percent-encoded.
 *
 * @throws StorectlError `usage.other_shop` for an address somewhere else: the token belongs to this one
 */
export function parsePath(typed: string, baseUrl: URL): string {
  const base = `${baseUrl.origin}${baseUrl.pathname.replace(/\/$/, '')}`
  const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed)
  if (isAddress && typed !== base && !typed.startsWith(`${base}/`)) {
    throw createOtherShopError(base, 'URL outside of')
  }
  const path = isAddress ? typed.slice(base.length) : typed
  const rooted = path.startsWith('/') ? path : `/${path}`
  const whole = (rooted.split('#', 1)[0] ?? '').replace(/[^\x21-\x7e]+/gu, encodeURIComponent)
  refuseWayOut(whole, baseUrl)
  return whole
}

/**
 * Two shops may share an origin, and `..` would lead from one to the other, with the token; there are servers that read
 * an encoded slash as one.
 */
function refuseWayOut(path: string, {origin, pathname}: URL): void {
  const base = pathname.replace(/\/$/, '')
  const {pathname: reached} = new URL(`${origin}${base}${path.replace(/%(?:2f|5c)/gi, '/')}`)
  if (reached.startsWith(`${base}/`)) return
  throw createOtherShopError(`${origin}${base}`, 'Path outside of')
}

function createOtherShopError(base: string, what: string): Error {
  return createUsageError('other_shop', `${what} ${base}, the shop of the access token.`, [
    'use the path alone, or --profile for the other shop',
  ])
}

/** Whether a call changes nothing, so that it may be made again. */
export function isQuestion(method: CallMethod, path: string): boolean {
  return (
    method === 'GET' ||
    method === 'HEAD' ||
    method === 'OPTIONS' ||
    (method === 'POST' && QUESTIONS.test(path))
  )
}
