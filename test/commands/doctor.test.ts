import {chmodSync, existsSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {currentTime} from '../support/clock.js'
import type {Received, Reply} from '../support/endpoint.js'
import {temporaryFolder} from '../support/home.js'
import {readJsonLines} from '../support/json-lines.js'
import {tokenShop} from '../support/shop-endpoint.js'
import {storectl} from '../support/storectl.js'

interface Found {
  readonly check: string
  readonly state: string
  readonly found: string
  readonly fix: string[]
}

async function examined(argv: string[], options: Parameters<typeof storectl>[1]) {
  const {exit, stdout, stderr} = await storectl(['doctor', '-o', 'ndjson', ...argv], options)
  const findings = readJsonLines<Found>(stdout)
  return {exit, stderr, stdout, of: (name: string) => findings.find(({check}) => check === name), findings}
}

/** A shop that is well; `answer` says where it is not. */
async function shop(answer: (request: Received) => Reply | undefined = () => undefined, headers = {}) {
  const well = (request: Received): Reply => {
    if (request.url === '/api/_info/version') return {status: 200, body: {version: '6.6.7.1'}}
    if (request.url.includes('/webhook/status/')) return {status: 200, body: {result: 'valid'}}
    if (request.url.startsWith('/api/search/')) return {status: 200, body: {total: 0, data: []}}
    return {status: 200, headers}
  }
  const {url} = await tokenShop({answer: request => answer(request) ?? well(request)})
  const env = {
    STORECTL_URL: url,
    STORECTL_CLIENT_ID: 'SWIAX',
    STORECTL_CLIENT_SECRET: 'right-secret',
    STORECTL_WEBHOOK_TOKEN: 'canary-webhook-token',
  }
  return {url, env}
}

test('a shop that is well has nothing wrong, and no secret is shown', async () => {
  const {env} = await shop()
  const {exit, findings, stdout, stderr} = await examined([], {env})
  expect(exit).toBe(0)
  expect(findings.map(({check, state}) => `${check}: ${state}`)).toEqual([
    'settings: ok',
    'file modes: ok',
    'keyring: skipped',
    'disk: ok',
    'records: ok',
    'restored records: ok',
    'captured calls: ok',
    'shop: ok',
    'name: ok',
    'connection: ok',
    'certificate: skipped',
    'clock: ok',
    'token: ok',
    'versions: ok',
    'privileges: ok',
    'webhook token: ok',
  ])
  expect(stdout + stderr).not.toMatch(/right-secret|canary-webhook-token|token-1/)
})

test('no check writes: a shop that checks little would store an order', async () => {
  const posted: string[] = []
  const {env} = await shop(({method, url, body}) => {
    if (method !== 'GET') posted.push(`${method} ${url.replace(/\?.*/, '')} ${body}`)
    return undefined
  })
  await examined([], {env})
  expect(posted.filter(call => !call.startsWith('POST /api/oauth/token')).sort()).toEqual([
    'POST /api/_action/paypal/webhook/execute {}',
    expect.stringContaining('POST /api/search/customer {"limit":2,'),
    expect.stringContaining('POST /api/search/fulfillment-order {"limit":2,'),
    expect.stringContaining('POST /api/search/order {"limit":2,'),
    expect.stringContaining('POST /api/search/order-transaction {"limit":2,'),
    expect.stringContaining('POST /api/search/state-machine-history {"limit":2,'),
  ])
})

test('files that other users can read are named with the command that mends them', async () => {
  const home = temporaryFolder()
  const file = join(home, 'settings.json')
  writeFileSync(file, '{}')
  chmodSync(file, 0o644)
  const {env} = await shop()
  const {exit, of} = await examined([], {home, env})
  expect([exit, of('file modes')?.state, of('file modes')?.fix]).toEqual([2, 'failed', [`chmod go= ${file}`]])
})

test('settings that are not JSON are named, and the shop is not looked for', async () => {
  const home = temporaryFolder()
  writeFileSync(join(home, 'settings.json'), '{')
  const {exit, of} = await examined([], {home})
  expect([exit, of('settings')?.state, of('shop')?.state, of('token')?.state]).toEqual([
    2,
    'failed',
    'skipped',
    'skipped',
  ])
})

test('records that are damaged are not called well', async () => {
  const home = temporaryFolder()
  const {env} = await shop()
  await storectl(['run', 'list'], {home, env})
  const file = join(home, 'records.db')
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.fill(0xff, 4096))
  const {exit, of} = await examined([], {home, env})
  expect([exit, of('records')?.state]).toEqual([1, 'failed'])
  expect(of('token')?.state).toBe('ok')
})

test('a host that nobody knows ends the way to the shop', async () => {
  const {exit, of} = await examined([], {
    env: {STORECTL_URL: 'http://no-such-host.invalid', STORECTL_TOKEN: 'x'.repeat(20)},
  })
  expect(exit).toBe(6)
  expect([of('name')?.state, of('connection')?.state, of('token')?.state]).toEqual([
    'failed',
    'skipped',
    'skipped',
  ])
})

test('a server that is down is named once', async () => {
  const env = {STORECTL_URL: 'http://127.0.0.1:9', STORECTL_TOKEN: 'x'.repeat(20)}
  const {exit, findings} = await examined([], {env})
  expect(exit).toBe(6)
  expect(findings.filter(({state}) => state === 'failed').map(({check}) => check)).toEqual(['connection'])
})

test('a clock that is wrong is a warning with its size', async () => {
  const {env} = await shop(() => undefined, {date: new Date(currentTime().getTime() + 600_000).toUTCString()})
  const {exit, of} = await examined([], {env})
  expect([exit, of('clock')?.state]).toEqual([0, 'warning'])
  expect(of('clock')?.found).toMatch(/^the shop's clock is (599|600|601) s ahead of/)
})

test('a refused secret fails with 4, and what needs a token is skipped', async () => {
  const {env} = await shop()
  const {url} = await tokenShop({
    grant: () => ({status: 401, body: {errors: [{code: '4', status: '401', title: 'no', detail: null}]}}),
  })
  const {exit, of} = await examined([], {env: {...env, STORECTL_URL: url}})
  expect([exit, of('token')?.state, of('privileges')?.state]).toEqual([4, 'failed', 'skipped'])
  expect(of('token')?.fix.join('\n')).toContain('STORECTL_CLIENT_SECRET')
})

test('privileges that are missing are named', async () => {
  const detail = JSON.stringify({message: 'Missing privilege', missingPrivileges: ['customer:read']})
  const {env} = await shop(({url}) =>
    url === '/api/search/customer'
      ? {
          status: 403,
          body: {
            errors: [{status: '403', code: 'FRAMEWORK__MISSING_PRIVILEGE_ERROR', title: 'Forbidden', detail}],
          },
        }
      : undefined,
  )
  const lacks = 'customer search, customer show: missing customer:read'
  const {exit, of} = await examined(['--for', 'search'], {env})
  expect([exit, of('privileges')?.found]).toEqual([4, `can nothing; ${lacks}`])
  const all = await examined([], {env})
  expect([all.exit, all.of('privileges')?.found]).toEqual([0, expect.stringContaining(`; ${lacks}`)])
})

test.each([
  ['invalid', 'failed', 4],
  ['missing', 'failed', 4],
  ['valid', 'ok', 0],
])('a registration that is %s: %s, exit %i', async (result, state, code) => {
  const {env} = await shop(({url}) =>
    url.includes('/webhook/status/') ? {status: 200, body: {result}} : undefined,
  )
  const {exit, of} = await examined([], {env})
  expect([exit, of('webhook token')?.state]).toEqual([code, state])
})

test('it does not make the bundled shop that nobody has started, wherever the records are', async () => {
  for (const database of [{}, {STORECTL_DATABASE_URL: 'postgres://storectl@127.0.0.1:9/none'}]) {
    const home = temporaryFolder()
    const {of} = await examined(['--profile', 'local'], {home, env: database})
    expect(of('shop')).toMatchObject({state: 'ok', found: 'the bundled shop; the first use creates it'})
    expect(existsSync(join(home, 'shop'))).toBe(false)
  }
})

test('without a webhook token it says that nothing can be replayed', async () => {
  const {env} = await shop()
  const {exit, of} = await examined([], {env: {...env, STORECTL_WEBHOOK_TOKEN: ''}})
  expect([exit, of('webhook token')?.state]).toEqual([0, 'warning'])
  expect(of('webhook token')?.found).toContain('nothing can be replayed')
})

test('a table says how to mend what is wrong, below it on stderr', async () => {
  const env = {STORECTL_URL: 'http://127.0.0.1:9', STORECTL_TOKEN: 'x'.repeat(20)}
  const {stdout, stderr} = await storectl(['doctor', '-o', 'table'], {env})
  expect(stdout).toMatch(/connection\s+failed\s+http:\/\/127\.0\.0\.1:9 cannot be reached/)
  expect(stderr).toContain('connection: storectl auth status')
})

test.each([
  ['', 'through http://proxy.invalid:3128'],
  ['127.0.0.1', 'no proxy'],
])('NO_PROXY=%s: %s', async (none, way) => {
  const env = {
    STORECTL_URL: 'http://127.0.0.1:9',
    STORECTL_TOKEN: 'x'.repeat(20),
    HTTP_PROXY: 'http://user:canary-password@proxy.invalid:3128',
    NO_PROXY: none,
  }
  const {of, stdout, stderr} = await examined([], {env})
  expect(of('shop')?.found).toContain(way)
  expect(stdout + stderr).not.toContain('canary-password')
})
