import type {IncomingMessage} from 'node:http'
import type {Socket} from 'node:net'
import type {Duplex} from 'node:stream'
import {escapePlain} from '../../shopware/json-escape.js'
import {createHttpError, type ShopError} from '../runtime/shop-error.js'

const STATUS_BY_CODE: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** Responds with the error envelope to invalid or too slow HTTP, and closes. */
export function refuseMalformed(error: Error & {code?: string}, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return void socket.destroy()
  const status = STATUS_BY_CODE[error.code ?? ''] ?? 400
  answerRaw(
    socket,
    createHttpError(
      status,
      status === 408 ? 'The request took too long to arrive.' : 'The request is not valid HTTP.',
    ),
  )
}

/** Responds to a CONNECT; Node would close the connection without a response. */
export function refuseTunnel({url = ''}: IncomingMessage, socket: Duplex): void {
  socket.on('error', () => socket.destroy())
  answerRaw(socket, createHttpError(405, `No route found for "CONNECT ${url}": Method Not Allowed (Allow: )`))
}

/** How long a refused connection may stay open; Node does not track it any more. */
const LINGERING_MS = 1000

/** Writes an error directly to the socket, and closes, even where the client does not. */
function answerRaw(socket: Duplex, {status, entries}: ShopError): void {
  const hangUp = setTimeout(() => socket.destroy(), LINGERING_MS)
  socket.once('close', () => clearTimeout(hangUp))
  const body = escapePlain(JSON.stringify({errors: entries}))
  socket.end(
    `HTTP/1.1 ${status} ${entries[0]?.title}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
