import {createServer, type ServerOptions} from 'node:https'
import {onTestFinished} from 'vitest'
import {listen} from './listen.js'

/** A server behind TLS that answers everything with a version; closed when the test ends. @returns its address */
export async function secureServer(options: ServerOptions): Promise<string> {
  const server = createServer(options, (_request, response) => response.end('{"version":"1"}'))
  const port = await listen(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `https://127.0.0.1:${port}`
}
