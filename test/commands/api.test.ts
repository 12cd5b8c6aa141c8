import {once} from 'node:events'
import {writeFileSync} from 'node:fs'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {endpoint, type Handler} from '../support/endpoint.js'
import {temporaryFolder} from '../support/home.js'
import {tokenShop} from '../support/shop-endpoint.js'
import {storectl} from '../support/storectl.js'

const TOKEN = {STORECTL_TOKEN: 'a-token-of-the-test'}

async function at(handler: Handler = () => ({body: {ok: true}})) {
  const shop = await endpoint(handler)
  const run = (argv: string[], options: {terminal?: boolean; stdin?: string} = {}) =>
    storectl(['api', ...argv], {env: {...TOKEN, STORECTL_URL: shop.url}, ...options})
  return {shop, run}
}

test('sends method, path, fields and token, and prints the body byte for byte', async () => {
  const {shop, run} = await at(() => ({
    body: '{"a": 1.10,\n "b":"ä"}',
    headers: {'content-type': 'application/json'},
  }))
  const {exit, stdout} = await run([
    'post',
    '/api/search/order?x=1',
    '-F',
    'limit=5',
    '-f',
    'term=5',
    '-H',
    'sw-language-id: abc',
  ])
  expect([exit, stdout]).toEqual([0, '{"a": 1.10,\n "b":"ä"}'])
  const [{method, url, headers, body} = shop.received[0] as never] = shop.received
  expect([method, url, body]).toEqual(['POST', '/api/search/order?x=1', '{"limit":5,"term":"5"}'])
  expect(headers).toMatchObject({
    authorization: `Bearer ${TOKEN.STORECTL_TOKEN}`,
    accept: 'application/json',
    'content-type': 'application/json',
    'sw-language-id': 'abc',
  })
})

test('fields of a GET are its query, and it has no body', async () => {
  const {shop, run} = await at()
  await run(['GET', 'api/customer', '-F', 'limit=2', '-F', 'a[b]=ö'])
  const {url, body, headers} = shop.received[0] as never as {url: string; body: string; headers: object}
  expect([url, body]).toEqual(['/api/customer?limit=2&a%5Bb%5D=%C3%B6', ''])
  expect(headers).not.toHaveProperty('content-type')
})

test('a path alone is a GET', async () => {
  const {shop, run} = await at()
  expect(await run(['/api/_info/version', '-F', 'a=1'])).toMatchObject({exit: 0, stdout: '{"ok":true}'})
  expect(shop.received.map(({method, url}) => [method, url])).toEqual([['GET', '/api/_info/version?a=1']])
  for (const words of [[], ['POST']]) {
    expect(await run(words)).toMatchObject({exit: 2, stderr: expect.stringContaining('Missing PATH')})
  }
})

test.each(['C:/Program Files/Git/api/order', 'C:\\Program Files\\Git\\api\\order'])(
  'a path that Git Bash has rewritten is answered with the one to write: %s',
  async path => {
    const {shop, run} = await at()
    for (const words of [['GET', path], [path]]) {
      const {exit, stderr} = await run(words)
      expect([exit, shop.received]).toEqual([2, []])
      expect(stderr).toContain('Git Bash has rewritten the path as a file path')
      expect(stderr).toMatch(/storectl api .*GET api\/order\n/)
    }
  },
)

test('a page of HTML is printed, and a note says that it is not from the API', async () => {
  const {run} = await at(() => ({body: '<p>hello', headers: {'content-type': 'text/html; charset=UTF-8'}}))
  const outside = await run(['/admin'])
  expect(outside).toMatchObject({exit: 0, stdout: '<p>hello'})
  expect(outside.stderr).toMatch(/The answer is an HTML page.*: storectl api .*GET \/api\/admin\n/)
  expect((await run(['GET', '/api/order'])).stderr).toContain('a proxy or a maintenance page')
})

test('a body from a file or from stdin goes out as it is', async () => {
  const {shop, run} = await at()
  const file = join(temporaryFolder(), 'body')
  writeFileSync(file, 'a=1&b=2')
  await run(['POST', '/api/x', '--input', file, '-H', 'Content-Type: application/x-www-form-urlencoded'])
  await run(['POST', '/api/x', '--input', '-'], {stdin: '{"total": 1.10}'})
  expect(shop.received.map(({body}) => body)).toEqual(['a=1&b=2', '{"total": 1.10}'])
  expect(shop.received[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded')
})

test('on a terminal JSON is indented and what a terminal would obey is written out', async () => {
  const {run} = await at(() => ({body: {name: '\u001b[31mred\u009b'}}))
  const {stdout} = await run(['GET', '/api/x'], {terminal: true})
  expect(stdout).toBe('{\n  "name": "\\u001b[31mred\\u009b"\n}\n')
})

test.each([
  [['-o', 'json'], '{"total":2,"data":[{"id":"a","n":1,"deep":{"x":1}},{"id":"b","n":2,"deep":{"x":2}}]}\n'],
  [['-o', 'ndjson'], '{"id":"a","n":1,"deep":{"x":1}}\n{"id":"b","n":2,"deep":{"x":2}}\n'],
  [['-o', 'tsv'], 'id\tn\na\t1\nb\t2\n'],
  [['-o', 'id'], 'a\nb\n'],
  [['-o', 'csv', '--fields', 'deep.x'], 'deep.x\n1\n2\n'],
])('%j prints the rows of the list', async (words, printed) => {
  const data = [
    {id: 'a', n: 1, deep: {x: 1}},
    {id: 'b', n: 2, deep: {x: 2}},
  ]
  const {run} = await at(() => ({body: {total: 2, data}}))
  const {exit, stdout} = await run(['POST', '/api/search/tag', ...words])
  expect([exit, stdout.replaceAll('\r\n', '\n')]).toEqual([0, printed])
})

test('--include prints status and headers first, of a refusal too', async () => {
  const {run} = await at(() => ({
    status: 404,
    headers: {'x-one': '1'},
    body: {errors: [{status: '404', code: 'GONE', title: 'Not Found', detail: 'no such tag'}]},
  }))
  const {exit, stdout, stderr} = await run(['DELETE', '/api/tag/1?secret=s3cret', '-i'])
  expect(exit).toBe(5)
  expect(stdout).toMatch(/^HTTP 404\n(.*\n)*x-one: 1\n(.*\n)*\n\{"errors":/)
  expect(stderr).toContain('refused DELETE /api/tag/1 (404): GONE no such tag')
  expect(stderr).not.toContain('s3cret')
})

test('a refusal prints nothing on stdout', async () => {
  const {run} = await at(() => ({
    status: 500,
    body: {errors: [{status: '500', code: '0', title: 'Internal Server Error', detail: 'boom'}]},
  }))
  expect(await run(['POST', '/api/tag'])).toMatchObject({exit: 6, stdout: ''})
})

test('what changes nothing is asked again, and nothing else is', async () => {
  const {shop, run} = await at((_request, count) => (count === 1 ? {status: 503} : {body: {ok: true}}))
  expect((await run(['POST', '/api/search/tag'])).exit).toBe(0)
  expect(shop.received).toHaveLength(2)
  const other = await at(() => ({status: 503}))
  expect((await other.run(['POST', '/api/tag'])).exit).toBe(6)
  expect(other.shop.received).toHaveLength(1)
})

test.each([
  [['PSOT', '/x'], 'Unknown HTTP method "PSOT". Did you mean "POST"?'],
  [['GET', 'https://other.example/api/x'], 'URL outside of'],
  [['GET', '/x', '-H', 'Authorization: Bearer abc'], 'contains a secret'],
  [['GET', '/x', '-H', 'nothing'], 'A header is written'],
  [['GET', '/x', '-H', 'Host: other'], 'is set by storectl itself'],
  [['GET', '/x', '--input', '-'], 'A GET has no body'],
  [['POST', '/x', '--input', '-', '-F', 'a=1'], 'omit the fields'],
  [['POST', '/x', '-F', 'a'], '"a" is not a field'],
  [['POST', '/x', '--input', '/nowhere/at/all'], 'File not found'],
])('%j is refused, and nothing is sent', async (argv, message) => {
  const {shop, run} = await at()
  const {exit, stdout, stderr} = await run(argv)
  expect([exit, stdout, shop.received]).toEqual([2, '', []])
  expect(stderr).toContain(message)
})

test('an address of the same shop is its path', async () => {
  const {shop, run} = await at()
  await run(['GET', `${shop.url}/api/_info/version`])
  expect(shop.received[0]?.url).toBe('/api/_info/version')
})

test('a protected profile wants its name for a change, and not for a question', async () => {
  const shop = await endpoint(() => ({body: {ok: true}}))
  const home = temporaryFolder()
  const settings = {
    profiles: {prod: {url: shop.url, protected: true, clientId: 'SWIAEXAMPLEEXAMPLEEXAMPLE1'}},
  }
  writeFileSync(join(home, 'settings.json'), JSON.stringify(settings))
  const run = (...argv: string[]) => storectl(['api', ...argv, '--profile', 'prod'], {home, env: TOKEN})
  expect((await run('DELETE', '/api/tag/1', '--yes')).exit).toBe(7)
  expect(shop.received).toEqual([])
  expect((await run('POST', '/api/search/tag')).exit).toBe(0)
  expect((await run('DELETE', '/api/tag/1', '--confirm', 'prod')).exit).toBe(0)
})

test('works on the bundled shop with nothing set up', async () => {
  const {exit, stdout} = await storectl(['api', 'GET', '/api/_info/version'], {home: temporaryFolder()})
  expect([exit, Object.keys(JSON.parse(stdout))]).toEqual([0, ['version']])
})

/** A shop that answers with as many pieces of 64 KiB, and keeps nothing of what it is sent. */
async function largeShop(pieces: number, end: 'whole' | 'broken' = 'whole') {
  const seen = {answeredBytes: 0, sentBytes: 0, length: '' as string | undefined, calls: 0}
  const server = createServer(async (request, response) => {
    seen.calls++
    seen.length = request.headers['content-length']
    for await (const piece of request) seen.sentBytes += piece.length
    response.writeHead(200, {'content-type': 'application/octet-stream'})
    response.setMaxListeners(0)
    response.on('error', () => undefined)
    for (let at = 0; at < pieces && !response.destroyed; at++) {
      seen.answeredBytes += 65_536
      if (!response.write(Buffer.alloc(65_536, 120)))
        await Promise.race([once(response, 'drain'), once(response, 'close')])
    }
    if (end === 'broken') response.destroy()
    else response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const {port} = server.address() as AddressInfo
  return {seen, env: {...TOKEN, STORECTL_URL: `http://127.0.0.1:${port}`}}
}

test('an answer that breaks off is said to be cut, and is not asked for again', async () => {
  const {seen, env} = await largeShop(3, 'broken')
  const {exit, stdout, stderr} = await storectl(['api', 'GET', '/api/download'], {env})
  expect([exit, seen.calls]).toEqual([6, 1])
  // On Node 26 undici 7 lets go of what it has read last when the connection ends while it waits for its reader.
  expect(stdout.length).toBeGreaterThan(2 * 65_536)
  expect(stderr).toContain(`cut off its response after ${stdout.length} bytes`)
})

test('an answer that is too long to make rows of is refused, and its end is not waited for', async () => {
  const {seen, env} = await largeShop(4096)
  const {exit, stdout, stderr} = await storectl(['api', 'GET', '/api/download', '-o', 'ndjson'], {env})
  expect([exit, stdout]).toEqual([2, ''])
  expect(stderr).toContain('exceeds 64 MiB')
  expect(seen.answeredBytes).toBeLessThan(100 * 1024 * 1024)
})

test('a file of any length is sent with its length, and once more after a 401', async () => {
  const file = join(temporaryFolder(), 'body')
  writeFileSync(file, Buffer.alloc(3_000_000, 97))
  const {seen, env} = await largeShop(1)
  expect((await storectl(['api', 'POST', '/api/upload', '--input', file], {env})).exit).toBe(0)
  expect([seen.sentBytes, seen.length]).toEqual([3_000_000, '3000000'])
  const lengths: number[] = []
  const shop = await tokenShop({
    answer: ({body}, count) => {
      lengths.push(body.length)
      return {status: count === 1 ? 401 : 200, body: {}}
    },
  })
  const credentials = {
    STORECTL_URL: shop.url,
    STORECTL_CLIENT_ID: 'SWIAX',
    STORECTL_CLIENT_SECRET: 'hidden-secret',
  }
  expect((await storectl(['api', 'PUT', '/api/upload', '--input', file], {env: credentials})).exit).toBe(0)
  expect(lengths).toEqual([3_000_000, 3_000_000])
})

test.each([
  '/../other/api/x',
  '/api/../../other/api/x',
  '/%2e%2e/other/api/x',
  '/api/..%2f..%5Cother/x',
  '/..\\other/api/x',
])('the path %s leads to another shop of the same origin, and is refused', async path => {
  const shop = await endpoint()
  const env = {...TOKEN, STORECTL_URL: `${shop.url}/shop`}
  const {exit, stderr} = await storectl(['api', 'GET', path], {env})
  expect([exit, shop.received]).toEqual([2, []])
  expect(stderr).toContain(`Path outside of ${shop.url}/shop`)
})

test('what is a secret by its name does not come back in a refusal', async () => {
  const {run} = await at(({url, body, headers}) => ({
    status: 400,
    body: {
      errors: [{status: '400', code: 'X', title: 'x', detail: `${url} ${body} ${headers['x-api-key']}`}],
    },
  }))
  const argv = [
    'POST',
    '/api/user?sw-token=quer%79-Zeta1',
    '-f',
    'password=field-Zeta2',
    '-H',
    'X-Api-Key: header-Zeta3',
  ]
  const {exit, stderr} = await run([...argv, '--debug'])
  expect(exit).toBe(5)
  expect(stderr).not.toContain('Zeta')
  expect(stderr).toContain('***')
})

test('a path without its beginning is completed by the error', async () => {
  const shop = await tokenShop({answer: () => ({status: 404, body: {errors: [{status: '404', code: '0'}]}})})
  const env = {STORECTL_URL: shop.url, STORECTL_TOKEN: 'given-token'}
  const short = await storectl(['api', 'GET', '_info/version'], {env})
  expect(short.stderr).toContain('next: storectl api GET /api/_info/version   # paths begin with /api/')
  const whole = await storectl(['api', 'GET', '/api/nothing'], {env})
  expect([whole.exit, whole.stderr.includes('begin with')]).toEqual([short.exit, false])
})
