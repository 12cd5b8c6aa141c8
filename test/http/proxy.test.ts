import {createServer, request} from 'node:http'
import {connect, createServer as createTcpServer} from 'node:net'
import {expect, onTestFinished, test} from 'vitest'
import {findProxy} from '../../src/http/proxy.js'
import {listen} from '../support/listen.js'
import {tokenShop} from '../support/shop-endpoint.js'
import {storectl} from '../support/storectl.js'

/** A forward proxy that knows one host name and takes every call for it to the shop. */
async function proxyTo(shop: string): Promise<{url: string; seen: string[]}> {
  const {port} = new URL(shop)
  const seen: string[] = []
  const server = createServer((incoming, outgoing) => {
    seen.push(`${incoming.method} ${incoming.url}`)
    const path = new URL(incoming.url ?? '', 'http://x').pathname
    const {method, headers} = incoming
    const onward = request({host: '127.0.0.1', port, path, method, headers}, answer => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(onward)
  })
  server.on('connect', (incoming, socket, head) => {
    seen.push(`CONNECT ${incoming.url}`)
    const onward = connect(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.write(head)
      onward.pipe(socket).pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
  })
  const own = await listen(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {url: `http://127.0.0.1:${own}`, seen}
}

test.each(['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'])('calls go through %s', async variable => {
  const shop = await tokenShop()
  const proxy = await proxyTo(shop.url)
  const env = {STORECTL_URL: 'http://shop.invalid', STORECTL_TOKEN: 'given-token', [variable]: proxy.url}
  const {exit} = await storectl(['auth', 'status', '--check'], {env})
  expect(exit).toBe(0)
  expect(new Set(proxy.seen)).toEqual(new Set(['CONNECT shop.invalid:80']))
  expect(shop.calls().length).toBeGreaterThan(0)
})

test.each([
  [
    'https://shop.example',
    {HTTPS_PROXY: 'http://s:1', HTTP_PROXY: 'http://h:1', ALL_PROXY: 'http://a:1'},
    's',
  ],
  [
    'http://shop.example',
    {HTTPS_PROXY: 'http://s:1', HTTP_PROXY: 'http://h:1', ALL_PROXY: 'http://a:1'},
    'h',
  ],
  ['https://shop.example', {HTTP_PROXY: 'http://h:1', ALL_PROXY: 'http://a:1'}, 'a'],
  ['https://shop.example', {HTTP_PROXY: 'http://h:1'}, 'h'],
  ['http://shop.example', {HTTPS_PROXY: 'http://s:1'}, undefined],
  ['http://shop.example', {HTTP_PROXY: 'http://h:1', http_proxy: 'low:1'}, 'low'],
  ['http://shop.example', {HTTP_PROXY: '', ALL_PROXY: 'a:1'}, 'a'],
])('calls to %s by %j go through %s', (url, env, host) => {
  const proxy = findProxy(new URL(url), env as Record<string, string>)
  expect(proxy && new URL(proxy).hostname).toBe(host)
})

test.each<[none: string, url: string, isDirect: boolean]>([
  ['*', 'https://shop.example', true],
  ['shop.example', 'https://shop.example', true],
  ['SHOP.example', 'https://shop.example', true],
  ['shop.example', 'https://a.shop.example', true],
  ['.shop.example', 'https://a.shop.example', true],
  ['*.shop.example', 'https://a.shop.example', true],
  ['shop.example', 'https://myshop.example', false],
  ['a.example, shop.example', 'https://shop.example', true],
  ['a.example shop.example', 'https://shop.example', true],
  ['shop.example:8443', 'https://shop.example:8443', true],
  ['shop.example:443', 'https://shop.example', true],
  ['shop.example:80', 'https://shop.example', false],
  ['10.1.2.3', 'http://10.1.2.3', true],
  ['10.0.0.0/8', 'http://10.1.2.3', true],
  ['10.0.0.0/8', 'http://11.1.2.3', false],
  ['192.168.0.0/16,10.1.2.3/32', 'http://10.1.2.3:8000', true],
  ['0.0.0.0/0', 'http://10.1.2.3', true],
  ['0.0.0.0/0', 'http://shop.example', false],
  ['2.3', 'http://10.1.2.3', false],
  ['::1', 'http://[::1]:8000', true],
  ['[::1]', 'http://[::1]:8000', true],
  ['[::1]:8000', 'http://[::1]:8000', true],
  ['[::1]:8001', 'http://[::1]:8000', false],
  ['fd00::/8', 'http://[fd12::1]', true],
  ['fd00::/8', 'http://[fe80::1]', false],
  ['fd00::/8', 'http://10.1.2.3', false],
  ['', 'http://shop.example', false],
  [',, ', 'http://shop.example', false],
])('NO_PROXY=%s and %s: directly %s', (none, url, isDirect) => {
  expect(findProxy(new URL(url), {ALL_PROXY: 'http://proxy:1', NO_PROXY: none}) === undefined).toBe(isDirect)
})

test.each(['10.0.0.0/33', '10.0/8', 'shop.example/24', 'fd00::/129', '10.0.0.0/'])(
  'NO_PROXY=%s is refused, rather than passed over',
  async none => {
    const env = {
      STORECTL_URL: 'http://shop.invalid',
      STORECTL_TOKEN: 't',
      HTTP_PROXY: 'http://p:1',
      NO_PROXY: none,
    }
    const {exit, stderr} = await storectl(['auth', 'status', '--check'], {env})
    expect([exit, stderr]).toEqual([
      2,
      expect.stringContaining(`"${none}" in NO_PROXY is not an address range`),
    ])
  },
)

test.each([
  'socks5://127.0.0.1:1080',
  'socks5h://127.0.0.1:1080',
  'socks4://127.0.0.1:1080',
  'socks://ada:hidden@127.0.0.1',
])('a SOCKS proxy is refused in one line of JSON, and is no matter where it is not used: %s', async proxy => {
  const env = {STORECTL_URL: 'https://shop.invalid', STORECTL_TOKEN: 'given-token', ALL_PROXY: proxy}
  const {exit, stderr} = await storectl(['customer', 'search', '--json'], {env})
  expect(exit).toBe(2)
  expect(stderr).not.toContain('hidden')
  expect(JSON.parse(stderr).error).toMatchObject({
    code: 'usage.proxy',
    message: 'ALL_PROXY is a SOCKS proxy; only HTTP proxies work.',
  })
  expect(findProxy(new URL('https://shop.invalid'), {...env, HTTPS_PROXY: 'http://proxy:1'})).toBe(
    'http://proxy:1',
  )
  expect(findProxy(new URL('https://shop.invalid'), {...env, NO_PROXY: 'shop.invalid'})).toBeUndefined()
})

test('NO_PROXY lets a host be called directly', async () => {
  const shop = await tokenShop()
  const proxy = await proxyTo(shop.url)
  const env = {
    STORECTL_URL: shop.url,
    STORECTL_TOKEN: 'given-token',
    HTTP_PROXY: proxy.url,
    NO_PROXY: '127.0.0.0/8',
  }
  expect((await storectl(['auth', 'status', '--check'], {env})).exit).toBe(0)
  expect(proxy.seen).toEqual([])
})

test('the bundled shop is never called through a proxy', async () => {
  const shop = await tokenShop()
  const proxy = await proxyTo(shop.url)
  const {exit} = await storectl(['auth', 'status', '--check'], {env: {HTTP_PROXY: proxy.url}})
  expect([exit, proxy.seen]).toEqual([0, []])
})

test('an unreachable proxy ends with exit 6', async () => {
  const env = {
    STORECTL_URL: 'http://shop.invalid',
    STORECTL_TOKEN: 'given-token',
    HTTP_PROXY: 'http://127.0.0.1:9',
  }
  const {exit, stderr} = await storectl(['auth', 'status', '--check'], {env})
  expect(exit).toBe(6)
  expect(stderr).toContain('cannot be reached through the proxy')
})

test('a proxy that refuses is named, with its answer', async () => {
  const server = createServer()
  server.on('connect', (_incoming, socket) => {
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
  })
  const port = await listen(server)
  onTestFinished(() => void server.close())
  const HTTP_PROXY = `http://ada:hidden-proxy-password@127.0.0.1:${port}`
  const env = {STORECTL_URL: 'http://shop.invalid', STORECTL_TOKEN: 'given-token', HTTP_PROXY}
  const {exit, stderr} = await storectl(['auth', 'status', '--check', '--debug'], {env})
  expect(exit).toBe(6)
  expect(stderr).toContain('The proxy requires a user and a password (407)')
  expect(stderr).not.toContain('hidden-proxy-password')
})

test('a proxy that is no URL is refused with exit 2', async () => {
  const env = {
    STORECTL_URL: 'https://shop.invalid',
    STORECTL_TOKEN: 'given-token',
    HTTPS_PROXY: 'http://[nonsense',
  }
  const {exit, stderr} = await storectl(['auth', 'status', '--check'], {env})
  expect(exit).toBe(2)
  expect(stderr).toContain('HTTPS_PROXY is not a proxy URL')
})

test('a proxy that closes every connection is named, and not tried again for ever', async () => {
  const closing = createTcpServer(socket => {
    socket.on('error', () => undefined).once('data', () => socket.end())
  })
  const port = await listen(closing)
  onTestFinished(() => void closing.close())
  const env = {
    STORECTL_URL: 'https://shop.invalid',
    STORECTL_TOKEN: 'given-token',
    HTTPS_PROXY: `http://127.0.0.1:${port}`,
  }
  const {exit, stderr} = await storectl(['auth', 'status', '--check'], {env})
  expect(exit).toBe(6)
  expect(stderr).toContain('cannot be reached through the proxy (PROXY_CLOSED). Nothing was sent.')
})

/** A proxy that answers every CONNECT in its own way. */
async function refusingProxy(answer: string | undefined): Promise<string> {
  const server = createServer()
  server.on('connect', (_incoming, socket) => {
    socket.on('error', () => undefined)
    if (answer !== undefined) socket.end(`HTTP/1.1 ${answer}\r\n\r\n`)
  })
  const port = await listen(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://ada:hidden-proxy-password@127.0.0.1:${port}`
}

test.each<[string | undefined, string]>([
  ['407 Proxy Authentication Required', 'The proxy requires a user and a password (407)'],
  ['403 Forbidden', 'it answered 403'],
  ['502 Bad Gateway', 'it answered 502'],
  [undefined, 'https://shop.invalid did not answer within 0.7 s'],
])(
  'a proxy that answers CONNECT with %s ends with 6, has its words, and shows no password',
  async (answer, words) => {
    const env = {
      STORECTL_URL: 'https://shop.invalid',
      STORECTL_TOKEN: 'given-token',
      HTTPS_PROXY: await refusingProxy(answer),
    }
    const argv = ['auth', 'status', '--check', '--debug', '--timeout', '700ms']
    const {exit, stderr} = await storectl(argv, {env})
    expect(exit).toBe(6)
    expect(stderr).toContain(words)
    expect(stderr).toMatch(/proxy/)
    expect(stderr).not.toContain('hidden-proxy-password')
  },
)

test('a proxy that never answers is given up within the time for a connection, and nothing was sent', async () => {
  const env = {
    STORECTL_URL: 'https://shop.invalid',
    STORECTL_TOKEN: 'given-token',
    STORECTL_CONNECT_TIMEOUT: '300ms',
    HTTPS_PROXY: await refusingProxy(undefined),
  }
  const {exit, stderr} = await storectl(['auth', 'status', '--check'], {env})
  expect(exit).toBe(6)
  expect(stderr).toContain('cannot be reached through the proxy (PROXY_SILENT). Nothing was sent.')
})

test('a timeout shorter than the connect timeout holds for a proxy that never responds', async () => {
  const env = {
    STORECTL_URL: 'https://shop.invalid',
    STORECTL_TOKEN: 'given-token',
    HTTPS_PROXY: await refusingProxy(undefined),
  }
  const {exit, stderr} = await storectl(['auth', 'status', '--check', '--timeout', '300ms'], {env})
  expect([exit, stderr]).toEqual([6, expect.stringContaining('did not answer within 0.3 s')])
})
