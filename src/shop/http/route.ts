import type {IncomingHttpHeaders} from 'node:http'
import type {Readable} from 'node:stream'
import type {Principal} from '../oauth/caller.js'
import type {Parameters} from '../runtime/runtime.js'
import type {ShopError} from '../runtime/shop-error.js'

export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Language, currency and version from a request's headers. @see protocol.md §3.2 */
export interface RequestContext {
  languageId: string
  currencyId: string
  versionId: string
}

/** A request with its body read and decoded, and with its caller where the route needs one. */
export interface ShopRequest {
  readonly method: string
  /** `http://127.0.0.1:8000`, as addressed by the caller. */
  readonly origin: string
  /** Without the query string, not decoded. */
  readonly path: string
  /** The query string as sent, without `?`; empty without one. */
  readonly queryString: string
  /** The query string with nested keys. */
  readonly query: Parameters
  /** Placeholders of the route's path. */
  readonly params: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
  /** Alternating names and values, as sent. */
  readonly rawHeaders: readonly string[]
  /** The unchanged bytes of the body; their claimed type is in `content-type`. */
  readonly body: Buffer
  readonly contentType: string
  /** The decoded body: empty unless it is JSON or a form. @see protocol.md §1.2 */
  readonly parameters: Parameters
  readonly clientAddress: string
  /** The caller; `undefined` only on routes that need no token. */
  readonly caller: Principal | undefined
  /** Language and currency of the request. */
  readonly context: RequestContext
}

/** A route's response. Errors are thrown as ShopError. */
export interface RouteResponse {
  /** Default 200. */
  status?: number
  /** Names in lower case. */
  headers?: Readonly<Record<string, string>>
  /** Whether these are all headers, the length included, for routes outside the shop's API. */
  hasOwnHeaders?: true
  contentType?: string
  /** Spelling of that header's name. Default `Content-Type`. */
  contentTypeName?: string
  /** Text is sent as UTF-8. Default empty. */
  body?: string | Buffer | Readable
}

/** The known parts of a request that did not reach its route. */
export type RefusedRequest = Pick<
  ShopRequest,
  'path' | 'queryString' | 'params' | 'rawHeaders' | 'body' | 'contentType'
>

/**
 * One operation of the shop. Several routes may share a path with different methods; the app responds 405 for all other
 * methods.
 */
export interface ShopRoute {
  method: RouteMethod
  /** `:name` is a placeholder: `/api/_action/:provider/webhook/execute`. */
  path: string
  /** Whether the placeholders' values exist; otherwise the response is 404, before any other check. */
  accepts?(params: ShopRequest['params']): boolean
  /** `none` ignores the `Authorization` header. Default `bearer`. */
  auth?: 'bearer' | 'none'
  /** Not in the OpenAPI document: outside the shop's API, or without anything to describe. */
  isApart?: true
  /** Privileges that the caller needs, checked before the route's own checks. */
  privileges?: readonly string[]
  /** Default and maximum: the server's limit. */
  bodyLimitBytes?: number
  /** The error for a body over the server's or the route's limit. Default: 413 in the HTTP layer's layout. */
  describeTooLarge?(): ShopError
  handle(request: ShopRequest): Promise<RouteResponse> | RouteResponse
  /** Called for an error before, instead of, or in `handle`, and awaited before the error is sent. */
  onRefused?(request: RefusedRequest, failure: ShopError): Promise<void>
}
