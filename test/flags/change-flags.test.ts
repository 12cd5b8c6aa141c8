import {expect, test} from 'vitest'
import {endpoint} from '../support/endpoint.js'
import {temporaryFolder} from '../support/home.js'
import {loginWords} from '../support/login-words.js'
import {orderOf, orderShop} from '../support/order-shop.js'
import {seedPaymentShop} from '../support/payment-shop.js'
import {storectl} from '../support/storectl.js'
import {
  eventId,
  FAST,
  file,
  GENERIC,
  ndjson,
  openPayments,
  refusal,
  SHOP_ERROR,
  testShop,
} from '../webhook/support.js'

/** A home with an event and with a replay that failed. */
async function failedReplay() {
  const {states, events} = openPayments(2)
  const shop = await testShop(states)
  const home = temporaryFolder()
  const run = (...argv: string[]) => storectl(argv, {home, env: shop.env})
  shop.intercept = () => refusal(GENERIC)
  await run('webhook', 'replay', file(ndjson(events)), ...FAST, '--retries', '0', '--canary', '1')
  shop.intercept = () => undefined
  return {run, shop}
}

test('--confirm with the name of another profile stops a change that --yes allows', async () => {
  const {run} = await failedReplay()
  const changes = [
    ['webhook', 'replay'],
    ['webhook', 'prune', '--older-than', '0s'],
    ['webhook', 'resolve', eventId(0), eventId(1), '--reason', 'x'],
    ['run', 'resume', 'last'],
    ['order', 'submit', file(ndjson([orderOf('A-1')]))],
  ]
  for (const words of changes) {
    const {exit, stderr} = await run(...words, '--yes', '--confirm', 'nobody')
    expect([words, exit, stderr]).toEqual([words, 7, expect.stringContaining('"nobody" does not match')])
  }
})

test('--reason of run resume is in the run', async () => {
  const {run} = await failedReplay()
  expect(await run('run', 'resume', 'last', '--yes', '--reason', 'ticket 13')).toMatchObject({exit: 0})
  expect(JSON.parse((await run('run', 'show', 'last', '-o', 'json')).stdout).reason).toBe('ticket 13')
})

test('--reason and --breaker-failures of order submit are in the run and end it', async () => {
  const shop = await orderShop({instead: () => SHOP_ERROR})
  const context = {home: temporaryFolder(), env: {STORECTL_URL: shop.url, STORECTL_TOKEN: 'signed-in'}}
  const orders = file(ndjson(Array.from({length: 9}, (_, at) => orderOf(`A-${at}`))))
  const words = [
    '--yes',
    '--reason',
    'ticket 14',
    '--breaker-failures',
    '2',
    '--concurrency',
    '1',
    '--retries',
    '0',
  ]
  expect((await storectl(['order', 'submit', orders, ...words], context)).exit).toBe(7)
  expect(shop.sent().length).toBeLessThan(9)
  const shown = await storectl(['run', 'show', 'last', '-o', 'json'], context)
  expect(JSON.parse(shown.stdout).reason).toBe('ticket 14')
})

test('--reason of payment reconcile is in the run that repairs', async () => {
  const {reconcile, apply, plan, run} = await seedPaymentShop(20, 0.1)
  await reconcile('--plan', plan)
  await apply('--yes', '--reason', 'ticket 15')
  expect(JSON.parse((await run('run', 'show', 'last', '-o', 'json')).stdout).reason).toBe('ticket 15')
})

test('login stores provider, prefix and protection with the profile', async () => {
  const shop = await endpoint(() => ({body: {access_token: 't', expires_in: 600, token_type: 'Bearer'}}))
  const context = {home: temporaryFolder(), stdin: 'secret'}
  await storectl(
    [...loginWords(shop.url), '--provider', 'mollie', '--token-prefix', 'pay', '--protected'],
    context,
  )
  const {stdout} = await storectl(['profile', 'show', 'shop', '-o', 'json'], context)
  expect(JSON.parse(stdout)).toMatchObject({provider: 'mollie', tokenPrefix: 'pay', protected: true})
})

test('webhook status and deregister ask about one sales channel', async () => {
  const {run, shop} = await failedReplay()
  const channel = 'f'.repeat(32)
  for (const verb of ['status', 'deregister']) {
    shop.received.length = 0
    const {stderr, stdout} = await run(
      'webhook',
      verb,
      '--sales-channel',
      channel,
      '--debug',
      ...(verb === 'status' ? [] : ['--yes']),
    )
    expect(stderr + stdout + JSON.stringify(shop.received)).toContain(channel)
  }
})
