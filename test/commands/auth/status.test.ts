import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {StoppedClock} from '../../support/clock.js'
import {temporaryFolder} from '../../support/home.js'
import {loginWords} from '../../support/login-words.js'
import {oauthError, tokenShop} from '../../support/shop-endpoint.js'
import {storectl} from '../../support/storectl.js'

async function signedIn(shop: {url: string}, options: object = {}) {
  const home = temporaryFolder()
  const argv = loginWords(shop.url)
  await storectl(argv, {home, stdin: 'hidden-secret', ...options})
  return home
}

const status = async (options: object, ...argv: string[]) => {
  const ended = await storectl(['auth', 'status', '-o', 'json', ...argv], options)
  return {...ended, rows: ended.stdout === '' ? [] : JSON.parse(ended.stdout)}
}

test('with nothing set up, commands talk to the bundled shop, which signs in by itself', async () => {
  const {exit, rows} = await status({})
  expect(exit).toBe(0)
  expect(rows).toEqual([
    {
      profile: 'local',
      current: true,
      chosenBy: null,
      url: null,
      signedIn: true,
      grant: 'client_credentials',
      as: null,
      expiresAt: null,
      renewedBy: 'client-secret',
      clockSkewMs: null,
      store: 'shop',
      storedIn: null,
      problem: null,
      urlFrom: null,
      asFrom: null,
      secretFrom: null,
      protected: false,
      shopVersion: null,
      pluginVersion: null,
    },
  ])
})

test('a stored profile says as whom, until when, and what renews it', async () => {
  const shop = await tokenShop()
  const clock = new StoppedClock()
  const home = await signedIn(shop, {clock})
  const {exit, rows} = await status({home, clock})
  expect(exit).toBe(0)
  expect(rows[0]).toMatchObject({
    profile: 'shop',
    current: true,
    chosenBy: join(home, 'settings.json'),
    url: shop.url,
    as: 'SWIAX',
    expiresAt: '2026-11-21T12:10:00.000Z',
    renewedBy: 'client-secret',
    store: 'file',
    urlFrom: join(home, 'settings.json'),
    asFrom: join(home, 'settings.json'),
    secretFrom: join(home, 'credentials.json'),
  })
})

test('the environment stands above the profile, and says so', async () => {
  const shop = await tokenShop()
  const home = await signedIn(shop)
  const env = {STORECTL_URL: 'https://other.example', STORECTL_TOKEN: 'given-token'}
  const {exit, rows} = await status({home, env})
  expect(exit).toBe(0)
  expect(rows[0]).toMatchObject({
    profile: 'url',
    chosenBy: 'STORECTL_URL',
    grant: 'given',
    store: 'environment',
  })
  expect(rows[1]).toMatchObject({profile: 'shop', current: false})
})

test('a project file names the profile', async () => {
  const shop = await tokenShop()
  const home = await signedIn(shop)
  const project = temporaryFolder()
  const below = join(project, 'a', 'b')
  mkdirSync(below, {recursive: true})
  writeFileSync(join(project, '.storectl.json'), '{"profile": "local"}')
  const {rows} = await status({home, folder: below})
  expect(rows[0]).toMatchObject({profile: 'local', chosenBy: join(project, '.storectl.json')})
})

test.each(['url', 'proxy', 'caFile'])(
  'a project file that names a URL, a proxy or a CA certificate is refused: %s',
  async member => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, '.storectl.json'), `{"profile": "x", "${member}": "https://evil.example"}`)
    const {exit, stderr} = await status({folder})
    expect(exit).toBe(2)
    expect(stderr).toContain('may only name a profile')
  },
)

test('exit 4 and a next step when nobody is signed in', async () => {
  const home = temporaryFolder()
  await storectl(['profile', 'set', 'shop', '--url', 'https://shop.example'], {home})
  const {exit, rows, stderr} = await status({home}, '--profile', 'shop')
  expect([exit, rows[0].signedIn]).toEqual([4, false])
  expect(JSON.parse(stderr).error).toMatchObject({
    code: 'auth.not_signed_in',
    nextSteps: ['storectl login --profile shop', expect.anything()],
  })
})

test('--check asks the shop', async () => {
  const shop = await tokenShop({
    answer: () => oauthError(401, '9', 'denied', 'Access token is expired'),
  })
  const env = {STORECTL_URL: shop.url, STORECTL_TOKEN: 'given-token'}
  const {exit, stderr} = await status({env}, '--check')
  expect(exit).toBe(4)
  expect(stderr).toContain('the password was changed')
})

test('clocks that are far apart are named', async () => {
  const clock = new StoppedClock()
  const shop = await tokenShop({clock: new StoppedClock('2026-11-21T13:00:00.000Z')})
  const home = await signedIn(shop, {clock})
  const {rows, stderr} = await status({home, clock})
  expect(rows[0].clockSkewMs).toBe(3_600_500)
  expect(stderr).toContain("warning: the clock of shop is 3601 s ahead of this machine's")
})

test('on a terminal, each profile is a block of lines', async () => {
  const home = temporaryFolder()
  await storectl(['profile', 'set', 'shop', '--url', 'https://shop.example'], {home})
  const {stdout} = await storectl(['auth', 'status'], {home, terminal: true, columns: 40})
  const [first = '', second = ''] = stdout.split('\n\n')
  expect(first).toMatch(/^Profile +local\nCurrent +yes\n/)
  expect(second).toMatch(/\nURL +https:\/\/shop\.example\n/)
})

test('where each value comes from: a flag, a variable, a file', async () => {
  const shop = await tokenShop()
  const home = await signedIn(shop)
  const from = async (env: Record<string, string>, ...argv: string[]) => {
    const {rows} = await status({home, env}, ...argv)
    return [rows[0].urlFrom, rows[0].asFrom, rows[0].secretFrom]
  }
  const settings = join(home, 'settings.json')
  const STORECTL_CLIENT_SECRET = 'hidden-secret'
  expect(await from({STORECTL_CLIENT_SECRET})).toEqual([settings, settings, 'STORECTL_CLIENT_SECRET'])
  const client = {STORECTL_CLIENT_ID: 'SWIAY', STORECTL_CLIENT_SECRET}
  expect(await from(client, '--url', shop.url)).toEqual([
    '--url',
    'STORECTL_CLIENT_ID',
    'STORECTL_CLIENT_SECRET',
  ])
  const STORECTL_URL = 'https://other.example'
  expect(await from({STORECTL_URL, STORECTL_TOKEN: 'given-token'})).toEqual([
    'STORECTL_URL',
    null,
    'STORECTL_TOKEN',
  ])
  expect(await from({STORECTL_URL, STORECTL_USERNAME: 'ada', STORECTL_PASSWORD: 'hidden-password'})).toEqual([
    'STORECTL_URL',
    'STORECTL_USERNAME',
    'STORECTL_PASSWORD',
  ])
})

test('--check takes no page and no missing route for a shop that accepts the token', async () => {
  const answers = [
    {status: 200, headers: {'content-type': 'text/html'}, body: '<h1>a storefront</h1>'},
    {status: 404, headers: {'content-type': 'text/html'}, body: '<h1>404</h1>'},
    {status: 404, body: {errors: [{code: '0', status: '404', title: 'Not Found', detail: 'No route found'}]}},
    {status: 301, headers: {location: 'https://shop.example/api/_info/version'}},
  ]
  for (const answer of answers) {
    const shop = await tokenShop({answer: () => answer})
    const env = {STORECTL_URL: `${shop.url}/api`, STORECTL_TOKEN: 'given-token'}
    const {exit, stderr} = await status({env}, '--check')
    expect([exit, stderr]).toEqual([2, expect.stringContaining('export STORECTL_URL=')])
    expect(stderr).not.toContain('accepts the token')
  }
})
