import type {IncomingMessage} from 'node:http'
import type {Socket} from 'node:net'
import type {Duplex} from 'node:stream'
import type {FastifyError, FastifyRequest} from 'fastify'
import {StorectlError} from '../../errors.js'
import {escapePlain} from '../runtime/json-escape.js'
import {createHttpError, ShopError} from '../runtime/shop-error.js'
import type {ShopRoute} from './route.js'

/** How the app finds the shop's route behind a request of the framework's. */
export interface ShopRouteConfig {
  shopRoute?: ShopRoute
}

/** Anything thrown, as an answer: our refusals as they are, the framework's by status, the rest as a 500. */
export function convertToShopError(error: unknown, request?: FastifyRequest): ShopError {
  if (error instanceof ShopError) return error
  const {statusCode, code, message} = error as FastifyError
  if (isTooLarge(error)) {
    const {shopRoute} = (request?.routeOptions.config ?? {}) as ShopRouteConfig
    return shopRoute?.describeTooLarge?.() ?? createHttpError(413, 'The request body is too large.')
  }
  if (error instanceof StorectlError && error.code === 'usage.query_too_large')
    return createHttpError(400, error.message)
  if (error instanceof StorectlError && error.code === 'usage.nul_in_text')
    return createHttpError(
      400,
      'A text holds the character U+0000, which the database of this shop does not keep.',
    )
  if (code === 'FST_ERR_BAD_URL') return createHttpError(400, 'The path is not valid.')
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500)
    return createHttpError(statusCode, message)
  return createHttpError(500, message ?? String(error))
}

/** Whether the framework has stopped reading a body for its size. */
export function isTooLarge(error: unknown): boolean {
  return (error as FastifyError).code === 'FST_ERR_CTP_BODY_TOO_LARGE'
}

const STATUS_BY_CODE: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Answers what is not even HTTP, or comes too slowly, with the envelope, and closes. */
export function answerRawConnectionErrors(error: Error & {code?: string}, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy()
  const status = STATUS_BY_CODE[error.code ?? ''] ?? 400
  answerRaw(
    socket,
    createHttpError(
      status,
      status === 408 ? 'The request took too long to come.' : 'The request is not valid HTTP.',
    ),
  )
}

/** Answers somebody who takes the shop for a proxy: Node would hang up without a word. */
export function refuseTunnel({url = ''}: IncomingMessage, socket: Duplex): void {
  socket.on('error', () => socket.destroy())
  answerRaw(socket, createHttpError(405, `No route found for "CONNECT ${url}": Method Not Allowed (Allow: )`))
}

/** How long somebody who was refused may stay; Node does not watch the connection any more. */
const LINGERING_MS = 1000

/** Writes a refusal past the framework, and closes, also where the other side does not. */
function answerRaw(socket: Duplex, {status, entries}: ShopError): void {
  const hangUp = setTimeout(() => socket.destroy(), LINGERING_MS)
  socket.once('close', () => clearTimeout(hangUp))
  const body = escapePlain(JSON.stringify({errors: entries}))
  socket.end(
    `HTTP/1.1 ${status} ${entries[0]?.title}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
