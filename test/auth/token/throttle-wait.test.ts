import {expect, test} from 'vitest'
import type {Clock} from '../../../src/platform/clock.js'
import {currentTime} from '../../support/clock.js'
import {testContext} from '../../support/context.js'
import type {Reply} from '../../support/endpoint.js'
import {tokenShop} from '../../support/shop-endpoint.js'
import {storectl} from '../../support/storectl.js'
import {until} from '../../support/until.js'

const throttled = (parameters: object): Reply => ({
  status: 429,
  body: {
    errors: [{status: '429', code: 'FRAMEWORK__AUTH_THROTTLED', title: 'x', detail: 'x', meta: {parameters}}],
  },
})

/** A clock whose sleeps end at once, and that remembers them. */
function sleepless() {
  const slept: number[] = []
  const clock: Clock = {readTicks: () => 0, now: currentTime, sleep: async ms => void slept.push(ms)}
  return {clock, slept}
}

const envOf = (url: string) => ({
  STORECTL_URL: url,
  STORECTL_CLIENT_ID: 'SWIAX',
  STORECTL_CLIENT_SECRET: 'right-secret',
})

test('--wait sits a throttle out for as long as the shop says, and signs in', async () => {
  const shop = await tokenShop({
    grant: (_body, count) => [throttled({seconds: 10}), throttled({}), throttled({seconds: -3})][count - 1],
  })
  const {clock, slept} = sleepless()
  const {exit, stderr} = await storectl(['auth', 'token', '--wait'], {env: envOf(shop.url), clock})
  expect([exit, slept]).toEqual([0, [10_000, 30_000, 1000]])
  expect(stderr).toContain('waiting 10 s')
})

test('without it the seconds are told, and the way to wait', async () => {
  const shop = await tokenShop({grant: () => throttled({seconds: 10})})
  const {exit, stderr} = await storectl(['auth', 'token'], {env: envOf(shop.url)})
  expect(exit).toBe(6)
  expect(stderr).toContain('Wait 10 s')
  expect(stderr).toContain('--wait')
  expect(shop.grants()).toHaveLength(1)
})

test('Ctrl-C ends the waiting', async () => {
  const shop = await tokenShop({grant: () => throttled({seconds: 3600})})
  const test = testContext({env: envOf(shop.url)})
  const ended = storectl(['auth', 'token', '--wait'], test)
  await until('it says that it is waiting', () => test.err().includes('waiting'))
  test.interruption.stop('SIGINT')
  expect((await ended).exit).toBe(130)
})

test('calls other than signing in are not waited for', async () => {
  const shop = await tokenShop({answer: () => ({status: 429, headers: {'retry-after': '3600'}})})
  const {exit} = await storectl(['api', 'GET', '/api/x', '--wait'], {env: envOf(shop.url)})
  expect(exit).toBe(6)
})
