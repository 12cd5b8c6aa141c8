import {readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {StoppedClock} from '../support/clock.js'
import {endpoint} from '../support/endpoint.js'
import {temporaryFolder} from '../support/home.js'
import {loginWords} from '../support/login-words.js'
import {oauthError, tokenShop} from '../support/shop-endpoint.js'
import {nameOf} from '../support/skipped.js'
import {storectl} from '../support/storectl.js'

const version = () => ({status: 200, body: {version: '6.6.7.1'}})

test('signs in with a secret from stdin, checks it, and says where, as whom, how long and where it lies', async () => {
  const clock = new StoppedClock()
  const shop = await tokenShop({answer: version, clock})
  const home = temporaryFolder()
  const argv = loginWords(shop.url)
  const {exit, stdout, stderr} = await storectl(argv, {home, stdin: 'hidden-secret\n', clock})
  expect([exit, stdout]).toEqual([0, ''])
  expect(stderr).toBe(`Signed in to ${shop.url} (Shopware 6.6.7.1) as SWIAX.
Token stored in ${home}/credentials.json (mode 0600), expires in 10 min. It renews automatically.
Profile "shop" is the current one.
Not set yet: webhook token (needed by replays): storectl webhook register --profile shop
`)
  expect(shop.calls().map(({method, url}) => `${method} ${url}`)).toEqual(['GET /api/_info/version'])
  expect(statSync(join(home, 'credentials.json')).mode & 0o777).toBe(0o600)
  expect(statSync(join(home, 'settings.json')).mode & 0o777).toBe(0o600)
  expect(readFileSync(join(home, 'settings.json'), 'utf8')).not.toContain('hidden-secret')
})

test('a sign-in and its status have the columns that scripts read', async () => {
  const shop = await tokenShop({answer: version})
  const home = temporaryFolder()
  const columns = async (words: string[]) =>
    (await storectl([...words, '-o', 'csv'], {home, stdin: 'hidden-secret'})).stdout.split(/\r?\n/, 1)[0]
  expect(await columns(loginWords(shop.url))).toBe(
    'profile,url,as,grant,version,expiresAt,renewsItself,store,storedIn,webhookToken,current',
  )
  expect(await columns(['auth', 'status'])).toBe(
    'profile,current,chosenBy,url,signedIn,grant,as,expiresAt,renewedBy,clockSkewMs,store,storedIn,urlFrom,asFrom,secretFrom,protected,shopVersion,pluginVersion',
  )
})

test('a profile signs in as the client or the user of its last sign-in', async () => {
  const shop = await tokenShop({answer: version})
  const home = temporaryFolder()
  const login = async (flags: string[], stdin: string) => {
    const words = ['login', '--profile', 'shop', '--url', shop.url, ...flags]
    expect((await storectl(words, {home, stdin})).exit).toBe(0)
    return JSON.parse(readFileSync(join(home, 'settings.json'), 'utf8')).profiles.shop
  }
  const byUser = await login(['--username', 'ada', '--password-stdin'], 'hidden-password')
  expect(byUser).toEqual({url: shop.url, grant: 'password', username: 'ada'})
  const byClient = await login(['--client-id', 'SWIAX', '--client-secret-stdin'], 'hidden-secret')
  expect(byClient).toEqual({url: shop.url, grant: 'client_credentials', clientId: 'SWIAX'})
})

test('asks on a terminal for what is missing', async () => {
  const shop = await tokenShop({answer: version})
  const answers = [shop.url, '', 'password', 'ada', 'hidden-password', 'later']
  const {exit} = await storectl(['login'], {terminal: true, answers})
  expect(exit).toBe(0)
  expect(shop.grants()).toEqual([
    {grant_type: 'password', client_id: 'administration', username: 'ada', password: 'hidden-password'},
  ])
})

test.each([
  [
    ['login'],
    'a sign-in needs --url URL, --client-id ID or --username NAME, --client-secret-stdin or --password-stdin',
  ],
  [['login', '--client-id', 'SWIAX'], 'a sign-in needs --url URL, --client-secret-stdin'],
  [['login', '--url', 'https://shop.example'], 'a sign-in needs --client-id ID or --username NAME'],
  [
    ['login', '--url', 'https://shop.example', '--client-id', 'SWIAX'],
    'a sign-in needs --client-secret-stdin',
  ],
  [['login', '--url', 'https://shop.example', '--username', 'ada'], 'a sign-in needs --password-stdin'],
])('where nobody can be asked, the missing flag is named: %j', async (argv, message) => {
  const {exit, stderr} = await storectl(argv)
  expect(exit).toBe(2)
  expect(stderr.toLowerCase()).toContain(message.toLowerCase())
})

test('no prompt appears on a terminal under CI', async () => {
  const {exit, stderr} = await storectl(['login'], {terminal: true, env: {CI: '1'}})
  expect(exit).toBe(2)
  expect(stderr).toContain('--url URL')
})

test('keeps nothing when the shop refuses', async () => {
  const shop = await tokenShop({grant: () => oauthError(401, '4', 'Client authentication failed', null)})
  const home = temporaryFolder()
  const argv = ['login', '--url', shop.url, '--client-id', 'SWIAX', '--client-secret-stdin']
  const {exit, stderr} = await storectl(argv, {home, stdin: 'hidden-secret'})
  expect(exit).toBe(4)
  expect(stderr).toContain('does not know client SWIAX')
  expect(stderr).not.toContain('hidden-secret')
  expect(readdirSync(home)).toEqual([])
})

test('keeps nothing when the check with the new token fails', async () => {
  const shop = await tokenShop({
    answer: () => oauthError(401, '9', 'denied', 'Missing "Authorization" header'),
  })
  const home = temporaryFolder()
  const argv = ['login', '--url', shop.url, '--client-id', 'SWIAX', '--client-secret-stdin']
  const {exit, stderr} = await storectl(argv, {home, stdin: 'hidden-secret'})
  expect([exit, readdirSync(home)]).toEqual([4, []])
  expect(stderr).toContain('Missing "Authorization" header')
})

test('--no-remember keeps the token and nothing that renews it', async () => {
  const shop = await tokenShop({answer: version})
  const home = temporaryFolder()
  const file = join(temporaryFolder(), 'password')
  writeFileSync(file, 'hidden-password\n')
  const argv = ['login', '--url', shop.url, '--username', 'ada', '--password-file', file, '--no-remember']
  const {exit, stderr} = await storectl(argv, {home})
  expect(exit).toBe(0)
  expect(stderr).toContain('is not renewed')
  const kept = readFileSync(join(home, 'credentials.json'), 'utf8')
  expect(kept).toContain('token-1')
  expect(kept).not.toMatch(/refresh-1|hidden-password/)
})

test('a second profile does not become the current one by itself', async () => {
  const [one, other] = [await tokenShop({answer: version}), await tokenShop({answer: version})]
  const home = temporaryFolder()
  const login = (name: string, url: string) =>
    storectl(['login', '--profile', name, '--url', url, '--client-id', 'SWIAX', '--client-secret-stdin'], {
      home,
      stdin: 'hidden-secret',
    })
  await login('one', one.url)
  expect((await login('other', other.url)).stderr).toContain('storectl profile use other')
  expect((await storectl(['config', 'list', 'profile'], {home})).stdout).toBe('one\n')
})

test('a name is made of the host, and the same shop keeps its profile', async () => {
  const shop = await tokenShop({answer: version})
  const home = temporaryFolder()
  const argv = ['login', '--url', `${shop.url}/`, '--client-id', 'SWIAX', '--client-secret-stdin', '--json']
  const first = await storectl(argv, {home, stdin: 'hidden-secret'})
  const again = await storectl(argv, {home, stdin: 'hidden-secret'})
  expect(JSON.parse(first.stdout)).toMatchObject({
    profile: new URL(shop.url).host.replace(':', '-'),
    url: shop.url,
    grant: 'client_credentials',
    as: 'SWIAX',
    version: '6.6.7.1',
    renewsItself: true,
    current: true,
  })
  expect(JSON.parse(again.stdout).profile).toBe(JSON.parse(first.stdout).profile)
})

test('a URL that holds a password is refused, and not repeated', async () => {
  const {exit, stderr} = await storectl(['login', '--url', 'https://ada:hidden-password@shop.example'])
  expect(exit).toBe(2)
  expect(stderr).not.toContain('hidden-password')
})

test('a shop that gives a token and does not take it is told by what was refused', async () => {
  const shop = await endpoint(({url}) =>
    url === '/api/oauth/token'
      ? {body: {token_type: 'Bearer', expires_in: 600, access_token: 'hidden-token'}}
      : {status: 500, body: '<html>'},
  )
  const {exit, stderr} = await storectl(['login', '--url', shop.url, '--client-id', 'SWIAX'], {
    env: {STORECTL_CLIENT_SECRET: 'hidden-secret'},
  })
  expect([exit, stderr]).toEqual([6, expect.stringContaining('the check of the access token')])
})

test('the bundled shop needs no sign-in', async () => {
  const {exit, stderr} = await storectl(['login', '--profile', 'local'])
  expect(exit).toBe(2)
  expect(stderr).toContain('signs in by itself')
})

test('a one-time code goes along with the password, in the member that --otp-field names', async () => {
  const shop = await tokenShop()
  const home = temporaryFolder()
  const words = ['login', '--url', shop.url, '--username', 'ada', '--otp-stdin']
  const options = {home, env: {STORECTL_PASSWORD: 'right-password'}, stdin: '123456\n'}
  const {exit, stdout, stderr} = await storectl(words, options)
  expect([exit, shop.grants()[0]]).toEqual([
    0,
    expect.objectContaining({grant_type: 'password', otp: '123456'}),
  ])
  await storectl([...words, '--otp-field', 'twoFactorCode'], options)
  expect(shop.grants()[1]).toMatchObject({password: 'right-password', twoFactorCode: '123456'})
  expect(stdout + stderr).not.toContain('123456')
  expect((await storectl([...words, '--otp-field', 'scope'], options)).exit).toBe(2)
  const empty = await storectl(words, {...options, stdin: ''})
  expect([empty.exit, empty.stderr]).toEqual([2, expect.stringContaining('The one-time code is empty.')])
  const client = ['login', '--url', shop.url, '--client-id', 'SWIAX', '--otp-stdin']
  const refused = await storectl(client, {...options, env: {STORECTL_CLIENT_SECRET: 'secret'}})
  expect([refused.exit, shop.grants().length]).toEqual([2, 2])
})

test.skipIf(process.platform !== 'linux')(
  nameOf('--store keyring uses the file at once where no bus is', process.platform !== 'linux' && 'Linux'),
  async () => {
    const {url} = await tokenShop()
    const home = temporaryFolder()
    const {exit, stderr} = await storectl([...loginWords(url), '--store', 'keyring'], {home, stdin: 'secret'})
    expect(exit).toBe(0)
    expect(stderr).toContain(
      'warning: the OS keyring cannot be used: there is no D-Bus session (DBUS_SESSION_BUS_ADDRESS is not set). ',
    )
    expect(readFileSync(join(home, 'credentials.json'), 'utf8')).toContain('"secret"')
  },
)
