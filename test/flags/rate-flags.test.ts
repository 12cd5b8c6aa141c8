import {expect, test} from 'vitest'
import {currentTime, StoppedClock} from '../support/clock.js'
import {orderShop, ordersOf} from '../support/order-shop.js'
import {seedPaymentShop} from '../support/payment-shop.js'
import {storectl} from '../support/storectl.js'
import {file, ndjson, openPayments, testShop} from '../webhook/support.js'

test('order submit --rate 2 starts an order every half second', async () => {
  const shop = await orderShop()
  const clock = new StoppedClock()
  const env = {STORECTL_URL: shop.url, STORECTL_TOKEN: 'signed-in'}
  const words = ['order', 'submit', file(ndjson(ordersOf(3))), '--yes', '--rate', '2']
  expect((await storectl(words, {env, clock})).exit).toBe(0)
  expect(clock.sleeps.filter(ms => ms === 500)).toHaveLength(2)
})

test('webhook replay --rate 2 sends an event every half second', async () => {
  const {states, events} = openPayments(3)
  const shop = await testShop(states)
  const clock = new StoppedClock(currentTime().toISOString())
  const words = ['webhook', 'replay', file(ndjson(events)), '--yes', '--rate', '2']
  expect((await storectl(words, {env: shop.env, clock})).exit).toBe(0)
  expect(clock.sleeps.filter(ms => ms === 500)).toHaveLength(2)
})

test('payment reconcile --rate 3 begins a repair every third of a second, and --max refuses more', async () => {
  const {reconcile, plan, home, env, clock: of} = await seedPaymentShop(20, 0.1)
  await reconcile('--plan', plan)
  const clock = new StoppedClock(of.now().toISOString())
  const words = ['payment', 'reconcile', '--apply', plan, '--yes', '--rate', '3']
  const {exit, stderr} = await storectl([...words, '--max', '1'], {home, env, clock})
  expect([exit, stderr]).toEqual([7, expect.stringContaining('--max')])
  await storectl(words, {home, env, clock})
  expect(clock.sleeps.map(Math.round)).toContain(333)
})
