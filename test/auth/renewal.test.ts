import {readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {StoppedClock} from '../support/clock.js'
import {type Endpoint, endpoint} from '../support/endpoint.js'
import {temporaryFolder} from '../support/home.js'
import {loginWords} from '../support/login-words.js'
import {ordersOf} from '../support/order-shop.js'
import {testShop} from '../support/shop.js'
import {oauthError, tokenShop} from '../support/shop-endpoint.js'
import {storectl} from '../support/storectl.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** A bundled shop behind something that lets four minutes pass with each order, and remembers what was answered. */
async function slowShop(ours: StoppedClock, aheadMs: number) {
  const clock = new StoppedClock(new Date(ours.now().getTime() + aheadMs).toISOString())
  const shop = await testShop({clock})
  const answers: string[] = []
  const front: Endpoint = await endpoint(async ({method, url, headers, body}) => {
    const {authorization, 'content-type': type} = headers
    const passed = {...(authorization ? {authorization} : {}), ...(type ? {'content-type': type} : {})}
    const answer = await fetch(`${shop.url}${url}`, {method, headers: passed, ...(body ? {body} : {})})
    answers.push(`${url} ${answer.status}`)
    if (url.endsWith('/fulfillment/order')) for (const each of [ours, clock]) each.advance(4 * MINUTE_MS)
    const date = clock.now().toUTCString()
    const text = await answer.text()
    return {status: answer.status, headers: {'content-type': 'application/json', date}, body: text}
  })
  return {url: front.url, answers, credentials: shop.credentials}
}

test.each([
  ['client', 0],
  ['password', 0],
  ['client', HOUR_MS],
  ['password', -HOUR_MS],
] as const)(
  'a run of three hours by %s, the shop %i ms ahead: a token every ten minutes, and no call fails',
  async (grant, aheadMs) => {
    const clock = new StoppedClock()
    const home = temporaryFolder()
    const {url, answers, credentials} = await slowShop(clock, aheadMs)
    const {clientId, clientSecret, username, password} = credentials
    const who =
      grant === 'client'
        ? ['--client-id', clientId, '--client-secret-stdin']
        : ['--username', username, '--password-stdin']
    const login = ['login', '--profile', 'shop', '--url', url, ...who]
    const signedIn = await storectl(login, {home, clock, stdin: grant === 'client' ? clientSecret : password})
    expect(signedIn.exit).toBe(0)
    expect(/the clock of .* is 3\d\d\d s (ahead of|behind)/.exec(signedIn.stderr)?.[1]).toBe(
      aheadMs === 0 ? undefined : aheadMs > 0 ? 'ahead of' : 'behind',
    )
    const orders = join(home, 'orders.json')
    writeFileSync(orders, JSON.stringify(ordersOf(45)))
    const submit = ['order', 'submit', orders, '--yes', '--concurrency', '1', '-o', 'id']
    const {exit, stderr} = await storectl(submit, {home, clock})
    expect([exit, stderr]).toEqual([0, expect.stringContaining('45 created')])
    expect(answers.filter(each => each !== '/api/_info/version 200' && !each.endsWith('200'))).toEqual([])
    // A token of ten minutes is used at 0, 4 and 8 minutes; at 12 there is a new one.
    expect(answers.filter(each => each.startsWith('/api/oauth/token'))).toHaveLength(15)
    const status = await storectl(['auth', 'status', '-o', 'json'], {home, clock})
    expect(Math.abs(JSON.parse(status.stdout)[0].clockSkewMs - aheadMs)).toBeLessThan(1000)
  },
)

test('a token that is refused is renewed once and tried once more, never twice', async () => {
  const denied = oauthError(401, '9', 'denied', 'Access token could not be verified')
  const shop = await tokenShop({answer: () => denied})
  const env = {STORECTL_URL: shop.url, STORECTL_CLIENT_ID: 'SWIAX', STORECTL_CLIENT_SECRET: 'hidden-secret'}
  const {exit} = await storectl(['customer', 'search'], {env})
  expect([exit, shop.grants().length, shop.calls().length]).toEqual([4, 2, 2])
  expect(shop.calls().map(({headers}) => headers.authorization)).toEqual(['Bearer token-1', 'Bearer token-2'])
})

test('many calls that are refused at once renew the token once', async () => {
  const shop = await tokenShop({
    answer: ({headers}) =>
      headers.authorization === 'Bearer token-1'
        ? oauthError(401, '9', 'denied', 'Access token could not be verified')
        : {status: 500},
  })
  const home = temporaryFolder()
  const orders = join(home, 'orders.json')
  writeFileSync(orders, JSON.stringify(ordersOf(20)))
  const env = {STORECTL_URL: shop.url, STORECTL_CLIENT_ID: 'SWIAX', STORECTL_CLIENT_SECRET: 'hidden-secret'}
  const words = [
    'order',
    'submit',
    orders,
    '--yes',
    '--concurrency',
    '20',
    '--retries',
    '0',
    '--grace-period',
    '0',
  ]
  await storectl(words, {home, env})
  expect(shop.grants()).toHaveLength(2)
})

/** Signed in as a user whose access token has ended. */
async function endedSession() {
  const shop = await tokenShop({answer: () => ({status: 200, body: {version: '6'}})})
  const clock = new StoppedClock()
  const home = temporaryFolder()
  const argv = ['login', '--profile', 'shop', '--url', shop.url, '--username', 'ada', '--password-stdin']
  await storectl(argv, {home, clock, stdin: 'hidden-password'})
  clock.advance(HOUR_MS)
  return {shop, clock, home}
}

test('a refresh token is not used up where the next one could not be kept', async () => {
  const {shop, clock, home} = await endedSession()
  const before = readFileSync(join(home, 'credentials.json'), 'utf8')
  rmSync(join(home, 'locks'), {recursive: true})
  writeFileSync(join(home, 'locks'), '')
  const {exit, stderr} = await storectl(['auth', 'token'], {home, clock})
  expect([exit, shop.grants().length]).toEqual([2, 1])
  expect(stderr).toContain('a parent folder of its path is a file')
  expect(readFileSync(join(home, 'credentials.json'), 'utf8')).toBe(before)
  rmSync(join(home, 'locks'))
  expect((await storectl(['auth', 'token'], {home, clock})).stdout).toBe('token-2\n')
})

test('a client secret signs in from a home that cannot be written, and says that nothing was kept', async () => {
  const shop = await tokenShop({answer: () => ({status: 200, body: {version: '6'}})})
  const clock = new StoppedClock()
  const home = temporaryFolder()
  const argv = loginWords(shop.url)
  await storectl(argv, {home, clock, stdin: 'hidden-secret'})
  clock.advance(HOUR_MS)
  rmSync(join(home, 'locks'), {recursive: true})
  writeFileSync(join(home, 'locks'), '')
  const {exit, stdout, stderr} = await storectl(['auth', 'token'], {home, clock})
  expect([exit, stdout]).toEqual([0, 'token-2\n'])
  expect(stderr).toContain('warning: could not store the new token')
  expect(statSync(join(home, 'locks')).isFile()).toBe(true)
})
