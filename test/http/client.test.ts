import {createServer as createHttpServer} from 'node:http'
import {createServer} from 'node:net'
import {expect, onTestFinished, test} from 'vitest'
import {openHttp} from '../../src/http/client.js'
import {machineClock} from '../../src/platform/clock.js'
import {endpoint} from '../support/endpoint.js'
import {listen} from '../support/listen.js'
import {until} from '../support/until.js'

function caller(url: string, timeoutMs = 2000) {
  const http = openHttp({
    connectTimeoutMs: 500,
    timeoutMs,
    connections: 4,
    env: {},
    clock: machineClock,
    userAgent: 'storectl/test',
  })
  onTestFinished(() => http.close())
  return http.to(new URL(url))
}

test('the path of the base URL stands before that of the call', async () => {
  const shop = await endpoint(() => ({status: 200, body: 'ok'}))
  const answer = await caller(`${shop.url}/second-shop/`).call({
    method: 'POST',
    path: '/api/search/customer',
    body: '{}',
  })
  expect(answer.body.toString()).toBe('ok')
  expect(shop.received[0]?.url).toBe('/second-shop/api/search/customer')
})

test.each([301, 302, 303, 307, 308])('a redirect (%i) is an answer, not a second call', async status => {
  const other = await endpoint()
  for (const method of ['GET', 'POST']) {
    for (const location of [other.url, '/elsewhere']) {
      const shop = await endpoint(() => ({status, headers: {location}}))
      expect((await caller(shop.url).call({method, path: '/'})).status).toBe(status)
      expect(shop.received).toHaveLength(1)
    }
  }
  expect(other.received).toEqual([])
})

test('a refused connection says that nothing was sent', async () => {
  const shop = await endpoint()
  await shop.close()
  await expect(caller(shop.url).call({method: 'POST', path: '/'})).rejects.toMatchObject({
    code: 'unavailable.not_connected',
    message: expect.stringContaining('Nothing was sent'),
  })
})

test('a connection broken after sending says that the call may have been received', async () => {
  const shop = await endpoint(() => ({reset: true}))
  await expect(caller(shop.url).call({method: 'POST', path: '/', body: '{}'})).rejects.toMatchObject({
    code: 'unavailable.no_answer',
  })
  expect(shop.received).toHaveLength(1)
})

test('silence ends with the time-out, and the call may have been received', async () => {
  const shop = await endpoint(() => ({silence: true}))
  await expect(caller(shop.url, 200).call({method: 'POST', path: '/'})).rejects.toMatchObject({
    code: 'unavailable.no_answer',
    message: expect.stringContaining('within 0.2 s'),
  })
})

test('a drip-fed answer ends with the time-out too', async () => {
  const server = createServer(socket => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n')
    const drip = setInterval(() => socket.write('x'), 50)
    socket.on('close', () => clearInterval(drip))
    socket.on('error', () => undefined)
  })
  const port = await listen(server)
  onTestFinished(() => void server.close())
  await expect(
    caller(`http://127.0.0.1:${port}`, 300).call({method: 'GET', path: '/'}),
  ).rejects.toMatchObject({
    code: 'unavailable.no_answer',
  })
})

test('a port that does not speak HTTP is named as such', async () => {
  const server = createServer(
    socket => void socket.on('error', () => undefined).write('SSH-2.0-OpenSSH_9\r\n'),
  )
  const port = await listen(server)
  onTestFinished(() => void server.close())
  await expect(caller(`http://127.0.0.1:${port}`).call({method: 'GET', path: '/'})).rejects.toMatchObject({
    code: 'unavailable.no_answer',
    message: `http://127.0.0.1:${port} does not answer in HTTP; the call may have been received.`,
  })
})

test('a read is cut short by its signal, with the signal’s own reason', async () => {
  const shop = await endpoint(() => ({silence: true}))
  const stop = new AbortController()
  const reason = new Error('enough')
  const call = caller(shop.url).call({method: 'POST', path: '/', signal: stop.signal})
  stop.abort(reason)
  await expect(call).rejects.toBe(reason)
})

/** A server whose answer has no end; `sentBytes` counts what the connections took. */
async function endlessServer() {
  let sentBytes = 0
  const server = createServer(socket => {
    const piece = Buffer.alloc(64 * 1024, 32)
    const send = () => {
      while (!socket.destroyed && socket.write(piece)) sentBytes += piece.length
    }
    socket.on('error', () => undefined).on('drain', send)
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n')
      send()
    })
  })
  const port = await listen(server)
  onTestFinished(() => void server.close())
  return {url: `http://127.0.0.1:${port}`, sentBytes: () => sentBytes}
}

test.each([
  ['short', 1],
  ['usual', 16],
  ['page', 128],
] as const)('an endless answer where a %s one is expected ends after %i MiB', async (answer, mebibytes) => {
  const server = await endlessServer()
  const call = caller(server.url, 20_000).call({method: 'POST', path: '/', body: '{}', answer})
  await expect(call).rejects.toMatchObject({
    code: 'unavailable.no_answer',
    message: expect.stringContaining(`more than ${mebibytes} MiB`),
  })
  // What the operating system holds of a connection is beyond the limit.
  expect(server.sentBytes()).toBeLessThan((mebibytes + 16) * 1024 * 1024)
})

test('a connection that is idle for a second is closed, whatever the server offers', async () => {
  const open = new Set<unknown>()
  const server = createHttpServer((_request, response) => {
    response.writeHead(200, {'Keep-Alive': 'timeout=600'}).end()
  })
  server.keepAliveTimeout = 0
  server.on('connection', socket => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  const port = await listen(server)
  onTestFinished(() => void server.close())
  const {call} = caller(`http://127.0.0.1:${port}`)
  await call({method: 'POST', path: '/', body: '{}'})
  expect(open.size).toBe(1)
  await until('the connection is closed', () => open.size === 0)
})
