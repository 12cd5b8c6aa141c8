import {createServer, type ServerOptions} from 'node:https'
import type {AddressInfo} from 'node:net'
import {onTestFinished} from 'vitest'

/** A server behind TLS that answers everything with a version; closed when the test ends. @returns its address */
export async function secureServer(options: ServerOptions): Promise<string> {
  const server = createServer(options, (_request, response) => response.end('{"version":"1"}'))
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
}
