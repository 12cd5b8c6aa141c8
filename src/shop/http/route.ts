import type {IncomingHttpHeaders} from 'node:http'
import type {Readable} from 'node:stream'
import type {Principal} from '../oauth/caller.js'
import type {Parameters} from '../runtime/runtime.js'
import type {ShopError} from '../runtime/shop-error.js'

export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Language, currency and version that a request asks for by its headers. @see protocol.md §3.2 */
export interface RequestContext {
  languageId: string
  currencyId: string
  versionId: string
}

/** A request whose body has been read and decoded, and whose caller is known where the route asks for one. */
export interface ShopRequest {
  readonly method: string
  /** `http://127.0.0.1:8000`, as the caller addressed us. */
  readonly origin: string
  /** Without the query string, not decoded. */
  readonly path: string
  /** What stood behind the question mark, as it was sent; empty when nothing did. */
  readonly queryString: string
  /** The query string with nested keys. */
  readonly query: Parameters
  /** Placeholders of the route's path. */
  readonly params: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders: readonly string[]
  /** The bytes of the body as they came; `content-type` says what they claim to be. */
  readonly body: Buffer
  readonly contentType: string
  /** What the body stands for: empty unless it is JSON or a form. @see protocol.md §1.2 */
  readonly parameters: Parameters
  readonly clientAddress: string
  /** Who asks; `undefined` only on routes that need no token. */
  readonly caller: Principal | undefined
  /** Language and currency of the request. */
  readonly context: RequestContext
}

/** What a route answers. Refusals are thrown as ShopError. */
export interface RouteResponse {
  /** Default 200. */
  status?: number
  /** Names in lower case. */
  headers?: Readonly<Record<string, string>>
  /** Whether these are all headers, that of the length too: no part of the shop's interface. */
  hasOwnHeaders?: true
  contentType?: string
  /** How the name of that header is spelled. Default `Content-Type`. */
  contentTypeName?: string
  /** Text goes out as UTF-8. Default empty. */
  body?: string | Buffer | Readable
}

/** What is known of a request that never came as far as its route. */
export type RefusedRequest = Pick<
  ShopRequest,
  'path' | 'queryString' | 'params' | 'rawHeaders' | 'body' | 'contentType'
>

/**
 * One operation of the shop. Several routes may share a path with different methods; the app answers 405 for the
 * methods that nobody took.
 */
export interface ShopRoute {
  method: RouteMethod
  /** `:name` holds a place: `/api/_action/:provider/webhook/execute`. */
  path: string
  /** Whether the shop has what placeholders stand for; what it has not is answered 404, before anything else. */
  accepts?(params: ShopRequest['params']): boolean
  /** `none` leaves the `Authorization` header alone. Default `bearer`. */
  auth?: 'bearer' | 'none'
  /** Not described: no part of the shop's interface, or without anything to show it by. */
  isApart?: true
  /** What the caller must be allowed to be let in at all: looked at before anything that the route itself checks. */
  privileges?: readonly string[]
  /** Default, and at most: the server's. */
  bodyLimitBytes?: number
  /** What to answer to a body over the server's or the route's limit. Default: 413 in the HTTP layer's layout. */
  describeTooLarge?(): ShopError
  handle(request: ShopRequest): Promise<RouteResponse> | RouteResponse
  /** Told of what was refused before, instead of, or by `handle`, and waited for before the refusal goes out. */
  onRefused?(request: RefusedRequest, failure: ShopError): Promise<void>
}
