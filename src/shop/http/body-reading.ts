import type {FastifyInstance, FastifyRequest} from 'fastify'
import type {Parameters} from '../runtime/parameters.js'
import {ShopError} from '../runtime/shop-error.js'
import {decodeBody} from './body.js'

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
 * @see protocol.md §1.1, §1.2
 */
export function readBodies(app: FastifyInstance): void {
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
      request.parameters = decodeBody(request.sentBody, request.sentContentType)
    } catch (error) {
      return done(error as Error)
    }
    done()
  })
}
