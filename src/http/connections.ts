import type {Server, ServerResponse} from 'node:http'
import type {Socket} from 'node:net'

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
export function connectionsOf(server: Server, longestStopMs = LONGEST_STOP_MS): () => void {
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
