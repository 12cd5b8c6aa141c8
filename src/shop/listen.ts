import type {AddressInfo} from 'node:net'
import type {FastifyInstance} from 'fastify'
import {bindError, trackConnections} from '../http/listener.js'

export interface ListenOptions {
  /** Default 127.0.0.1. */
  host?: string
  /** 0 lets the system choose. Default 0. */
  port?: number
}

/** A server that accepts connections. */
export interface Listening {
  /** Base URL without a trailing slash, `http://127.0.0.1:41234`. */
  url: string
  /** Takes no new connection, answers what is under way, and resolves when the last is done. */
  stop(): Promise<void>
}

/** What helps where the port is taken, and where the address is not ours. */
const NEXT = {
  taken: ['storectl server start --port 0', 'storectl server status'],
  unusable: ['storectl server start --host 127.0.0.1 --port 0'],
}

/**
 * Binds the app to an address.
 *
 * @throws StorectlError `conflict.port_in_use`, `usage.address_not_usable`
 */
export async function listen(app: FastifyInstance, options: ListenOptions = {}): Promise<Listening> {
  const {host = '127.0.0.1', port = 0} = options
  const letGo = trackConnections(app.server)
  try {
    await app.listen({host, port})
  } catch (error) {
    throw bindError(error as NodeJS.ErrnoException, {host, port}, NEXT)
  }
  const address = app.server.address() as AddressInfo
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return {url: `http://${name}:${address.port}`, stop: () => waitUntilStopped(app, letGo)}
}

function waitUntilStopped(app: FastifyInstance, letGo: () => void): Promise<void> {
  const closed = app.close()
  letGo()
  return closed
}
