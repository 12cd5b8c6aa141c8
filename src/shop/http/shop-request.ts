import type {IncomingHttpHeaders, IncomingMessage} from 'node:http'
import type {Principal} from '../oauth/caller.js'
import type {Parameters} from '../runtime/runtime.js'
import {createHttpError, type ShopError} from '../runtime/shop-error.js'
import {NO_BODY} from './body-reading.js'
import {parseForm} from './form.js'
import type {RequestContext, ShopRequest, ShopRoute} from './route.js'
import type {RouteMatch} from './route-table.js'

const NOTHING: Readonly<Record<string, string>> = {}
const NO_CONTEXT: RequestContext = {languageId: '', currencyId: '', versionId: ''}

/**
 * A request on its way to its route: members that are not known yet are empty. The query string is parsed only on
 * demand.
 */
export class ReceivedRequest implements ShopRequest {
  readonly method: string
  /** Path and query string, in origin form. */
  readonly url: string
  readonly path: string
  readonly queryString: string
  readonly headers: IncomingHttpHeaders
  readonly contentType: string
  params = NOTHING
  body: Buffer = NO_BODY
  parameters: Parameters = {}
  caller: Principal | undefined = undefined
  context = NO_CONTEXT
  /** Absent where the shop has no such path. */
  pathRoutes: RouteMatch['routes'] | undefined = undefined
  /** Absent where the path has no such method either. */
  route: ShopRoute | undefined = undefined
  /** Whether the connection must end because the rest of a body was not read. */
  endsConnection = false
  /** Whether a fault has reset the connection, so that there is no response. */
  isCutOff = false

  constructor(readonly raw: IncomingMessage) {
    this.method = readMethod(raw)
    this.url = convertToOriginForm(raw)
    this.headers = raw.headers
    this.contentType = raw.headers['content-type'] ?? ''
    const queryStart = this.url.indexOf('?')
    this.path = queryStart < 0 ? this.url : this.url.slice(0, queryStart)
    this.queryString = queryStart < 0 ? '' : this.url.slice(queryStart + 1)
  }

  get query(): Parameters {
    return parseForm(this.queryString)
  }

  get rawHeaders(): readonly string[] {
    return this.raw.rawHeaders
  }

  /** Without a `Host` header, the server's address of the connection. */
  get origin(): string {
    const {localAddress, localPort} = this.raw.socket
    return `http://${this.headers.host ?? `${localAddress}:${localPort}`}`
  }

  get clientAddress(): string {
    return this.raw.socket.remoteAddress ?? ''
  }
}

/**
 * The request target in origin form: clients of proxies send an absolute URL, whose host then counts.
 *
 * @see RFC 9112 §3.2.2
 */
function convertToOriginForm({url = '/', headers}: IncomingMessage): string {
  if (url.charCodeAt(0) === SLASH) return url
  const [, authority, rest = ''] = /^https?:\/\/([^/?#]+)((?:[/?#].*)?)$/is.exec(url) ?? []
  if (authority === undefined) return url
  headers.host = authority
  return rest.startsWith('/') ? rest : `/${rest}`
}

const SLASH = 47

/** Methods that a header may set in place of POST. */
const OVERRIDING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** The method, or for a POST the one that its `X-HTTP-Method-Override` names. @see protocol.md §1.1 */
function readMethod({method = 'GET', headers}: IncomingMessage): string {
  const override = headers['x-http-method-override']
  if (method !== 'POST' || typeof override !== 'string') return method
  const other = override.toUpperCase()
  return OVERRIDING.has(other) ? other : method
}

/** `POST http://127.0.0.1:8000/api/x`: the requested URL without the query string, which may contain a token. */
export function describeTarget({method, origin, path}: ReceivedRequest): string {
  return `${method} ${origin}${path}`
}

/** The error for a method that a path does not have. */
export function createNotAllowedError(request: ReceivedRequest, allowed: readonly string[]): ShopError {
  return createHttpError(
    405,
    `No route found for "${describeTarget(request)}": Method Not Allowed (Allow: ${allowed.join(', ')})`,
  )
}

/** The error for a path that does not exist. @see protocol.md §1.4 */
export function createNotFoundError(request: ReceivedRequest): ShopError {
  const {referer} = request.headers
  const origin = referer ? ` (from "${referer}")` : ''
  return createHttpError(404, `No route found for "${describeTarget(request)}"${origin}`)
}
