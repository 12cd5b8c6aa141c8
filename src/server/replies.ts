import type {FastifyReply, FastifyRequest} from 'fastify'
import {CROSS_ORIGIN_HEADERS, DEFAULT_CACHE_CONTROL, ECHOED_HEADERS, SUCCESS_HEADERS} from './headers.js'
import {escapePlain} from './json-escape.js'
import type {Answer} from './routes/route.js'
import type {ShopError} from './shop-error.js'

const NOTHING = Buffer.alloc(0)

/** Writes a route's answer with the headers that every answer has. Buffers, because text would get a charset. */
export function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  const status = answer.status ?? 200
  const {body = NOTHING} = answer
  reply.code(status).headers(CROSS_ORIGIN_HEADERS)
  if (status < 300) reply.headers(SUCCESS_HEADERS)
  for (const name of ECHOED_HEADERS) {
    const sent = request.headers[name]
    if (sent !== undefined) reply.header(name, sent)
  }
  reply.header('cache-control', DEFAULT_CACHE_CONTROL)
  if (answer.contentType !== undefined) reply.header('content-type', answer.contentType)
  if (answer.contentTypeName !== undefined)
    Object.assign(reply.raw, {contentTypeName: answer.contentTypeName})
  if (answer.headers) reply.headers(answer.headers)
  return reply.send(typeof body === 'string' ? Buffer.from(body) : body)
}

/** Writes a refusal as the error envelope. */
export function sendError(request: FastifyRequest, reply: FastifyReply, error: ShopError): FastifyReply {
  return sendAnswer(request, reply, envelope(error))
}

/** A refusal as the answer it becomes; one without entries has no body. @see protocol.md §1.3 */
export function envelope({status, entries, headers, contentTypeName}: ShopError): Answer {
  if (entries.length === 0) return {status, headers}
  const body = escapePlain(JSON.stringify({errors: entries}))
  return {status, headers, contentType: 'application/json', contentTypeName, body}
}
