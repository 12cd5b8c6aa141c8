import {once} from 'node:events'
import {createServer, type ServerResponse} from 'node:http'
import {type AddressInfo, connect, type Socket} from 'node:net'
import {expect, onTestFinished, test} from 'vitest'
import {limitConnections} from '../../src/http/connection-limit.js'

/** A server of three connections that answers when it is told to. */
async function openServer() {
  const waiting: ServerResponse[] = []
  const dropped: number[] = []
  const server = createServer((_, response) => {
    waiting.push(response)
    server.emit('waiting')
  })
  limitConnections(server, 3, () => dropped.push(waiting.length))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const {port} = server.address() as AddressInfo
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    onTestFinished(() => void socket.destroy())
    await once(server, 'connection')
    return socket
  }
  const call = async (socket: Socket) => {
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(server, 'waiting')
    return socket
  }
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {waiting, dropped, open, call}
}

test('idle connections give way to a new one, the longest idle first', async () => {
  const {waiting, dropped, open, call} = await openServer()
  const [first, busy] = [await open(), await call(await open())]
  const second = await open()
  const closed = once(first, 'close')
  const provider = await call(await open())
  await closed
  expect([second.closed, busy.closed, waiting.length, dropped]).toEqual([false, false, 2, []])
  const answered = once(provider, 'data')
  waiting[1]?.end('ok')
  expect(String(await answered)).toContain('200 OK')
})

test('a new connection is dropped where none is idle', async () => {
  const {dropped, open, call} = await openServer()
  for (const _ of Array(3).keys()) await call(await open())
  const late = await open()
  if (!late.closed) await once(late, 'close')
  expect(dropped).toEqual([3])
})
