import {generateKeyPairSync} from 'node:crypto'
import {readFileSync, writeFileSync} from 'node:fs'
import {createServer} from 'node:http'
import {join} from 'node:path'
import {afterAll, beforeAll, beforeEach, expect, test} from 'vitest'
import {canary, expectNowhere, filesBelow, plainCanary, textsIn} from '../support/canaries.js'
import {StoppedClock} from '../support/clock.js'
import {temporaryFolder} from '../support/home.js'
import {listen} from '../support/listen.js'
import {storectl} from '../support/storectl.js'
import {type CanaryHouse, COMMANDS, canaryHouse, HEALTHY, type Mood, withEndedTokens} from './canary-house.js'
import {MATRIX, SECRET_FLAGS} from './leak-matrix.js'

/** The same by processes, where they can tell more than a command in this one: `leaks.e2e.test.ts`. */
let house: CanaryHouse
beforeAll(async () => {
  house = await canaryHouse(
    (argv, {STORECTL_HOME: home = '', ...env}, folder, stdin) =>
      storectl(argv, {home, env, folder, clock: new StoppedClock(), ...(stdin !== undefined && {stdin})}),
    true,
  )
})
beforeEach(() => {
  house.mood = HEALTHY
  house.tokenMood = undefined
})
afterAll(() => house.close())

test('the canaries are everything that is kept', () => {
  const names = Object.keys(house.secrets).filter(name => name.startsWith('/'))
  expect(names.sort()).toEqual([
    '/shop/clientSecret',
    '/shop/headers/X-Basic',
    '/shop/headers/X-Gate',
    '/shop/providerSecret/value',
    '/shop/token/refreshToken',
    '/shop/token/value',
    '/shop/webhookToken',
    '/user/token/refreshToken',
    '/user/token/value',
  ])
})

test.each(MATRIX)('%s comes out nowhere %s', (_secret, _channel, tryIt) => tryIt(house))

test('no secret flag is missing in the matrix', () => {
  expect(SECRET_FLAGS.map(([id, flag]) => `${id} --${flag}`)).toEqual([
    'login --client-secret-stdin',
    'login --client-secret-file',
    'login --password-stdin',
    'login --password-file',
    'login --otp-stdin',
    'login --webhook-token-stdin',
    'login --webhook-token-file',
    'profile:set --webhook-token-stdin',
    'profile:set --webhook-token-file',
    'profile:set --basic-auth-stdin',
    'profile:set --basic-auth-file',
    'profile:set --header-stdin',
    'profile:set --header-file',
    'profile:set --provider-client-secret-stdin',
    'profile:set --provider-client-secret-file',
    'webhook:capture --old-token-file',
  ])
})

test('what stands in the addresses of proxies and shops comes out nowhere', async () => {
  const more = {proxy: canary()}
  const address = house.url.replace('//', `//ada:${encodeURIComponent(more.proxy)}@`)
  await house.expectSilence(COMMANDS, {env: {HTTP_PROXY: address, https_proxy: address}, more})
  const asked = [['auth', 'status', '--check'], ['config', 'list', '--show-origin'], ['doctor'], ['logout']]
  await house.expectSilence(asked, {env: {STORECTL_URL: address}, more})
  await house.expectSilence([['auth', 'status', '--check', '--url', address]], {more})
})

test('what is kept comes out nowhere of what only looks', async () => {
  await house.expectSilence([
    ['auth', 'status', '-o', 'json'],
    ['profile', 'list', '-o', 'json'],
    ['profile', 'show', 'shop', '-o', 'json'],
    ['config', 'list', '--show-origin'],
    ['profile', 'set', 'shop', '--url', 'https://other.example'],
    ['logout', '--all'],
  ])
  const {stdout, stderr} = await house.run(['auth', 'token'], house.copy())
  expect(stdout).toBe(`${house.granted.access}\n`)
  expectNowhere(house.secrets, {stderr})
})

test.each([302, 307])('nothing follows a redirect (%i), to whatever address', async status => {
  const reached: string[] = []
  const other = createServer((request, response) => {
    reached.push(request.url ?? '')
    response.end('{}')
  })
  const port = await listen(other)
  const elsewhere = `http://127.0.0.1:${port}/caught`
  const leading =
    (to: string): Mood =>
    (_said, request, response) => {
      reached.push(...(request.url?.includes('caught') ? ['itself'] : []))
      response.writeHead(status, {location: to}).end()
    }
  // What a caller does with every status is a test of its own, in test/http.
  house.mood = leading(status === 302 ? elsewhere : '/caught')
  const ends = await Promise.all(
    [...COMMANDS, ['api', 'GET', '/api/x']].map(argv => house.run(argv, house.copy())),
  )
  expect(ends.map(({exit}) => exit)).not.toContain(0)
  house.tokenMood = house.mood
  expect((await house.run(['auth', 'token'], house.copy(withEndedTokens))).exit).toBe(2)
  house.tokenMood = undefined
  other.close()
  expect(reached).toEqual([])
})

test('a profile that gets another URL takes nothing of the old one there', async () => {
  const copy = house.copy()
  const there: string[] = []
  const other = createServer((request, response) => {
    there.push(`${request.url} ${JSON.stringify(request.headers)}`)
    response.end('{}')
  })
  const port = await listen(other)
  const moved = `http://127.0.0.1:${port}`
  expect(
    (await house.run(['auth', 'status', '--check', '--url', moved, '--profile', 'shop'], copy)).exit,
  ).toBe(4)
  await house.run(['profile', 'set', 'shop', '--url', moved], copy)
  for (const argv of COMMANDS) await house.run(argv, copy)
  other.close()
  expectNowhere(house.secrets, {
    there: there.join('\n'),
    kept: readFileSync(join(copy, 'credentials.json'), 'utf8').replace(/"user"[\s\S]*/, ''),
  })
})

test('what the bundled shop keeps, the key of a certificate and a token that TLS keeps from going out come out nowhere', async () => {
  const copy = temporaryFolder()
  const local = {STORECTL_PROFILE: 'local'}
  const shown: string[] = []
  const look = async (argv: readonly string[], env: Record<string, string>) => {
    const {stdout, stderr} = await house.run(argv, copy, env)
    shown.push(stdout, stderr)
  }
  for (const argv of [
    ['auth', 'status', '--check'],
    ['customer', 'search', 'ada'],
    ['doctor'],
    ['server', 'status'],
  ]) {
    await look(argv, local)
  }
  const {privateKey} = generateKeyPairSync('ec', {namedCurve: 'P-256'})
  const key = privateKey.export({type: 'pkcs8', format: 'pem'}).toString()
  writeFileSync(join(house.work, 'strange.pem'), key)
  const certificate = join(import.meta.dirname, '../fixtures/tls/certificate.pem')
  const token = plainCanary()
  const secure = {
    STORECTL_PROFILE: '',
    STORECTL_URL: house.url.replace('http:', 'https:'),
    STORECTL_TOKEN: token,
  }
  await look(
    ['auth', 'status', '--check', '--cert', certificate, '--key', join(house.work, 'strange.pem')],
    secure,
  )
  await look(['customer', 'search', 'ada'], secure)
  const {
    clientId: _,
    username: __,
    ...own
  } = JSON.parse(readFileSync(join(copy, 'shop', 'credentials'), 'utf8'))
  const [, first = '', second = ''] = key.split('\n')
  // The shop itself has its webhook token among its settings, as every shop.
  const files = Object.entries(filesBelow(copy)).filter(([name]) => !name.startsWith('shop/'))
  expectNowhere(
    {...textsIn(own), token, first, second},
    {shown: shown.join('\n'), ...Object.fromEntries(files)},
  )
  expect(shown.join('\n')).toContain('No secure connection')
})

test('the shop itself has heard every secret that is for it', async () => {
  await house.expectSilence(COMMANDS)
  await house.expectSilence([['customer', 'search', 'ada']], {
    change: withEndedTokens,
    env: {STORECTL_PROFILE: 'user'},
  })
  for (const [name, secret] of Object.entries(house.secrets)) {
    const isAnothers = /provider/.test(name)
    expect([name, house.hasHeard(secret)]).toEqual([name, !isAnothers])
  }
})
