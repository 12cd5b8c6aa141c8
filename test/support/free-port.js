import {createServer} from 'node:net'

/** A port of this machine that nobody listens at. */
export function freePort() {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const {port} = server.address()
      server.close(() => resolve(port))
    })
  })
}
