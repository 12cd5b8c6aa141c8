import {expect, test} from 'vitest'
import {testContext} from '../../support/context.js'
import {temporaryFolder} from '../../support/home.js'
import {readJsonLines} from '../../support/json-lines.js'
import {storectl} from '../../support/storectl.js'
import {openPayments} from '../support.js'
import {AWAY, importEvents, startWatch, type WatchedShop, watchedShop} from './support.js'

const sent = (shop: WatchedShop) => shop.calls().filter(call => call !== 'probe')

const homeOf = async (home: string, shop: WatchedShop, events: Iterable<object>) =>
  importEvents(events, {...testContext({home, env: shop.env}), home})

async function listOf(home: string, shop: WatchedShop): Promise<string[]> {
  const {stdout} = await storectl(['webhook', 'list', '--all', '-o', 'ndjson'], {home, env: shop.env})
  return readJsonLines<{status: string}>(stdout).map(({status}) => status)
}

test('three shops in one home: each watch sends the events of its own, and an outage of one holds up no other', async () => {
  const home = temporaryFolder()
  const {states, events} = openPayments(6)
  const shops = [await watchedShop(states), await watchedShop(states), await watchedShop(states)] as const
  const [one, two, three] = shops
  for (const [at, shop] of shops.entries()) await homeOf(home, shop, events.slice(at * 2, at * 2 + 2))
  two.away = () => AWAY
  const watches = shops.map(shop => startWatch(shop, {home}))
  for (const at of [0, 2] as const) await watches[at]?.until(() => sent(shops[at]).length === 2)
  await watches[1]?.until(() => two.calls().length > 3)
  expect(sent(two)).toEqual([])
  two.away = () => undefined
  await watches[1]?.until(() => sent(two).length === 2)
  for (const watch of watches) expect((await watch.stop()).exit).toBe(0)
  const ids = shops.map(shop => sent(shop).sort())
  expect(new Set(ids.flat()).size).toBe(6)
  for (const shop of [one, two, three]) expect(await listOf(home, shop)).toEqual(['delivered', 'delivered'])
})

test('profiles of one address share inbox, runs and lease: of two watches, either sends, and each event once', async () => {
  const home = temporaryFolder()
  const {states, events} = openPayments(6)
  const shop = await watchedShop(states)
  await homeOf(home, shop, events)
  const secret = shop.env.STORECTL_WEBHOOK_TOKEN ?? ''
  for (const name of ['one', 'two']) {
    const words = ['profile', 'set', name, '--url', shop.env.STORECTL_URL ?? '', '--webhook-token-stdin']
    const {exit, stderr} = await storectl(words, {home, stdin: secret})
    expect([exit, stderr]).toEqual([0, expect.anything()])
  }
  const {STORECTL_URL: _, STORECTL_WEBHOOK_TOKEN: __, ...env} = shop.env
  const listed = async (name: string) => {
    const words = ['webhook', 'list', '--all', '--profile', name, '-o', 'ndjson']
    return readJsonLines<{status: string}>((await storectl(words, {home, env})).stdout)
  }
  expect([(await listed('one')).length, (await listed('two')).length]).toEqual([6, 6])
  const watches = [startWatch(shop, {home}), startWatch(shop, {home})] as const
  await watches[0].until(async () => (await listed('two')).every(({status}) => status === 'delivered'))
  for (const watch of watches) expect((await watch.stop()).exit).toBe(0)
  expect(sent(shop)).toHaveLength(6)
})
