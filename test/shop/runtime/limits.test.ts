import {once} from 'node:events'
import {connect} from 'node:net'
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest'
import type {ServerLimits} from '../../../src/shop/runtime/limits.js'
import {until} from '../../support/until.js'
import {runShop, type TestShop} from '../running-shop.js'

let shop: TestShop
beforeAll(async () => {
  shop = await runShop()
})
afterAll(() => shop.stop())

/** Sends bytes over a socket of its own, and gives all that comes back until the server hangs up. */
async function raw(
  bytes: string | Buffer,
  to: TestShop = shop,
  more?: (write: (some: string) => void) => void,
) {
  const {hostname, port} = new URL(to.url)
  const write = (some: string) => void (socket.writable && socket.write(some))
  const socket = connect(Number(port), hostname, () => {
    socket.write(bytes)
    more?.(write)
  })
  socket.on('error', () => undefined)
  let text = ''
  socket.on('data', chunk => {
    text += chunk.toString('latin1')
  })
  await new Promise(resolve => socket.on('close', resolve))
  return text
}

/** Status and error of an answer, which has to be an envelope. */
function told(answer: string): unknown[] {
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1])
  const {errors} = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as {
    errors: {status: string; detail: string}[]
  }
  expect(answer).toMatch(/^Content-Type: application\/json\r$/im)
  expect(errors[0]?.status).toBe(String(status))
  return [status, errors[0]?.detail]
}

const NOT_HTTP = [400, 'The request is not valid HTTP.']
const head = (line: string, ...headers: string[]) =>
  `${[line, 'Host: shop.test', 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`
const nowhere = (what: string) => [404, `No route found for "${what}"`]

async function limited(limits: Partial<ServerLimits>): Promise<TestShop> {
  const made = await runShop({limits})
  onTestFinished(() => made.stop())
  return made
}

describe('a slow sender gets an error and is disconnected', () => {
  const QUICK = {headersTimeoutMs: 60, requestTimeoutMs: 250, slowCheckMs: 10}
  const TOO_LONG = [408, 'The request took too long to arrive.']
  /** On a loaded machine a call of its own may come too slowly as well. */
  const isAlive = ({url}: TestShop) =>
    until('the shop answers', async () => {
      const {status} = await fetch(`${url}/api/_info/health-check`)
      return status !== 408 && status
    })

  test.each([
    ['nothing at all', ''],
    ['half a line', 'POST /api/oa'],
    ['a head that never ends', 'POST /api/oauth/token HTTP/1.1\r\nHost: x\r\nX-A: b\r\n'],
  ])('with %s', async (_, bytes) => {
    const impatient = await limited(QUICK)
    expect(told(await raw(bytes, impatient))).toEqual(TOO_LONG)
    expect(await isAlive(impatient)).toBe(200)
  })

  test.each([
    ['never comes', []],
    ['comes byte by byte', ['{']],
  ])('with a body that %s', async (_, dribble) => {
    const impatient = await limited(QUICK)
    const bytes = head(
      'POST /api/oauth/token HTTP/1.1',
      'Content-Type: application/json',
      'Content-Length: 1000',
    )
    let timer: NodeJS.Timeout | undefined
    const answer = await raw(bytes, impatient, write => {
      for (const byte of dribble) timer = setInterval(() => write(byte), 15)
    })
    clearInterval(timer)
    expect(told(answer)).toEqual(TOO_LONG)
    expect(await isAlive(impatient)).toBe(200)
  })

  test('and many of them keep nobody else waiting', async () => {
    const impatient = await limited({...QUICK, headersTimeoutMs: 1500, requestTimeoutMs: 2000})
    const slow = Promise.all(Array.from({length: 100}, () => raw('GET / HTTP/1.1\r\n', impatient)))
    expect(await isAlive(impatient)).toBe(200)
    expect((await slow).map(answer => told(answer)[0])).toEqual(Array(100).fill(408))
  })
})

describe('a connection that is of no use is closed', () => {
  const HEALTH = 'GET /api/_info/health-check HTTP/1.1\r\nHost: x\r\n\r\n'

  function open(to: TestShop, bytes = '') {
    const {hostname, port} = new URL(to.url)
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    const closed = new Promise<'closed'>(resolve => socket.once('close', () => resolve('closed')))
    return {socket, closed}
  }

  const answered = ({socket, closed}: ReturnType<typeof open>) =>
    Promise.race([
      closed,
      new Promise<string>(resolve => socket.once('data', chunk => resolve(chunk.toString('latin1', 0, 12)))),
    ])

  test('that was answered and asks for nothing more', async () => {
    const kept = open(await limited({keepAliveMs: 50}), HEALTH)
    expect(await answered(kept)).toBe('HTTP/1.1 200')
    expect(await kept.closed).toBe('closed')
  })

  test('that is one of too many, while those that are open go on, and one that ends makes room', async () => {
    const small = await limited({connections: 2})
    const second = open(small)
    await once(second.socket, 'connect')
    const first = open(small, HEALTH)
    expect(await answered(first)).toBe('HTTP/1.1 200')
    expect(await open(small, HEALTH).closed).toBe('closed')
    second.socket.write(HEALTH)
    expect(await answered(second)).toBe('HTTP/1.1 200')
    first.socket.destroy()
    await until('there is room again', async () => (await answered(open(small, HEALTH))) === 'HTTP/1.1 200')
  })

  test('whose sender reads no answer', async () => {
    const patient = {headersTimeoutMs: 600_000, requestTimeoutMs: 600_000, keepAliveMs: 600_000}
    const {socket, closed} = open(await limited({...patient, stalledMs: 200}), HEALTH.repeat(200_000))
    socket.pause()
    expect(await closed).toBe('closed')
  })
})

describe('a body over the limit is 413', () => {
  const size = (length: number) => JSON.stringify({a: 'x'.repeat(length - '{"a":""}'.length)})
  const status = async ({post}: TestShop, path: string, length: number) =>
    (await post(path, size(length))).status

  test('of 10 MiB, and of 1 MiB for fulfillment orders', async () => {
    const token = {authorization: `Bearer ${await shop.signIn()}`}
    const MIB = 1024 * 1024
    const search = (length: number) => shop.post('/api/search/tag', `{${' '.repeat(length - 2)}}`, token)
    expect([(await search(10 * MIB)).status, (await search(10 * MIB + 1)).status]).toEqual([200, 413])
    expect(await status(shop, '/api/fulfillment/order', MIB)).toBe(401)
    expect(await status(shop, '/api/fulfillment/order', MIB + 1)).toBe(413)
  })

  test('of what the server was started with, also where a route would take more', async () => {
    const small = await limited({bodyBytes: 100})
    expect(await status(small, '/api/oauth/token', 100)).toBe(400)
    expect(await status(small, '/api/oauth/token', 101)).toBe(413)
    const order = await small.post('/api/fulfillment/order', size(101))
    const {errors} = (await order.json()) as {errors: {code: string; detail: string}[]}
    expect([order.status, errors[0]?.code]).toEqual([413, 'FULFILLMENT__TOO_LARGE'])
    expect(errors[0]?.detail).toContain('100 ')
  })

  test('but a server that takes more has routes that do not', async () => {
    const large = await limited({bodyBytes: 20 * 1024 * 1024})
    expect(await status(large, '/api/oauth/token', 11 * 1024 * 1024)).toBe(400)
    expect(await status(large, '/api/fulfillment/order', 1024 * 1024 + 1)).toBe(413)
  })

  test('also one that does not say how long it is', async () => {
    const piece = `10000\r\n${'a'.repeat(0x10000)}\r\n`
    const bytes = head('POST /api/oauth/token HTTP/1.1', 'Transfer-Encoding: chunked')
    expect(told(await raw(`${bytes}${piece.repeat(161)}`))[0]).toBe(413)
  })
})

describe('any input gets the error envelope', () => {
  test.each([
    ['bytes', '\u00ff\u00fe\r\n\r\n'],
    ['TLS', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['another version', 'GET / HTTP/1.2\r\n\r\n'],
    ['an unknown method', head('FOO /api/x HTTP/1.1')],
    ['a NUL in the path', head('GET /api/\u0000 HTTP/1.1')],
    ['a NUL in a header', head('GET /api/x HTTP/1.1', 'X: a\u0000b')],
    ['a path without a slash', head('GET api/x HTTP/1.1')],
    ['a chunk without a length', `${head('POST / HTTP/1.1', 'Transfer-Encoding: chunked')}zz\r\n`],
    [
      'a chunk that is too long to be true',
      `${head('POST / HTTP/1.1', 'Transfer-Encoding: chunked')}${'f'.repeat(18)}\r\n`,
    ],
    ['an encoding that is none', `${head('POST / HTTP/1.1', 'Transfer-Encoding: gzip')}{}`],
    ['two lengths', `${head('POST / HTTP/1.1', 'Content-Length: 2', 'Content-Length: 3')}{}`],
    [
      'a length and chunks',
      `${head('POST / HTTP/1.1', 'Content-Length: 2', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    ],
    ['a length below nothing', head('POST / HTTP/1.1', 'Content-Length: -1')],
  ])('%s', async (_, bytes) => {
    expect(told(await raw(Buffer.from(bytes, 'latin1')))).toEqual(NOT_HTTP)
  })

  test.each([
    ['an endless header', head('GET / HTTP/1.1', `X: ${'a'.repeat(100_000)}`)],
    ['an endless path', head(`GET /${'a'.repeat(100_000)} HTTP/1.1`)],
  ])('%s', async (_, bytes) => {
    expect(told(await raw(bytes))).toEqual([431, 'The request is not valid HTTP.'])
  })

  test.each([
    ['GET /api%2Fsearch HTTP/1.1', 'GET http://shop.test/api%2Fsearch'],
    ['GET /api/%00 HTTP/1.1', 'GET http://shop.test/api/%00'],
    ['GET //api HTTP/1.1', 'GET http://shop.test//api'],
    ['GET /api/../api/x HTTP/1.1', 'GET http://shop.test/api/../api/x'],
    ['GET /api/a;b=c?d=e HTTP/1.1', 'GET http://shop.test/api/a;b=c'],
    ['TRACE /x HTTP/1.1', 'TRACE http://shop.test/x'],
    ['GET * HTTP/1.1', 'GET http://shop.test*'],
    ['GET /api/x HTTP/1.0', 'GET http://shop.test/api/x'],
  ])('%s is no route', async (line, what) => {
    expect(told(await raw(head(line)))).toEqual(nowhere(what))
  })

  test('a whole address counts with its own host, as proxies send it', async () => {
    expect(told(await raw(head('GET http://other.test:81/api/x?y=1 HTTP/1.1')))).toEqual(
      nowhere('GET http://other.test:81/api/x'),
    )
    expect(told(await raw(head('GET http://other.test?y=1 HTTP/1.1')))).toEqual(
      nowhere('GET http://other.test/'),
    )
    expect(await raw(head('GET HTTP://other.test/api/_info/health-check HTTP/1.1'))).toMatch(
      /^HTTP\/1\.1 200 /,
    )
  })

  test('percent-encoded characters in a path are decoded', async () => {
    expect(told(await raw(head('GET /api/_%69nfo/version HTTP/1.1')))[0]).toBe(401)
  })

  test('a tunnel is refused', async () => {
    expect(told(await raw('CONNECT other.test:443 HTTP/1.1\r\nHost: other.test:443\r\n\r\n'))).toEqual([
      405,
      'No route found for "CONNECT other.test:443": Method Not Allowed (Allow: )',
    ])
  })

  test.each([
    ['was refused a tunnel', 'CONNECT other.test:443 HTTP/1.1\r\nHost: other.test:443\r\n\r\n'],
    ['came too slowly', 'GET / HTTP/1.1\r\nHost:'],
    ['spoke no HTTP', 'hello\r\n\r\n'],
  ])('who %s and stays is hung up on', async (_, bytes) => {
    const impatient = await limited({headersTimeoutMs: 60, requestTimeoutMs: 60_000, slowCheckMs: 10})
    const {hostname, port} = new URL(impatient.url)
    const socket = connect({host: hostname, port: Number(port), allowHalfOpen: true})
    socket.write(bytes)
    socket.resume()
    await new Promise(resolve => socket.once('end', resolve))
    const closed = new Promise(resolve => socket.once('error', resolve))
    const knocking = setInterval(() => socket.write('x'), 50)
    onTestFinished(() => clearInterval(knocking))
    expect(await closed).toMatchObject({code: expect.stringMatching(/EPIPE|ECONNRESET/)})
  })

  test('requests that come all at once are answered in their order', async () => {
    const health = 'GET /api/_info/health-check HTTP/1.1\r\nHost: x\r\n\r\n'
    const answer = await raw(`${health.repeat(50)}${head('GET /api/last HTTP/1.1')}`)
    expect(answer.match(/HTTP\/1\.1 \d{3}/g)).toEqual([...Array(50).fill('HTTP/1.1 200'), 'HTTP/1.1 404'])
    expect(answer).toMatch(/\\\/last/)
  })

  test('a body in chunks, with trailers, is one body', async () => {
    const bytes = head(
      'POST /api/oauth/token HTTP/1.1',
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    )
    expect(told(await raw(`${bytes}2\r\n{"\r\n4\r\na":1\r\n1\r\n}\r\n0\r\nX-A: b\r\n\r\n`))[0]).toBe(400)
    expect(told(await raw(`${bytes}2\r\n{"\r\n0\r\n\r\n`))).toEqual([400, 'The JSON payload is malformed.'])
  })

  test('thousands of headers and of parameters', async () => {
    const many = Array.from({length: 2500}, () => 'A: b')
    expect(told(await raw(head('GET /api/x HTTP/1.1', ...many)))[0]).toBe(404)
    const query = Array.from({length: 1500}, (_, index) => `a${index}=1`).join('&')
    expect(told(await raw(head(`GET /api/x?${query} HTTP/1.1`)))[0]).toBe(404)
  })
})

test('a sender of too much gets a response before the connection closes', async () => {
  const body = ' '.repeat(11 * 1024 ** 2)
  for (let round = 0; round < 10; round++) {
    const answer = await shop.post('/api/search/customer', body)
    expect([answer.status, await answer.json()]).toMatchObject([413, {errors: [{status: '413'}]}])
  }
})

describe('a body made to be slow to read is read to its end and refused', () => {
  const FORM = 'application/x-www-form-urlencoded'

  test.each([
    ['a million brackets', '['.repeat(9_000_000), 'application/json'],
    ['lists in lists', `${'['.repeat(4_000_000)}${']'.repeat(4_000_000)}`, 'application/json'],
    ['a string that never ends', `"${'\\"'.repeat(4_000_000)}`, 'application/json'],
    ['a long list in a form', 'a[]=1&'.repeat(700_000), FORM],
    ['deep names in a form', `a${'[b]'.repeat(1_000_000)}=1`, FORM],
    ['nothing but signs', '&'.repeat(9_000_000), FORM],
    ['nothing but percent signs', '%'.repeat(9_000_000), FORM],
    [
      'a form in many parts',
      `--x\r\nContent-Disposition: form-data; name="a[]"\r\n\r\nb\r\n`.repeat(100_000),
      'multipart/form-data; boundary=x',
    ],
  ])('%s', async (_, body, type) => {
    expect((await shop.post('/api/oauth/token', body, {'content-type': type})).status).toBe(400)
  })
})
