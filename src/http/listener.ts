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
 * Reads an address to listen on: `127.0.0.1:8443`, `[::1]:0`, `:8080` for all addresses of this machine, or a port alone,
 * which is that of 127.0.0.1.
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

/** Whether a host can be reached from this machine alone. @param host name or address, of IPv6 in brackets too */
export function isLoopback(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/i.test(host)
}

/** What a person can do about it: commands to paste. */
interface NextSteps {
  /** Where the port is taken. */
  readonly taken: readonly string[]
  /** Where the address is none of this machine's. */
  readonly unusable: readonly string[]
}

/**
 * Why a server could not be bound, as an error that a person can act on: `conflict.port_in_use`,
 * `usage.address_not_usable`. Anything else comes back unchanged.
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

/** Longest that a stop waits for what is under way: less than `server stop` waits, and nobody's slow body keeps it. */
const LONGEST_STOP_MS = 25_000

/** A request that has been sent is read within this time. */
const SILENT_MS = 250

/**
 * Connections of a server, so that a stop is not kept by them. Node closes those that have answered and wait for more
 * when the stop begins, but not those that answer after that and are kept by their callers, nor those over which
 * nothing has come yet, such as a browser opens ahead of need.
 *
 * @param longestStopMs how long a stop waits for those that are under way
 * @returns lets go of silent connections very soon, and of all others after that time; called when a stop begins
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

/** How long a sender of too much may pause, and how long it is listened to in all. */
const PAUSE_MS = 200
const LISTENING_MS = 2000

/**
 * Reads on in a body that is refused, and throws it away: who is hung up on while it still sends may never see the
 * answer. Resolves when the sender is done, pauses, or does not come to an end.
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
