import {pipeline} from 'node:stream'
import type {FastifyReply, FastifyRequest} from 'fastify'
import {escapePlain} from '../runtime/json-escape.js'
import type {ShopError} from '../runtime/shop-error.js'
import {CROSS_ORIGIN_HEADERS, DEFAULT_CACHE_CONTROL, ECHOED_HEADERS, SUCCESS_HEADERS} from './headers.js'
import type {Answer} from './route.js'
import {spelled} from './spelled-response.js'

const NOTHING = Buffer.alloc(0)

const ON_REFUSALS = {...CROSS_ORIGIN_HEADERS, 'cache-control': DEFAULT_CACHE_CONTROL}
const ON_SUCCESS = {...ON_REFUSALS, ...SUCCESS_HEADERS}

/** The same as names and values in turn, which is how Node writes them fastest. */
const REFUSAL_PAIRS: readonly string[] = pairsOf(ON_REFUSALS)
const SUCCESS_PAIRS: readonly string[] = pairsOf(ON_SUCCESS)

/** Answers to which HTTP gives no body, and no length of one. @see RFC 9110 §15.3.5 */
const NO_CONTENT = 204

/**
 * Writes a route's answer with the headers that every answer has, straight to Node: the framework would look at each
 * header, know their names in lower case alone, and send text with a charset.
 */
export function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: Answer): FastifyReply {
  const {status = 200, body = NOTHING} = answer
  const headers = headersOf(request, answer, status)
  // Set where the framework stopped reading a body: what is left of it must not be taken for a request.
  if (reply.hasHeader('connection')) headers.push('connection', 'close')
  const isWhole = typeof body === 'string' || Buffer.isBuffer(body)
  if (isWhole && status !== NO_CONTENT) headers.push('Content-Length', String(Buffer.byteLength(body)))
  reply.hijack()
  reply.raw.writeHead(status, headers)
  // A stream that fails takes the connection with it, and nobody is left to be told.
  if (isWhole) reply.raw.end(body)
  else pipeline(body, reply.raw, () => {})
  return reply
}

function headersOf(
  {headers: sent}: FastifyRequest,
  {contentType, contentTypeName = 'Content-Type', headers}: Answer,
  status: number,
): string[] {
  const isSuccess = status < 300
  const pairs = isEmpty(headers)
    ? [...(isSuccess ? SUCCESS_PAIRS : REFUSAL_PAIRS)]
    : pairsOf({...(isSuccess ? ON_SUCCESS : ON_REFUSALS), ...headers})
  for (const name of ECHOED_HEADERS) {
    const value = sent[name]
    if (typeof value === 'string') pairs.push(name, value)
  }
  if (contentType !== undefined) pairs.push(contentTypeName, contentType)
  return pairs
}

function isEmpty(headers: Answer['headers']): boolean {
  for (const _name in headers) return false
  return true
}

function pairsOf(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => [spelled(name), value])
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
