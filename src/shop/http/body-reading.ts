import {isUtf8} from 'node:buffer'
import type {FastifyInstance, FastifyRequest} from 'fastify'
import {DEEPEST_JSON} from '../runtime/limits.js'
import type {Parameters} from '../runtime/runtime.js'
import {createHttpError, ShopError} from '../runtime/shop-error.js'
import {nestFields, parseForm} from './form.js'

/** A request with its bytes and what they stand for. */
export interface BodyRequest extends FastifyRequest {
  /** The content type as it was sent; empty when there was none. */
  sentContentType: string
  sentBody: Buffer
  parameters: Parameters
}

/** Fastify refuses content types that are no media type, and the shop does not: it is shown this one instead. */
const OCTETS = 'application/octet-stream'
const NO_BODY = Buffer.alloc(0)

/**
 * Reads and decodes the body of every request, of any method and on any path, before anything else is looked at:
 * malformed JSON comes before 404, 405 and 401.
 *
 * @param readsTypesExactly whether the type of JSON is known in small letters alone
 *
 * @see protocol.md §1.1, §1.2
 */
export function readBodies(app: FastifyInstance, readsTypesExactly = false): void {
  for (const method of ['GET', 'HEAD']) app.addHttpMethod(method, {hasBody: true, overrideExisting: true})
  app.decorateRequest('sentContentType', '')
  app.decorateRequest('sentBody', null as never)
  app.decorateRequest('parameters', null as never)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', {parseAs: 'buffer'}, (_request, body, done) => done(null, body))
  app.addHook('onRequest', (plainRequest, _reply, done) => {
    if (plainRequest.method === 'OPTIONS') return done(new ShopError(200, []))
    const request = plainRequest as BodyRequest
    const {headers} = request.raw
    request.sentContentType = headers['content-type'] ?? ''
    if (headers['content-type'] !== undefined) headers['content-type'] = OCTETS
    done()
  })
  app.addHook('preValidation', (plainRequest, _reply, done) => {
    const request = plainRequest as BodyRequest
    request.sentBody = (request.body as Buffer | undefined) ?? NO_BODY
    try {
      request.parameters = decodeBody(request.sentBody, request.sentContentType, readsTypesExactly)
    } catch (error) {
      return done(error as Error)
    }
    done()
  })
}

/**
 * The parameters that a body stands for. JSON is known by how its content type begins, in any case; forms are read
 * with nested keys; every other type, and none, counts as no body at all. Scalars and `null` count as empty.
 *
 * @throws ShopError 400 `The JSON payload is malformed.`, which comes before every other refusal
 * @see protocol.md §1.2
 */
function decodeBody(body: Buffer, contentType: string, readsTypesExactly: boolean): Parameters {
  if (body.length === 0) return {}
  const type = contentType.toLowerCase()
  if ((readsTypesExactly ? contentType : type).startsWith('application/json')) return decodeJson(body)
  if (type.startsWith('application/x-www-form-urlencoded')) return parseForm(body.toString('utf8'))
  if (type.startsWith('multipart/form-data')) return nestFields(parseMultipartFields(body, contentType))
  return {}
}

function decodeJson(body: Buffer): Parameters {
  if (!isUtf8(body)) throw createMalformedBodyError()
  let value: unknown
  const text = body.toString('utf8')
  // Before it is parsed: a million brackets cost seconds there.
  if (isNestedTooDeep(text)) throw createMalformedBodyError()
  try {
    value = JSON.parse(text)
  } catch {
    throw createMalformedBodyError()
  }
  return typeof value === 'object' && value !== null ? (value as Parameters) : {}
}

/** Whether JSON nests deeper than the shop reads; counted without recursion. Of what is no JSON it may say either. */
function isNestedTooDeep(json: string): boolean {
  if (!hasManyBrackets(json)) return false
  let depth = 0
  for (let index = 0; index < json.length; index++) {
    const character = json[index]
    if (character === '"') index = endOfString(json, index)
    else if (character === '[' || character === '{') depth++
    else if (character === ']' || character === '}') depth--
    if (depth > DEEPEST_JSON) return true
  }
  return false
}

/** Whether there are so many that they could nest too deep: nearly no body has, and a look for them alone is quick. */
function hasManyBrackets(json: string): boolean {
  let left = DEEPEST_JSON
  for (const bracket of '[{')
    for (let at = json.indexOf(bracket); at >= 0 && left >= 0; at = json.indexOf(bracket, at + 1)) left--
  return left < 0
}

/** Where the string that opens at `start` closes; the end of everything when it never does. */
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1)
  while (end >= 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1)
  return end < 0 ? json.length : end
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0
  while (json[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}

function createMalformedBodyError(): ShopError {
  return createHttpError(400, 'The JSON payload is malformed.')
}

/**
 * The text fields of a `multipart/form-data` body; files are left out, as no operation takes one.
 *
 * @returns names and values in the order of the body; none when the boundary is missing or never comes
 * @see RFC 7578
 */
function parseMultipartFields(body: Buffer, contentType: string): [name: string, value: string][] {
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType)
  const delimiter = boundary?.[1] ?? boundary?.[2]
  if (delimiter === undefined) return []
  const parts = body.toString('latin1').split(`--${delimiter}`).slice(1, -1)
  return parts.flatMap(part => {
    const field = parseMultipartField(part)
    return field ? [field] : []
  })
}

function parseMultipartField(part: string): [name: string, value: string] | undefined {
  const end = part.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const disposition = /^content-disposition:(.*)$/im.exec(part.slice(0, end))?.[1] ?? ''
  const name = /;\s*name="([^"]*)"/i.exec(disposition)?.[1]
  if (name === undefined || /;\s*filename\*?=/i.test(disposition)) return undefined
  return [decodeUtf8(name), decodeUtf8(part.slice(end + 4).replace(/\r\n$/, ''))]
}

function decodeUtf8(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8')
}
