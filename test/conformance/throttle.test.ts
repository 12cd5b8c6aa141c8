import process from 'node:process'
import {describe, expect} from 'vitest'
import type {Call} from './call.js'
import {expectErrors} from './envelopes.js'
import {byClient, byPassword, byRefresh} from './grants.js'
import {conformance} from './rows.js'
import type {Target} from './target.js'
import {byVersion} from './versions.js'

const all = conformance()
const row = all.bundledOnly

/** What the refusal says is throttled. */
const WHAT = byVersion('Auth', {'6.7': 'Notification'})

/** By the clock of the shop, which forgets meanwhile: each row begins with no attempts. */
const DAY_SECONDS = 24 * 3600
const fresh = (shop: Target) => shop.bundled.clock.pass(DAY_SECONDS)

const ask = (shop: Target, body: object, query = '', more: Partial<Call> = {}) =>
  shop.call({path: `/api/oauth/token${query}`, headers: {'Content-Type': 'application/json'}, body, ...more})
/** Fails without a password to be hashed. */
const fail = (shop: Target, username = 'ada') => ask(shop, byPassword({username}))

async function failTimes(shop: Target, times: number, username = 'ada'): Promise<void> {
  for (let count = 0; count < times; count++) expect((await fail(shop, username)).status).toBe(400)
}

function expectThrottled(reply: Awaited<ReturnType<typeof fail>>, seconds: number): void {
  expectErrors(reply, 429, {
    status: '429',
    code: `FRAMEWORK__${WHAT.toUpperCase()}_THROTTLED`,
    title: 'Too Many Requests',
    detail: `${WHAT} throttled for ${seconds} seconds.`,
    meta: {parameters: {seconds}},
  })
  expect(reply.headers).not.toHaveProperty('retry-after')
}

describe('§2.7 and trap 8', () => {
  row('1 to 10 are free, the 11th waits: to the byte, no Retry-After', async shop => {
    fresh(shop)
    await failTimes(shop, 10)
    const reply = await fail(shop)
    expectThrottled(reply, 10)
    expect(reply.text).toBe(
      `{"errors":[{"status":"429","code":"FRAMEWORK__${WHAT.toUpperCase()}_THROTTLED","title":"Too Many Requests","detail":"${WHAT} throttled for 10 seconds.","meta":{"parameters":{"seconds":10}}}]}`,
    )
  })

  row('seconds are those that remain', async shop => {
    fresh(shop)
    await failTimes(shop, 10)
    shop.bundled.clock.pass(4)
    expectThrottled(await fail(shop), 6)
    shop.bundled.clock.pass(5)
    expectThrottled(await fail(shop), 1)
  })

  row.each<[attempts: number, firstSeconds: number, untilAttempt: number]>(
    [
      ['11 to 15: 10 s each', 10, 10, 15],
      ['16 to 20: 30 s each', 15, 30, 20],
      ['from 21 on: 60 s each', 20, 60, 24],
    ],
    async (shop, attempts, seconds, until) => {
      fresh(shop)
      await failTimes(shop, 10)
      for (let count = 10; count < attempts; count++) {
        shop.bundled.clock.pass(60)
        await failTimes(shop, 1)
      }
      for (let count = attempts; count < until; count++) {
        expectThrottled(await fail(shop), seconds)
        shop.bundled.clock.pass(seconds - 1)
        expectThrottled(await fail(shop), 1)
        shop.bundled.clock.pass(1)
        await failTimes(shop, 1)
      }
    },
  )

  row('refused ones neither count nor extend', async shop => {
    fresh(shop)
    await failTimes(shop, 10)
    for (let second = 0; second < 9; second++) {
      expectThrottled(await fail(shop), 10 - second)
      shop.bundled.clock.pass(1)
    }
    shop.bundled.clock.pass(1)
    // The 11th; had the refused ones counted, the next would have to wait for 30 s or more.
    await failTimes(shop, 1)
    expectThrottled(await fail(shop), 10)
  })

  row('right credentials are refused meanwhile', async shop => {
    fresh(shop)
    for (let count = 0; count < 10; count++) await ask(shop, {})
    expectThrottled(await ask(shop, byClient(shop)), 10)
    shop.bundled.clock.pass(10)
    expect((await ask(shop, byClient(shop))).status).toBe(200)
  })

  row('a success resets', async shop => {
    fresh(shop)
    for (let count = 0; count < 9; count++) await ask(shop, {})
    expect((await ask(shop, byClient(shop))).status).toBe(200)
    for (let count = 0; count < 10; count++) expect((await ask(shop, {})).status).toBe(400)
    expectThrottled(await ask(shop, {}), 10)
  })

  row('a success resets where the wait was long', async shop => {
    fresh(shop)
    await failTimes(shop, 10, shop.username)
    for (let count = 0; count < 11; count++) {
      shop.bundled.clock.pass(60)
      await failTimes(shop, 1, shop.username)
    }
    shop.bundled.clock.pass(60)
    expect((await ask(shop, byPassword(shop))).status).toBe(200)
    await failTimes(shop, 10, shop.username)
  })

  row('successes do not count', async shop => {
    fresh(shop)
    for (let count = 0; count < 25; count++) expect((await ask(shop, byClient(shop))).status).toBe(200)
  })

  row('24 h without attempts reset', async shop => {
    fresh(shop)
    await failTimes(shop, 10)
    for (let count = 0; count < 11; count++) {
      shop.bundled.clock.pass(60)
      await failTimes(shop, 1)
    }
    shop.bundled.clock.pass(DAY_SECONDS)
    await failTimes(shop, 10)
    expectThrottled(await fail(shop), 10)
  })
})

describe('§2.7 the bucket', () => {
  row('is one a username', async shop => {
    fresh(shop)
    await failTimes(shop, 10)
    expectThrottled(await fail(shop), 10)
    await failTimes(shop, 1, 'grace')
  })

  row('of client_credentials and refresh is one for all', async shop => {
    fresh(shop)
    for (let count = 0; count < 5; count++) await ask(shop, byClient(shop, {client_secret: 'x'}))
    for (let count = 0; count < 5; count++) await ask(shop, byRefresh('x'))
    const {clientId, clientSecret} = shop
    expectThrottled(await ask(shop, byClient(shop, {client_id: clientId, client_secret: clientSecret})), 10)
    expectThrottled(await ask(shop, byRefresh('x')), 10)
  })

  row('takes the query’s username before the body’s', async shop => {
    fresh(shop)
    for (let count = 0; count < 10; count++) await ask(shop, byPassword({username: 'grace'}), '?username=ada')
    expectThrottled(await fail(shop, 'ada'), 10)
    expectThrottled(await ask(shop, byPassword({username: 'grace'}), '?username=ada'), 10)
    await failTimes(shop, 1, 'grace')
  })

  // Addresses of the loopback net other than the first are there on Linux without being set up.
  if (process.platform === 'linux')
    row('is one an address', async shop => {
      fresh(shop)
      for (let count = 0; count < 10; count++) await ask(shop, {})
      expectThrottled(await ask(shop, {}), 10)
      expect((await ask(shop, {}, '', {from: '127.0.0.2'})).status).toBe(400)
    })
})

describe('§2.7 is checked', () => {
  row('before the grant', async shop => {
    fresh(shop)
    for (let count = 0; count < 10; count++) await ask(shop, {grant_type: 'magic'})
    expectThrottled(await ask(shop, {grant_type: 'magic'}), 10)
  })

  row.each<[more: Partial<Call>, status: number]>(
    [
      ['behind a malformed body', {body: '{'}, 400],
      ['behind the method', {method: 'GET'}, 405],
      ['behind the language', {headers: {'sw-language-id': 'x'}}, 412],
    ],
    async (shop, more, status) => {
      fresh(shop)
      for (let count = 0; count < 10; count++) await ask(shop, {})
      for (let count = 0; count < 3; count++) expect((await ask(shop, {}, '', more)).status).toBe(status)
      expectThrottled(await ask(shop, {}), 10)
    },
  )
})
