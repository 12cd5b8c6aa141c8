import {connect, createServer, type Socket} from 'node:net'
import type {PostgresLocation} from '../../../src/storage/engine/database.js'
import {listen} from '../listen.js'

/** When a connection breaks: before a commit comes through, or before its answer does. */
export type Break = 'before commit' | 'before its answer'

/** Stands between storectl and PostgreSQL, and breaks connections at the worst moments. */
export interface BreakingProxy {
  readonly place: PostgresLocation
  /** The next commit breaks its connection. */
  breakNext(how: Break): void
  /** How often it has. */
  readonly broken: number
  close(): Promise<void>
}

const COMMIT = Buffer.from('commit\0')

export async function breakingProxy(behind: PostgresLocation): Promise<BreakingProxy> {
  let next: Break | undefined
  let broken = 0
  const sockets = new Set<Socket>()
  const server = createServer(near => {
    const far = connect(behind.port, behind.host)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    }
    let isDeaf = false
    near.on('data', piece => {
      if (next === undefined || !piece.includes(COMMIT)) return far.write(piece)
      const how = next
      next = undefined
      broken++
      if (how === 'before commit') {
        far.destroy()
        return near.destroy()
      }
      isDeaf = true
      return far.write(piece)
    })
    far.on('data', piece => (isDeaf ? near.destroy() : near.write(piece)))
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  await listen(server)
  const {port} = server.address() as {port: number}
  return {
    place: {...behind, host: '127.0.0.1', port},
    breakNext: how => {
      next = how
    },
    get broken() {
      return broken
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
