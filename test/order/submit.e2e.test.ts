import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {signedInTo} from '../support/customer-pages.js'
import {temporaryFolder} from '../support/home.js'
import {type OrderShopEndpoint, orderOf, orderShop} from '../support/order-shop.js'
import {ended, startProcess} from '../support/process.js'

const COUNT = 600

/** Every reference fails in its own way on its first sending: some answers are lost, some times the shop is busy. */
function flakyShop(): Promise<OrderShopEndpoint> {
  const busy = new Set<string>()
  const numberOf = (reference: string) => Number(reference.split('-')[1])
  return orderShop({
    instead: reference => {
      if (numberOf(reference) % 50 !== 7 || busy.has(reference)) return undefined
      busy.add(reference)
      return {status: 503, body: ''}
    },
    after: reference => (numberOf(reference) % 20 === 3 ? {reset: true} : undefined),
  })
}

async function killedOnceItHasSent(
  shop: OrderShopEndpoint,
  target: number,
  argv: string[],
  env: Record<string, string>,
) {
  const child = startProcess(argv, {env})
  const end = ended(child)
  while (shop.orders.size < target && child.exitCode === null) {
    await new Promise(resolve => {
      setImmediate(resolve)
    })
  }
  child.kill('SIGKILL')
  return end
}

test('killed five times and run again until it is done: every order exactly once, looked for before each second send', async () => {
  const shop = await flakyShop()
  const home = temporaryFolder()
  const file = join(home, 'orders.ndjson')
  const orders = Array.from({length: COUNT}, (_, at) => orderOf(`R-${at}`, {note: `number ${at}`}))
  writeFileSync(file, orders.map(order => `${JSON.stringify(order)}\n`).join(''))
  const env = {...signedInTo(shop.url), STORECTL_HOME: home}
  const argv = ['order', 'submit', file, '--yes', '-o', 'ndjson']
  for (let kill = 1; kill <= 5; kill++) {
    expect((await killedOnceItHasSent(shop, kill * 80, argv, env)).exit).toBe(137)
  }
  const last = await ended(startProcess(argv, {env}))
  expect(last.exit, last.stderr).toBe(0)
  const rows = last.stdout
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
  expect(rows.map(({reference}) => reference)).toEqual(orders.map(({reference}) => reference))
  expect([...shop.orders.values()].sort(byNumber)).toEqual(orders)
  expect(sentAgainWithoutALook(shop)).toEqual([])
})

test('two processes that submit the same file at once send each order once', async () => {
  const shop = await orderShop()
  const home = temporaryFolder()
  const stdin = JSON.stringify(Array.from({length: 200}, (_, at) => orderOf(`R-${at}`)))
  const env = {...signedInTo(shop.url), STORECTL_HOME: home}
  const run = () => {
    const child = startProcess(['order', 'submit', '-', '--yes'], {env})
    child.stdin?.end(stdin)
    return ended(child)
  }
  const exits = (await Promise.all([run(), run()])).map(({exit}) => exit)
  expect(exits).toContain(0)
  for (const exit of exits) expect([0, 8]).toContain(exit)
  expect(shop.sent().sort()).toEqual([...shop.orders.keys()].sort())
})

test('Ctrl-C starts nothing new, records what is in flight, and says how to go on', async () => {
  const shop = await orderShop()
  const home = temporaryFolder()
  const stdin = JSON.stringify(Array.from({length: 400}, (_, at) => orderOf(`R-${at}`)))
  const env = {...signedInTo(shop.url), STORECTL_HOME: home}
  const argv = ['order', 'submit', '-', '--yes', '--rate', '100', '--concurrency', '2', '-o', 'ndjson']
  const child = startProcess(argv, {env})
  const end = ended(child)
  child.stdin?.end(stdin)
  while (shop.orders.size < 20) {
    await new Promise(resolve => {
      setImmediate(resolve)
    })
  }
  child.kill('SIGINT')
  const {exit, stdout, stderr} = await end
  expect(exit).toBe(130)
  expect(stdout.split('\n').filter(Boolean)).toHaveLength(shop.orders.size)
  expect(stderr).toContain('interrupted; the same command carries on with the rest')
  expect(shop.orders.size).toBeLessThan(400)
})

function byNumber(a: {reference: string}, b: {reference: string}): number {
  return Number(a.reference.slice(2)) - Number(b.reference.slice(2))
}

function sentAgainWithoutALook(shop: OrderShopEndpoint): string[] {
  const sentSinceLook = new Set<string>()
  const bad: string[] = []
  for (const {url, body} of shop.received) {
    if (url.includes('/search/')) {
      for (const reference of JSON.parse(body).filter[0].value) sentSinceLook.delete(reference)
      continue
    }
    const {reference} = JSON.parse(body)
    if (sentSinceLook.has(reference)) bad.push(reference)
    sentSinceLook.add(reference)
  }
  return bad
}
