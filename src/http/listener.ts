import type {Server, ServerResponse} from 'node:http'
import type {Socket} from 'node:net'
import type {Readable} from 'node:stream'
import {createUsageError, StorectlError} from '../errors.js'

/** Where a server listens. */
export interface Address {
  /** A name or an address, without brackets. */
  readonly host: string
  /** 0 lets the system choose. */
  readonly port: number
}

/** Every address of this machine, as `:8080` means it. */
const EVERYWHERE = '::'
const HERE = '127.0.0.1'

/**
 * Parses an address to listen on: `127.0.0.1:8443`, `[::1]:0`, `:8080` for all addresses of this machine, or just a
 * port, then on 127.0.0.1.
 *
 * @throws StorectlError `usage.listen`
 */
export function parseListenAddress(text: string): Address {
  const [, bracketed, plain, port = ''] =
    /^(?:(?:\[([\w.:%]+)\]|([\w.-]*)):)?(\d{1,5})$/.exec(text.trim()) ?? []
  if (port !== '' && Number(port) <= 65_535) {
    const host = bracketed ?? plain ?? HERE
    return {host: host === '' ? EVERYWHERE : host, port: Number(port)}
  }
  throw createUsageError('listen', `Invalid listen address "${text}".`, [
    'write 127.0.0.1:8443, [::1]:8443, :8443 (all addresses) or 0 (any free port)',
  ])
}

/** Whether a host can be reached from this machine only. @param host name or address; IPv6 also in brackets */
export function isLoopback(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/i.test(host)
}

/** Commands that a person can paste. */
interface NextSteps {
  /** For a port in use. */
  readonly taken: readonly string[]
  /** For an address that this machine does not have. */
  readonly unusable: readonly string[]
}

/**
 * Turns a failed bind into an error that a person can act on: `conflict.port_in_use`, `usage.address_not_usable`. Any
 * other error is returned unchanged.
 */
export function bindError(error: NodeJS.ErrnoException, {host, port}: Address, next: NextSteps): unknown {
  if (error.code === 'EADDRINUSE') {
    return new StorectlError('conflict.port_in_use', `Port ${port} on ${host} is already taken.`, {
      nextSteps: next.taken,
      cause: error,
    })
  }
  if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EACCES', 'EINVAL'].includes(error.code ?? '')) {
    return createUsageError(
      'address_not_usable',
      `Cannot listen on ${host} port ${port}: ${error.message}.`,
      [...next.unusable],
    )
  }
  return error
}

/** Longest time that a stop waits for requests in flight, also for slow bodies: less than `server stop` waits. */
const LONGEST_STOP_MS = 25_000

/** Within this time the first bytes of a sent request have been read. */
const SILENT_MS = 250

/**
 * Tracks the connections of a server, so that they do not delay a stop. At a stop Node closes connections that are idle
 * after a response, but neither those that respond later and are kept alive by their callers, nor those without any
 * request yet, which browsers open in advance.
 *
 * @param longestStopMs how long a stop waits for requests in flight
 * @returns closes connections without a request very soon, and all others after that time; called when a stop begins
 */
export function trackConnections(server: Server, longestStopMs = LONGEST_STOP_MS): () => void {
  const open = new Set<Socket>()
  server.on('connection', socket => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  let isStopping = false
  server.on('request', (_, response: ServerResponse) => {
    response.once('finish', () => {
      if (isStopping) response.req.socket.destroySoon()
    })
  })
  return () => {
    isStopping = true
    const silent = setTimeout(() => {
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
    }, SILENT_MS)
    const all = setTimeout(() => server.closeAllConnections(), longestStopMs)
    server.once('close', () => {
      clearTimeout(silent)
      clearTimeout(all)
    })
  }
}

/** How long the sender of a body that is too long may pause, and how long it is read in all. */
const PAUSE_MS = 200
const LISTENING_MS = 2000

/**
 * Reads and discards the rest of a refused body: a client whose connection is closed while it sends may never see the
 * response. Resolves when the sender is done, pauses, or takes too long.
 */
export function discardBody(body: Readable): Promise<void> {
  return new Promise(resolve => {
    const pausing = setTimeout(finish, PAUSE_MS)
    const listening = setTimeout(finish, LISTENING_MS)
    function finish() {
      clearTimeout(pausing)
      clearTimeout(listening)
      resolve()
    }
    body.on('data', () => pausing.refresh())
    for (const end of ['end', 'close', 'error']) body.once(end, finish)
    if (body.readableEnded || body.destroyed) finish()
  })
}
