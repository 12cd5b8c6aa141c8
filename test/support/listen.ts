import type {AddressInfo, Server} from 'node:net'

/** Listens on a port of this machine; on one that is free, where none is given. @returns the port */
export async function listen(server: Server, port = 0): Promise<number> {
  await new Promise<void>(resolve => void server.listen(port, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
