import {createServer, type IncomingHttpHeaders} from 'node:http'
import type {Socket} from 'node:net'
import {onTestFinished} from 'vitest'
import {listen} from './listen.js'

/** A request as it arrived, body bytes read as UTF-8. */
export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** What to answer; `reset` breaks the connection instead, `silence` never answers. */
export interface Reply {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: string | object
  readonly reset?: true
  readonly silence?: true
}

export type Handler = (request: Received, count: number) => Reply | Promise<Reply>

export interface Endpoint {
  readonly url: string
  /** Every request so far, in order of arrival. */
  readonly received: Received[]
  close(): Promise<void>
}

/** The versions that a shop tells to whoever asks by `sw-expect-packages`. */
export interface ToldVersions {
  readonly shop: string
  readonly plugin?: string
}

const SIX_SIX: ToldVersions = {shop: '6.6.7.1', plugin: '9.6.2'}

/**
 * A real HTTP server on a loopback port that answers as the handler says; closed when the test ends. Whoever asks for its
 * versions gets them, and counts for nothing.
 *
 * @param versions `null` for a server that does not tell them
 */
export async function endpoint(
  handler: Handler = () => ({status: 200}),
  versions: ToldVersions | null = SIX_SIX,
): Promise<Endpoint> {
  const received: Received[] = []
  const sockets = new Set<Socket>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const {method = '', url = '', headers} = request
    if (headers['sw-expect-packages'] !== undefined) {
      const {status, body} = tellVersions(versions)
      response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(body))
      return
    }
    const seen = {method, url, headers, body: Buffer.concat(chunks).toString('utf8')}
    received.push(seen)
    const reply = await handler(seen, received.length)
    if (reply.silence) return
    if (reply.reset) return request.socket.destroy()
    const body = typeof reply.body === 'object' ? JSON.stringify(reply.body) : (reply.body ?? '')
    const type = typeof reply.body === 'object' ? {'content-type': 'application/json'} : {}
    response.writeHead(reply.status ?? 200, {...type, ...reply.headers}).end(body)
  })
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const port = await listen(server)
  const close = () =>
    new Promise<void>(resolve => {
      for (const socket of sockets) socket.destroy()
      server.close(() => resolve())
    })
  onTestFinished(close)
  return {url: `http://127.0.0.1:${port}`, received, close}
}

function tellVersions(versions: ToldVersions | null) {
  if (versions === null) return {status: 404, body: {}}
  const {shop, plugin} = versions
  const parameters = [
    `Version constraint for shopware/core is failed. Installed is: ${shop}`,
    plugin === undefined
      ? 'Requested package: swag/paypal is not available'
      : `Version constraint for swag/paypal is failed. Installed is: ${plugin}`,
  ]
  return {
    status: 417,
    body: {errors: [{status: '417', code: 'FRAMEWORK__API_EXPECTATION_FAILED', meta: {parameters}}]},
  }
}
