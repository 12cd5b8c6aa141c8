import {setTimeout as pause} from 'node:timers/promises'
import {expect, test} from 'vitest'
import {newDatabase} from '../support/postgres/database.js'
import {until} from '../support/until.js'
import {event, eventId} from '../webhook/support.js'
import {rawShop, runCapture} from './support.js'

/** Captures in front of one shop, which share an inbox. */
async function gateways(shopUrl: string, count: number) {
  const env = {STORECTL_DATABASE_URL: await newDatabase()}
  return Promise.all(Array.from({length: count}, () => runCapture(shopUrl, [], {env})))
}

test('gateways that share an inbox hand on events of one payment one at a time, and others side by side', async () => {
  const shop = await rawShop()
  const inShop = new Map<string, number>()
  let most = 0
  let together = 0
  shop.answer = async ({body}, response) => {
    const payment = JSON.parse(body.toString()).resource.custom_id
    const now = (inShop.get(payment) ?? 0) + 1
    inShop.set(payment, now)
    most = Math.max(most, now)
    together = Math.max(together, [...inShop.values()].filter(count => count > 0).length)
    await pause(20)
    inShop.set(payment, (inShop.get(payment) ?? 0) - 1)
    response.end()
  }
  const captures = await gateways(shop.url, 3)
  const sent = Array.from({length: 24}, (_, at) => {
    const capture = captures[at % captures.length]
    return capture?.send(event(at, {transaction: Math.floor(at / 6)}))
  })
  expect((await Promise.all(sent)).map(answered => answered?.status)).toEqual(sent.map(() => 200))
  expect(most).toBe(1)
  expect(together).toBeGreaterThan(1)
  expect(shop.arrived).toHaveLength(24)
  const [first] = captures
  expect([...((await first?.inbox())?.values() ?? [])].map(({status}) => status)).toEqual(
    sent.map(() => 'delivered'),
  )
})

test('an event that reaches two gateways is kept once', async () => {
  const shop = await rawShop()
  const [one, other] = await gateways(shop.url, 2)
  const told = event(1)
  await Promise.all([one, other, one, other].map(capture => capture?.send(told)))
  await until('the event is delivered at the fourth attempt', async () => {
    expect([...((await one?.inbox()) ?? [])]).toMatchObject([
      [eventId(1), {status: 'delivered', attempts: 4}],
    ])
  })
})
