import type {FastifyReply, FastifyRequest} from 'fastify'
import type {ServedFolder} from '../../platform/files/files.js'
import type {ShopRoute} from '../http/route.js'
import {createNotFoundError, readOrigin} from '../http/shop-request.js'
import {openApi} from '../openapi/openapi.js'
import type {ShopRuntime} from '../runtime/runtime.js'

export interface DocumentDeps {
  readonly runtime: ShopRuntime
  readonly routes: readonly ShopRoute[]
}

/** The document that the page shows: the one of `/api/_info/openapi3.json`, for which no token is needed here. */
export function answerDocument(
  {runtime, routes}: DocumentDeps,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const body = Buffer.from(JSON.stringify(openApi(runtime, routes, readOrigin(request))))
  return send(request, reply, {'content-type': 'application/json', 'content-length': body.length}, () => body)
}

/** A file of the page, streamed. @throws ShopError 404 @see RFC 9110 §13.1.2 */
export async function answerFile(
  files: ServedFolder,
  name: string,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const file = await files.find(name)
  if (!file) throw createNotFoundError(request)
  const etag = `"${file.tag}"`
  if (matchesEntityTag(request.headers['if-none-match'], etag)) {
    return reply
      .code(304)
      .headers({...VIEWER_HEADERS, etag})
      .send()
  }
  const headers = {'content-type': file.type, 'content-length': file.sizeBytes, etag}
  return send(request, reply, headers, () => file.open())
}

function matchesEntityTag(wanted: string | undefined, etag: string): boolean {
  const tags = wanted?.split(',').map(tag => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes(etag) || tags.includes('*')
}

function send(
  {method}: FastifyRequest,
  reply: FastifyReply,
  headers: Record<string, string | number>,
  body: () => unknown,
): FastifyReply {
  reply.headers({...VIEWER_HEADERS, ...headers})
  return method === 'HEAD' ? reply.send() : reply.send(body())
}

/** The page loads, draws and asks nothing but what comes from here, and no other page may look into it. */
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

/** On every answer of the page. Unlike the shop's own answers, these are for no other site's scripts. */
const VIEWER_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY.join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'deny',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  // Another version may stand behind the same address tomorrow, so ask; the answer is mostly 304.
  'cache-control': 'no-cache',
}
