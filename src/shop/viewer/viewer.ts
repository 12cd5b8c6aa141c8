import type {ServedFolder} from '../../platform/files/files.js'
import type {RouteResponse, ShopRoute} from '../http/route.js'
import {describeTarget, type ReceivedRequest} from '../http/shop-request.js'
import type {ShopRuntime} from '../runtime/runtime.js'
import {createHttpError, ShopError} from '../runtime/shop-error.js'

export interface ViewerDeps {
  readonly runtime: ShopRuntime
  /** Routes that the page shows. */
  readonly routes: readonly ShopRoute[]
  /** Files of the page. */
  readonly files: ServedFolder
  /** Whether the server accepts host names other than this machine's own. */
  readonly underAnyName: boolean
}

/** Name of the document that the page shows. */
const DOCUMENT = 'openapi3.json'

const READ = ['GET', 'HEAD']

const FOLDER = '/viewer/'

/**
 * A page to read and try the API in a browser: `/`, and `/viewer/…` for its files. Unlike the shop's own routes, it has
 * no faults, and scripts of other sites cannot read it. Nothing is loaded before the first request.
 *
 * @returns finds the response to a request, `undefined` where its path does not belong to the page
 */
export function createPageFinder(
  deps: ViewerDeps,
): (request: ReceivedRequest) => Promise<RouteResponse> | undefined {
  return request => {
    const name = readName(request.path)
    return name === undefined ? undefined : answerPage(name, request, deps)
  }
}

/** The file for a path. */
function readName(path: string): string | undefined {
  if (path === '/') return 'index.html'
  if (!path.startsWith(FOLDER) || path.includes('/', FOLDER.length)) return undefined
  return decodeURIComponent(path.slice(FOLDER.length))
}

/** @throws ShopError 405, 421, 404 */
async function answerPage(name: string, request: ReceivedRequest, deps: ViewerDeps): Promise<RouteResponse> {
  if (!READ.includes(request.method)) throw createNotAllowedError(request)
  if (!deps.underAnyName && !isLocalHostName(request.headers.host)) throw createMisdirectedError()
  const {answerDocument, answerFile} = await import('./viewer-responses.js')
  return name === DOCUMENT ? answerDocument(deps, request) : answerFile(deps.files, name, request)
}

/** @see RFC 9110 §15.5.20 */
function createMisdirectedError(): ShopError {
  return createHttpError(
    421,
    'This page is for 127.0.0.1 and localhost; "--allow-remote" opens it to other names.',
  )
}

/** Unlike a real shop's errors, this one has `Allow`. @see RFC 9110 §15.5.6 */
function createNotAllowedError(request: ReceivedRequest): ShopError {
  const allow = READ.join(', ')
  const {status, entries} = createHttpError(
    405,
    `No route found for "${describeTarget(request)}": Method Not Allowed (Allow: ${allow})`,
  )
  return new ShopError(status, entries, {allow})
}

/** Host names by which a browser on this machine reaches it, with or without a port. */
const THIS_MACHINE = /^(localhost|[a-z0-9-]+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])\.?(:\d+)?$/i

/**
 * Whether a `Host` header names this machine. Under any other name the page would belong to another site, whose name
 * temporarily resolves to this machine (DNS rebinding), and which could read what is typed into it.
 *
 * @param host as sent; browsers always send one
 */
function isLocalHostName(host: string | undefined): boolean {
  return host === undefined || THIS_MACHINE.test(host)
}
