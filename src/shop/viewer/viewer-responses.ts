import type {ServedFolder} from '../../platform/files/files.js'
import type {RouteResponse, ShopRoute} from '../http/route.js'
import {createNotFoundError, type ReceivedRequest} from '../http/shop-request.js'
import {convertToVersion30} from '../openapi/earlier-version.js'
import {openApi} from '../openapi/openapi.js'
import type {ShopRuntime} from '../runtime/runtime.js'

export interface DocumentDeps {
  readonly runtime: ShopRuntime
  readonly routes: readonly ShopRoute[]
}

/** The document for the page: that of `/api/_info/openapi3.json` in version 3.0, without any token. */
export function answerDocument({runtime, routes}: DocumentDeps, request: ReceivedRequest): RouteResponse {
  const body = Buffer.from(JSON.stringify(convertToVersion30(openApi(runtime, routes, request.origin))))
  const headers = {'content-type': 'application/json', 'content-length': String(body.length)}
  return createPage(request, headers, () => body)
}

/** A file of the page. @throws ShopError 404 @see RFC 9110 §13.1.2 */
export function answerFile(files: ServedFolder, name: string, request: ReceivedRequest): RouteResponse {
  const file = files.find(name)
  if (!file) throw createNotFoundError(request)
  const etag = `"${file.tag}"`
  if (matchesEntityTag(request.headers['if-none-match'], etag))
    return {status: 304, headers: {...VIEWER_HEADERS, etag}, hasOwnHeaders: true}
  const headers = {'content-type': file.type, 'content-length': String(file.sizeBytes), etag}
  return createPage(request, headers, () => file.read())
}

function matchesEntityTag(wanted: string | undefined, etag: string): boolean {
  const tags = wanted?.split(',').map(tag => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes(etag) || tags.includes('*')
}

function createPage(
  {method}: ReceivedRequest,
  headers: Readonly<Record<string, string>>,
  open: () => Buffer,
): RouteResponse {
  const page = {headers: {...VIEWER_HEADERS, ...headers}, hasOwnHeaders: true} as const
  return method === 'HEAD' ? page : {...page, body: open()}
}

/** The page may load from and connect to this server only, and no other page may embed it. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
]

/** On every response of the page. Unlike the shop's own responses, scripts of other sites cannot read these. */
const VIEWER_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY.join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'deny',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // Another version may have the same URL tomorrow, so browsers revalidate; the response is mostly 304.
  'cache-control': 'no-cache',
}
