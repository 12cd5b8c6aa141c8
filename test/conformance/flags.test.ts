import {expect, test} from 'vitest'
import {runShop} from '../shop/running-shop.js'
import {aim} from './aim.js'
import {askVersion, HELP, understand} from './flags.js'

const noFile = () => {
  throw new Error('no such file')
}
const understood = (argv: string[], environment = {}, readText: (file: string) => string = noFile) =>
  understand(argv, environment, readText) as {mistake?: string; environment?: Record<string, string>}

test('without --url the suite is aimed at the bundled server', () => {
  const {environment} = understood([])
  expect(aim(environment)).toBeUndefined()
})

test('what is typed and what the environment keeps secret becomes the aim', () => {
  const secrets = {STORECTL_CLIENT_SECRET: 's', STORECTL_PASSWORD: 'p'}
  const argv = ['--url', 'https://shop.example/eu/?x#y', '--client-id', 'SWIAX', '--username', 'ada']
  const {environment} = understood(
    [...argv, '--webhook-token-file', 'token.txt'],
    secrets,
    file => `${file}\n`,
  )
  expect(aim({...secrets, ...environment})).toEqual({
    url: 'https://shop.example/eu',
    provider: 'paypal',
    tokenPrefix: 'sw',
    clientId: 'SWIAX',
    clientSecret: 's',
    username: 'ada',
    password: 'p',
    webhookToken: 'token.txt',
  })
})

test.each([
  [['--uri', 'x'], "Unknown option '--uri'"],
  [['extra'], 'Unexpected argument'],
  [['--url'], 'argument missing'],
  [['--url', 'shop.example', '--client-id', 'x'], '--url: shop.example is no http or https address.'],
  [['--url', 'https://a:b@shop.example', '--client-id', 'x'], 'leave the credentials out'],
  [['--url', 'https://shop.example'], '--url needs --client-id'],
  [['--client-id', 'x'], '--client-id goes with --url'],
  [['--shop-version', '6.4'], '--shop-version is one of 6.5, 6.6, 6.7'],
  [['--url', 'https://shop.example', '--client-id', 'x', '--username', 'u'], 'Set STORECTL_PASSWORD'],
  [['--url', 'https://shop.example', '--client-id', 'x', '--webhook-token-file', 'x'], 'no such file'],
])('%j is a mistake that says what to type', (argv, words) => {
  expect(understood(argv, {STORECTL_CLIENT_SECRET: 's'}).mistake).toContain(words)
})

test('the version is the one that is given, or the one that the shop says', async () => {
  expect(understood(['--shop-version', '6.7']).environment?.CONFORMANCE_VERSION).toBe('6.7')
  const aimedAt = ['--url', 'https://shop.example', '--client-id', 'x']
  expect(understand(aimedAt, {STORECTL_CLIENT_SECRET: 's'}, noFile)).toMatchObject({
    asks: 'https://shop.example',
  })
  const given = understand([...aimedAt, '--shop-version', '6.5'], {STORECTL_CLIENT_SECRET: 's'}, noFile)
  expect(given).not.toHaveProperty('asks')
  const shop = await runShop({shopVersion: '6.7'})
  expect(await askVersion(shop.url)).toBe('6.7')
  await shop.stop()
})

test('a secret that is missing is asked for by its name', () => {
  expect(understood(['--url', 'https://shop.example', '--client-id', 'x']).mistake).toContain(
    'STORECTL_CLIENT_SECRET',
  )
})

test('help says what a run does to a shop', () => {
  expect(understood(['--help'])).toEqual({help: HELP})
  expect(HELP).toContain('remove them in the end')
})
