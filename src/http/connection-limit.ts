import type {Server} from 'node:http'
import type {Socket} from 'node:net'

/**
 * Limits the connections of a server. Beyond the limit it closes the connection that has been idle for longest, or,
 * where none is idle, the new one.
 *
 * @param most connections at once
 * @param onDropped called for each new connection that was closed
 */
export function limitConnections(server: Server, most: number, onDropped?: () => void): void {
  const open = new Set<Socket>()
  /** By name, the longest idle first. */
  const idle = new Map<string, Socket>()
  server.on('connection', socket => {
    const name = nameConnection(socket)
    open.add(socket)
    idle.set(name, socket)
    socket.once('close', () => {
      open.delete(socket)
      if (idle.get(name) === socket) idle.delete(name)
    })
    if (open.size <= most) return
    const [[longestName, longest] = [name, socket]] = idle
    idle.delete(longestName)
    open.delete(longest)
    longest.destroy()
    if (longest === socket) onDropped?.()
  })
  server.on('request', (request, response) => {
    const name = nameConnection(request.socket)
    const socket = idle.get(name)
    if (!socket) return
    idle.delete(name)
    response.once('close', () => {
      if (open.has(socket)) idle.set(name, socket)
    })
  })
}

/** With TLS the socket of a request is not that of the connection; their addresses are the same. */
function nameConnection({remoteAddress, remotePort}: Socket): string {
  return `${remoteAddress} ${remotePort}`
}
