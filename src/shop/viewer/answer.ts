import type {FastifyReply, FastifyRequest} from 'fastify'
import {notFound} from '../http/allowed-methods.js'
import {originOf} from '../http/shop-request.js'
import {openApi} from '../openapi/openapi.js'
import {VIEWER_HEADERS} from './headers.js'
import type {ViewerDeps} from './viewer.js'

/** The document that the page shows: the one of `/api/_info/openapi3.json`, for which no token is needed here. */
export function answerDocument({shop, routes}: ViewerDeps, request: FastifyRequest, reply: FastifyReply) {
  const body = Buffer.from(JSON.stringify(openApi(shop, routes, originOf(request))))
  return send(request, reply, {'content-type': 'application/json', 'content-length': body.length}, () => body)
}

/** A file of the page, streamed. @throws ShopError 404 @see RFC 9110 §13.1.2 */
export async function answerFile(
  {files}: ViewerDeps,
  name: string,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const file = await files.find(name)
  if (!file) throw notFound(request)
  const etag = `"${file.tag}"`
  if (namesTag(request.headers['if-none-match'], etag)) {
    return reply
      .code(304)
      .headers({...VIEWER_HEADERS, etag})
      .send()
  }
  const headers = {'content-type': file.type, 'content-length': file.sizeBytes, etag}
  return send(request, reply, headers, () => file.open())
}

function namesTag(wanted: string | undefined, etag: string): boolean {
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
