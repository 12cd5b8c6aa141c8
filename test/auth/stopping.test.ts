import {once} from 'node:events'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {requestToken} from '../../src/auth/token/token-client.js'
import {createTemporaryTokens} from '../../src/auth/token/token-source.js'
import {openHttp} from '../../src/http/client.js'
import {withLock} from '../../src/platform/files/exclusive-lock.js'
import {Interruption, Stopped} from '../../src/platform/interruption.js'
import {StoppedClock} from '../support/clock.js'
import {testContext} from '../support/context.js'
import {endpoint} from '../support/endpoint.js'
import {temporaryFolder} from '../support/home.js'
import {storectl} from '../support/storectl.js'

/** A shop that takes every call, and answers when it is told to. */
async function slowShop() {
  const server = createServer()
  const calls = {count: 0}
  const waiting: ((status: number) => void)[] = []
  server.on('request', (incoming, outgoing) => {
    calls.count++
    const token = JSON.stringify({
      token_type: 'Bearer',
      expires_in: 600,
      access_token: `token-${calls.count}`,
    })
    waiting.push(status => outgoing.writeHead(status, {'content-type': 'application/json'}).end(token))
    incoming.resume()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const clock = new StoppedClock()
  const baseUrl = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const limits = {connectTimeoutMs: 5000, timeoutMs: 20_000, connections: 4}
  const http = openHttp({...limits, env: {}, clock, userAgent: 'test'})
  onTestFinished(async () => {
    await http.close()
    server.closeAllConnections()
    server.close()
  })
  const deps = {caller: http.to(baseUrl), clock, hints: {signIn: '', credentials: ''} as never}
  const asked = () => once(server, 'request')
  return {deps, asked, calls, answer: (status = 200) => waiting.splice(0).map(each => each(status))}
}

const CLIENT = {kind: 'client', clientId: 'SWIAX', clientSecret: 'hidden-secret'} as const

test('the wait for a token ends with the first Ctrl-C', async () => {
  const {deps, asked} = await slowShop()
  const interruption = new Interruption()
  const asking = requestToken(CLIENT, deps, false, interruption.stopping)
  await Promise.all([
    asked(),
    expect(asking).rejects.toBeInstanceOf(Stopped),
    asked().then(() => interruption.stop('SIGINT')),
  ])
})

test('a refresh token that is on its way is not cut short: its answer holds the only next one', async () => {
  const {deps, asked, answer} = await slowShop()
  const interruption = new Interruption()
  const asking = requestToken({kind: 'refresh', refreshToken: 'kept'}, deps, true, interruption.stopping)
  await asked()
  interruption.stop('SIGINT')
  answer()
  expect((await asking).value).toBe('token-1')
})

test('who shares the wait for a sign-in is refused with it, each with a signal of its own', async () => {
  const {deps, asked, calls, answer} = await slowShop()
  const tokens = createTemporaryTokens(CLIENT, deps)
  const asking = [tokens.obtain(new AbortController().signal), tokens.obtain(new AbortController().signal)]
  await asked()
  answer(401)
  const outcomes = await Promise.allSettled(asking)
  expect(outcomes.map(({status}) => status)).toEqual(['rejected', 'rejected'])
  expect(calls.count).toBe(1)
})

test('a write that shares the wait of a read which was stopped still gets its token', async () => {
  const {deps, asked, answer} = await slowShop()
  const interruption = new Interruption()
  const tokens = createTemporaryTokens(CLIENT, deps)
  const read = tokens.obtain(interruption.stopping)
  const write = tokens.obtain()
  await asked()
  const again = asked()
  interruption.stop('SIGINT')
  await expect(read).rejects.toBeInstanceOf(Stopped)
  await again
  answer()
  expect((await write).value).toBe('token-2')
})

test('the wait for the lock of another process ends with the first Ctrl-C, and the lock is as it was', async () => {
  const lock = join(temporaryFolder(), 'lock')
  const interruption = new Interruption()
  await withLock(lock, 1000, async () => {
    const waiting = withLock(lock, 20_000, () => 'done', interruption.stopping)
    interruption.stop('SIGINT')
    await expect(waiting).rejects.toBeInstanceOf(Stopped)
  })
  expect(await withLock(lock, 1000, () => 'free')).toBe('free')
})

test.each([['doctor'], ['auth', 'token'], ['auth', 'status', '--check'], ['customer', 'search']])(
  '%s %s %s ends with the first Ctrl-C at a shop that never answers',
  async (...words) => {
    const begun: {stop?: () => void} = {}
    const shop = await endpoint(() => {
      begun.stop?.()
      return {silence: true}
    })
    const env = {STORECTL_URL: shop.url, STORECTL_CLIENT_ID: 'SWIAX', STORECTL_CLIENT_SECRET: 'hidden-secret'}
    const given = testContext({env})
    begun.stop = () => given.interruption.stop('SIGINT')
    expect(
      (
        await storectl(
          words.filter(word => word !== undefined),
          given,
        )
      ).exit,
    ).toBe(130)
    expect(shop.received).toHaveLength(1)
  },
)
