import type {IncomingHttpHeaders, ServerResponse} from 'node:http'
import {pipeline} from 'node:stream'
import {escapePlain} from '../../shopware/json-escape.js'
import {createHttpError, type ShopError} from '../runtime/shop-error.js'
import type {JsonForm} from '../search/response/encoders.js'
import type {RouteResponse} from './route.js'
import type {ReceivedRequest} from './shop-request.js'

const ALLOWED_HEADERS =
  'Content-Type,Authorization,sw-context-token,sw-access-key,sw-language-id,sw-version-id,sw-inheritance,indexing-behavior,sw-include-seo-urls'

/** On every response. @see protocol.md §1.5 */
const CROSS_ORIGIN_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET,POST,PUT,PATCH,DELETE',
  'access-control-allow-headers': ALLOWED_HEADERS,
  'access-control-expose-headers': ALLOWED_HEADERS,
}

/** On 2xx responses only. @see protocol.md §1.5 */
const SUCCESS_HEADERS: Readonly<Record<string, string>> = {
  'x-frame-options': 'deny',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'content-security-policy': "object-src 'none'; script-src 'none'; base-uri 'self';",
}

/** Echoed where a request has them. @see protocol.md §1.5 */
const ECHOED_HEADERS = ['sw-version-id', 'sw-language-id', 'sw-context-token'] as const

const DEFAULT_CACHE_CONTROL = 'no-cache, private'

/** Spelling of the shop's header names; all others are lower case. @see protocol.md §1.5 */
const USUAL: Readonly<Record<string, string>> = {
  'access-control-allow-headers': 'Access-Control-Allow-Headers',
  'access-control-allow-methods': 'Access-Control-Allow-Methods',
  'access-control-allow-origin': 'Access-Control-Allow-Origin',
  'access-control-expose-headers': 'Access-Control-Expose-Headers',
  'cache-control': 'Cache-Control',
  'content-length': 'Content-Length',
  'content-security-policy': 'Content-Security-Policy',
  'content-type': 'Content-Type',
  location: 'Location',
  'referrer-policy': 'Referrer-Policy',
  'www-authenticate': 'WWW-Authenticate',
  'x-content-type-options': 'X-Content-Type-Options',
}

const NOTHING = Buffer.alloc(0)

const ON_REFUSALS = {...CROSS_ORIGIN_HEADERS, 'cache-control': DEFAULT_CACHE_CONTROL}
const ON_SUCCESS = {...ON_REFUSALS, ...SUCCESS_HEADERS}

/** The same as alternating names and values, the fastest form for Node. */
const REFUSAL_PAIRS: readonly string[] = flattenHeaders(ON_REFUSALS)
const SUCCESS_PAIRS: readonly string[] = flattenHeaders(ON_SUCCESS)

/** Status without a body and without its length. @see RFC 9110 §15.3.5 */
const NO_CONTENT = 204

/**
 * Sends a route's response with the headers of every response, as alternating names and values: then Node keeps the
 * spelling, and looks nothing up.
 */
export function sendAnswer(request: ReceivedRequest, response: ServerResponse, answer: RouteResponse): void {
  const {status = 200, body = NOTHING, hasOwnHeaders} = answer
  const headers = hasOwnHeaders ? flattenHeaders(answer.headers ?? {}) : buildHeaders(request.headers, answer)
  if (request.endsConnection) headers.push('connection', 'close')
  const isWhole = typeof body === 'string' || Buffer.isBuffer(body)
  const sizeBytes = isWhole ? Buffer.byteLength(body) : 0
  if (isWhole && status !== NO_CONTENT && !hasOwnHeaders) headers.push('Content-Length', String(sizeBytes))
  response.writeHead(status, headers)
  // A failing stream closes the connection, so no error can be sent.
  if (!isWhole) pipeline(body, response, () => {})
  else if (sizeBytes === 0) response.end()
  // Node sends a Latin-1 text in one write with the headers; for ASCII it is the same as UTF-8.
  else response.end(body, sizeBytes === body.length ? 'latin1' : 'utf8')
}

function buildHeaders(
  sent: IncomingHttpHeaders,
  {status = 200, contentType, contentTypeName = 'Content-Type', headers}: RouteResponse,
): string[] {
  const isSuccess = status < 300
  const pairs = isEmpty(headers)
    ? [...(isSuccess ? SUCCESS_PAIRS : REFUSAL_PAIRS)]
    : flattenHeaders({...(isSuccess ? ON_SUCCESS : ON_REFUSALS), ...headers})
  for (const name of ECHOED_HEADERS) {
    const value = sent[name]
    if (typeof value === 'string') pairs.push(name, value)
  }
  if (contentType !== undefined) pairs.push(contentTypeName, contentType)
  return pairs
}

function isEmpty(headers: RouteResponse['headers']): boolean {
  for (const _name in headers) return false
  return true
}

function flattenHeaders(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => [USUAL[name] ?? name, value])
}

/** Converts an error to its response; without entries it has no body. @see protocol.md §1.3 */
export function buildErrorAnswer({status, entries, headers, contentTypeName}: ShopError): RouteResponse {
  if (entries.length === 0) return {status, headers}
  const body = escapePlain(JSON.stringify({errors: entries}))
  return {status, headers, contentType: 'application/json', contentTypeName, body}
}

const FORMS: Readonly<Record<string, JsonForm>> = {
  'application/json': 'plain',
  'application/vnd.api+json': 'json-api',
  '*/*': 'json-api',
}

/** Comes last in any position and with any quality. @see protocol.md §3.1 */
const ANYTHING = '*/*'

/**
 * The response format for a caller: the first supported one of its media types, in order of quality.
 *
 * @throws ShopError 415, also for an empty `Accept`
 * @see protocol.md §3.1
 */
export function negotiateForm(accept = ''): JsonForm {
  // Fast path: most callers name one type.
  if (Object.hasOwn(FORMS, accept)) return FORMS[accept] as JsonForm
  const types = parseMediaTypes(accept)
  const form = types.map(type => FORMS[type]).find(one => one !== undefined)
  if (form) return form
  throw createUnsupportedMediaTypeError(types)
}

function parseMediaTypes(accept: string): string[] {
  return accept
    .split(',')
    .map((part, index) => ({part: part.trim(), index}))
    .filter(({part}) => part !== '')
    .map(({part, index}) => {
      const [type = '', ...parameters] = part.split(';').map(piece => piece.trim())
      const quality = parameters.find(parameter => parameter.toLowerCase().startsWith('q='))?.slice(2)
      return {type, index, quality: quality === undefined ? 1 : Number(quality) || 0}
    })
    .sort(
      (one, other) =>
        Number(one.type === ANYTHING) - Number(other.type === ANYTHING) ||
        other.quality - one.quality ||
        one.index - other.index,
    )
    .map(({type}) => type)
}

function createUnsupportedMediaTypeError(types: readonly string[]): ShopError {
  return createHttpError(415, `All provided media types are unsupported. (${types.join(', ')})`)
}
