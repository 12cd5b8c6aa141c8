import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {temporaryFolder} from '../../support/home.js'
import {tokenShop} from '../../support/shop-endpoint.js'
import {storectl} from '../../support/storectl.js'

const rows = async (home: string) =>
  JSON.parse((await storectl(['profile', 'list', '--json'], {home})).stdout)

test('set makes a profile, changes only what is given, and never prints a secret', async () => {
  const home = temporaryFolder()
  const set = (argv: string[], stdin = '') => storectl(['profile', 'set', 'shop', ...argv], {home, stdin})
  expect((await set(['--url', 'https://shop.example/de/', '--protected'])).stderr).toBe(
    'Created profile "shop".\n',
  )
  await set(['--provider', 'stripe', '--token-prefix', 'pay', '--client-id', 'SWIAX'])
  await set(['--webhook-token-stdin'], 'hidden-webhook-token\n')
  await set(['--shop-version', '6.6.10.0', '--plugin-version', '9.6.2'])
  await set(['--header-stdin'], 'X-Gate: hidden-gate\n\nAuthorization: Basic aGlkZGVu\n')
  const {stdout} = await storectl(['profile', 'show', 'shop', '-o', 'json'], {home})
  expect(JSON.parse(stdout)).toEqual({
    name: 'shop',
    current: false,
    url: 'https://shop.example/de',
    provider: 'stripe',
    tokenPrefix: 'pay',
    grant: 'client_credentials',
    clientId: 'SWIAX',
    username: null,
    protected: true,
    store: 'file',
    storedIn: join(home, 'credentials.json'),
    hasClientSecret: false,
    hasWebhookToken: true,
    headers: ['X-Gate', 'Authorization'],
    providerUrl: 'https://api-m.paypal.com',
    shopVersion: '6.6.10.0',
    pluginVersion: '9.6.2',
    presumeLostAfter: '10m',
    providerClientId: null,
    hasProviderSecret: false,
  })
  await set(['--header-stdin', '--no-protected'])
  expect((await rows(home))[1]).toMatchObject({headers: [], protected: false, hasWebhookToken: true})
  expect(readFileSync(join(home, 'settings.json'), 'utf8')).not.toContain('hidden')
})

test('extra headers go out with every call, the access token above an Authorization header', async () => {
  const shop = await tokenShop()
  const home = temporaryFolder()
  await storectl(['profile', 'set', 'shop', '--url', shop.url, '--header-stdin'], {
    home,
    stdin: 'X-Gate: open\nauthorization: Basic aGlkZGVu\n',
  })
  const argv = ['login', '--profile', 'shop', '--client-id', 'SWIAX', '--client-secret-stdin']
  expect((await storectl(argv, {home, stdin: 'hidden-secret'})).exit).toBe(0)
  expect(shop.received.map(({headers}) => [headers['x-gate'], headers.authorization])).toEqual([
    ['open', 'Basic aGlkZGVu'],
    ['open', 'Bearer token-1'],
  ])
})

test('use makes a profile current; remove takes it and its secrets away', async () => {
  const home = temporaryFolder()
  await storectl(['profile', 'set', 'shop', '--url', 'https://shop.example', '--webhook-token-stdin'], {
    home,
    stdin: 'hidden-webhook-token',
  })
  await storectl(['profile', 'use', 'shop'], {home})
  expect((await rows(home)).map((row: {current: boolean}) => row.current)).toEqual([false, true])
  expect((await storectl(['profile', 'remove', 'shop'], {home})).exit).toBe(2)
  const {stderr} = await storectl(['profile', 'remove', 'shop', '--yes'], {home})
  expect(stderr).toBe('Deleted profile "shop". Commands now use "local".\n')
  expect((await rows(home)).map((row: {current: boolean}) => row.current)).toEqual([true])
  expect(readFileSync(join(home, 'credentials.json'), 'utf8')).not.toContain('hidden-webhook-token')
})

test('what signs in to the provider is kept for its URL alone, and never shown', async () => {
  const home = temporaryFolder()
  const set = (argv: string[], stdin = '') => storectl(['profile', 'set', 'shop', ...argv], {home, stdin})
  await set(['--url', 'https://shop.example', '--provider-url', 'sandbox', '--provider-client-id', 'AX'])
  await set(['--provider-client-secret-stdin'], 'hidden-provider-secret\n')
  expect((await rows(home))[1]).toMatchObject({
    providerUrl: 'https://api-m.sandbox.paypal.com',
    providerClientId: 'AX',
    hasProviderSecret: true,
  })
  await set(['--provider-url', 'live'])
  expect((await rows(home))[1]).toMatchObject({hasProviderSecret: false})
  await set(['--provider-url', 'sandbox'])
  await set(['--url', 'https://other.example'])
  expect((await rows(home))[1]).toMatchObject({hasProviderSecret: false})
})

test('--presume-lost-after is stored as it is typed, none for never, and anything else is refused', async () => {
  const home = temporaryFolder()
  const set = (value: string, ...more: string[]) =>
    storectl(['profile', 'set', 'shop', '--presume-lost-after', value, ...more], {home})
  expect((await set('soon', '--url', 'https://shop.example')).exit).toBe(2)
  for (const value of ['30m', 'none']) {
    expect((await set(value, '--url', 'https://shop.example')).exit).toBe(0)
    const {stdout} = await storectl(['profile', 'show', 'shop', '-o', 'json'], {home})
    expect(JSON.parse(stdout)).toMatchObject({presumeLostAfter: value})
  }
})
