import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type {AddressInfo, Socket} from 'node:net'
import {limitConnections} from '../http/connection-limit.js'
import type {Address} from '../http/listener.js'
import {bindError, trackConnections} from '../http/listener.js'
import {LIMITS} from './held-bytes.js'

export interface WebhookListenerOptions {
  /** How long a stop waits, milliseconds. */
  readonly graceMs: number
  /** Absent: HTTP without TLS. */
  readonly certificate?: Certificate | undefined
  /** Told of each connection that was one too many. */
  readonly onDropped?: () => void
}

/** PEM texts of the certificate to show. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** A server that accepts connections. */
export interface WebhookListener {
  /** `https://127.0.0.1:8443` */
  readonly url: string
  /** Takes no new connection, and resolves when the last call has been answered, or the grace period is over. */
  close(): Promise<void>
}

const SETTINGS: ServerOptions = {
  headersTimeout: LIMITS.headersTimeoutMs,
  requestTimeout: LIMITS.requestTimeoutMs,
  connectionsCheckingInterval: LIMITS.slowCheckMs,
  keepAliveTimeout: LIMITS.keepAliveMs,
}

const NEXT = {
  taken: ['storectl webhook capture --listen 0   # any free port'],
  unusable: ['storectl webhook capture --listen 127.0.0.1:0'],
}

/**
 * Listens at an address.
 *
 * @throws StorectlError `conflict.port_in_use`, `usage.address_not_usable`
 */
export async function openWebhookListener(
  address: Address,
  answer: RequestHandler,
  {graceMs, certificate, onDropped}: WebhookListenerOptions,
): Promise<WebhookListener> {
  const server = await createWebServer(certificate)
  // The size of a head is limit enough: of many headers Node 20 takes some away without a word, later versions refuse all.
  server.maxHeadersCount = 0
  server.on('request', (request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  server.on('clientError', rejectConnection)
  limitConnections(server, LIMITS.connections, onDropped)
  const letGo = trackConnections(server, graceMs)
  await listenAt(server, address)
  return {
    url: buildUrl(server, certificate ? 'https' : 'http'),
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeIdleConnections()
        letGo()
      }),
  }
}

async function createWebServer(certificate: Certificate | undefined): Promise<Server> {
  if (!certificate) return createServer(SETTINGS)
  const https = await import('node:https')
  return https.createServer({...SETTINGS, ...certificate})
}

function listenAt(server: Server, {host, port}: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', error => reject(bindError(error, {host, port}, NEXT)))
    server.listen({host, port}, resolve)
  })
}

function buildUrl(server: Server, scheme: string): string {
  const {address, family, port} = server.address() as AddressInfo
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

const STATUS_BY_CODE: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/** How long somebody who was refused may stay. */
const LINGERING_MS = 1000

/** What is no HTTP, or comes too slowly. */
function rejectConnection(error: Error & {code?: string}, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const timer = setTimeout(() => socket.destroy(), LINGERING_MS)
  socket.once('close', () => clearTimeout(timer))
  const status = STATUS_BY_CODE[error.code ?? ''] ?? '400 Bad Request'
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
