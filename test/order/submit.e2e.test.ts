import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {signedInTo} from '../support/customer-pages.js'
import {temporaryFolder} from '../support/home.js'
import {killedAndGivenAgain, sentAgainWithoutALook} from '../support/killed-submit.js'
import {orderOf, orderShop} from '../support/order-shop.js'
import {ended, startProcess} from '../support/process.js'

test('killed five times and run again until it is done: every order exactly once, looked for before each second send', async () => {
  const {shop, last, orders, exits} = await killedAndGivenAgain({count: 600, kills: 5, seed: 20261121})
  expect(exits).toEqual([137, 137, 137, 137, 137])
  expect(last.exit, last.stderr).toBe(0)
  const rows = last.stdout
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
  expect(rows.map(({reference}) => reference)).toEqual(orders.map(({reference}) => reference))
  expect([...shop.orders.values()].sort(byNumber)).toEqual(orders)
  expect(sentAgainWithoutALook(shop)).toEqual([])
})

test('a killed run leaves no half file of rejects, and the same command makes it whole', async () => {
  const refuses = (at: number) => at % 10 === 3
  const {last, orders, home} = await killedAndGivenAgain({count: 200, kills: 2, seed: 7, refuses}, folder => [
    '--rejects',
    join(folder, 'rejects.csv'),
    '--report',
    join(folder, 'report.csv'),
  ])
  expect(last.exit, last.stderr).toBe(3)
  const lines = (name: string) => readFileSync(join(home, name), 'utf8').trimEnd().split(/\r?\n/)
  const refused = orders.filter((_, at) => refuses(at)).map(({reference}) => reference)
  const [header, ...rejects] = lines('rejects.csv')
  expect(header).toMatch(/,note,"_error_status","_error"$/)
  expect(rejects.map(line => line.split(',')[0])).toEqual(refused)
  expect(lines('report.csv').slice(1)).toHaveLength(orders.length)
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
