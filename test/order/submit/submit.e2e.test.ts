import {once} from 'node:events'
import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {signedInTo} from '../../support/customer-pages.js'
import {ENGINES} from '../../support/engines.js'
import {warmHome} from '../../support/home.js'
import {killedAndGivenAgain, sentAgainWithoutALook} from '../../support/killed-submit.js'
import {orderOf, orderShop} from '../../support/order-shop.js'
import {ended, startProcess} from '../../support/process.js'
import {everyNth, sized} from '../../support/sized.js'
import {until} from '../../support/until.js'

test.each(everyNth(2, ENGINES))(
  'on $name, killed twice and run again until it is done: every order exactly once, looked for before each second send',
  async engine => {
    const {url: databaseUrl} = await engine.fresh()
    const {shop, last, orders, exits} = await killedAndGivenAgain({
      count: sized(50, 300),
      kills: 2,
      seed: 20261121,
      databaseUrl,
    })
    expect(exits).toEqual([137, 137])
    expect(last.exit, last.stderr).toBe(0)
    const rows = last.stdout
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))
    expect(rows.map(({reference}) => reference)).toEqual(orders.map(({reference}) => reference))
    expect([...shop.orders.values()].sort(byNumber)).toEqual(orders)
    expect(sentAgainWithoutALook(shop)).toEqual([])
  },
)

test('a killed run leaves no half file of rejects, and the same command makes it whole', async () => {
  const refuses = (at: number) => at % 10 === 3
  const {last, orders, home} = await killedAndGivenAgain(
    {count: sized(60, 100), kills: 2, seed: 7, refuses},
    folder => ['--rejects', join(folder, 'rejects.csv'), '--report', join(folder, 'report.csv')],
  )
  expect(last.exit, last.stderr).toBe(3)
  const lines = (name: string) => readFileSync(join(home, name), 'utf8').trimEnd().split(/\r?\n/)
  const refused = orders.filter((_, at) => refuses(at)).map(({reference}) => reference)
  const [header, ...rejects] = lines('rejects.csv')
  expect(header).toMatch(/,note,"_error_status","_error"$/)
  expect(rejects.map(line => line.split(',')[0])).toEqual(refused)
  expect(lines('report.csv').slice(1)).toHaveLength(orders.length)
})

test.each(ENGINES)(
  'on $name, two processes that submit the same file at once send each order once',
  async engine => {
    const {url: databaseUrl = ''} = await engine.fresh()
    const shop = await orderShop()
    const home = warmHome()
    const stdin = JSON.stringify(Array.from({length: sized(80, 200)}, (_, at) => orderOf(`R-${at}`)))
    const env = {...signedInTo(shop.url), STORECTL_DATABASE_URL: databaseUrl}
    const run = (at: number) => {
      // On PostgreSQL each has a home of its own, as on two machines.
      const own = databaseUrl === '' ? home : join(home, String(at))
      const child = startProcess(['order', 'submit', '-', '--yes'], {env: {...env, STORECTL_HOME: own}})
      child.stdin?.end(stdin)
      return ended(child)
    }
    const exits = (await Promise.all([run(1), run(2)])).map(({exit}) => exit)
    expect(exits).toContain(0)
    for (const exit of exits) expect([0, 8]).toContain(exit)
    expect(shop.sent().sort()).toEqual([...shop.orders.keys()].sort())
  },
)

test('Ctrl-C starts nothing new, records what is in flight, and says how to go on', async () => {
  const shop = await orderShop()
  const home = warmHome()
  const stdin = JSON.stringify(Array.from({length: 400}, (_, at) => orderOf(`R-${at}`)))
  const env = {...signedInTo(shop.url), STORECTL_HOME: home}
  const argv = ['order', 'submit', '-', '--yes', '--rate', '100', '--concurrency', '2', '-o', 'ndjson']
  const child = startProcess(argv, {env})
  const end = ended(child)
  child.stdin?.end(stdin)
  await until('20 orders are taken', () => shop.orders.size >= 20)
  child.kill('SIGINT')
  const {exit, stdout, stderr} = await end
  expect(exit).toBe(130)
  const statuses = stdout
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line).status)
  expect(statuses).toHaveLength(400)
  expect(statuses.filter(status => status === 'created')).toHaveLength(shop.orders.size)
  expect(statuses.filter(status => status === 'not-sent')).toHaveLength(400 - shop.orders.size)
  expect(stderr).toContain(
    `interrupted; ${400 - shop.orders.size} not sent; to resume: the same command with the same orders`,
  )
  expect(shop.orders.size).toBeLessThan(400)
})

/** A shop that takes orders and then says nothing until it is told to, and a file for it. */
async function silentShop() {
  let isSilent = true
  const shop = await orderShop({after: (_, count) => (isSilent && count > 5 ? {silence: true} : undefined)})
  const home = warmHome()
  const file = join(home, 'orders.json')
  const orders = Array.from({length: 40}, (_, at) => orderOf(`R-${at}`))
  writeFileSync(file, JSON.stringify(orders))
  const env = {...signedInTo(shop.url), STORECTL_HOME: home}
  const speak = () => {
    isSilent = false
  }
  return {shop, home, file, env, orders, speak}
}

test('a second Ctrl-C says what was in flight and how to go on, and run resume looks for it first', async () => {
  const {shop, home, file, env, orders, speak} = await silentShop()
  const report = join(home, 'report.csv')
  const words = ['order', 'submit', file, '--yes', '--concurrency', '3', '-o', 'ndjson', '--report', report]
  const child = startProcess(words, {env})
  const end = ended(child)
  await until('eight orders are taken', () => shop.orders.size === 8)
  child.kill('SIGINT')
  let said = ''
  child.stderr?.on('data', text => {
    said += text
  })
  await until('it says that it is stopping', () => said.includes('stopping: finishing requests in flight'))
  child.kill('SIGINT')
  const {exit, stderr} = await end
  expect(exit).toBe(130)
  const [, run] =
    /stopped at once \(run (\w+)\); in flight, and now unknown: R-5, R-6, R-7\n/.exec(stderr) ?? []
  expect(stderr).toContain(`to resume: storectl run resume ${run}`)
  expect(stderr).toContain(`not written, because the run did not end: ${report}`)
  speak()
  const resumed = startProcess(['run', 'resume', String(run), '--yes', '-o', 'ndjson'], {env})
  const last = await ended(resumed)
  expect(last.exit, last.stderr).toBe(0)
  expect(shop.sent()).toHaveLength(orders.length)
  expect(sentAgainWithoutALook(shop)).toEqual([])
  expect(readFileSync(report, 'utf8').trimEnd().split('\n')).toHaveLength(1 + orders.length)
})

test('a run that was killed is carried on with by run resume, from any folder', async () => {
  const {shop, file, env, orders, speak} = await silentShop()
  const child = startProcess(['order', 'submit', file, '--yes', '--concurrency', '3'], {env})
  const end = ended(child)
  await until('eight orders are taken', () => shop.orders.size === 8)
  child.kill('SIGKILL')
  expect((await end).exit).toBe(137)
  speak()
  const last = await ended(startProcess(['run', 'resume', 'last', '--yes', '-o', 'ndjson'], {env, cwd: '/'}))
  expect(last.exit, last.stderr).toBe(0)
  expect(last.stdout.trimEnd().split('\n')).toHaveLength(orders.length)
  expect(shop.sent()).toHaveLength(orders.length)
  expect(sentAgainWithoutALook(shop)).toEqual([])
})

test('a reader that leaves ends the run with 141, and the report tells of every order', async () => {
  const shop = await orderShop()
  const home = warmHome()
  const file = join(home, 'orders.json')
  const orders = Array.from({length: 3000}, (_, at) => orderOf(`R-${at}`))
  writeFileSync(file, JSON.stringify(orders))
  const report = join(home, 'report.ndjson')
  const words = ['order', 'submit', file, '--yes', '--rate', '500', '-o', 'ndjson', '--report', report]
  const child = startProcess(words, {env: {...signedInTo(shop.url), STORECTL_HOME: home}})
  child.stdout?.once('data', () => child.stdout?.destroy())
  const [code] = await once(child, 'exit')
  expect(code).toBe(141)
  const statuses = readFileSync(report, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line).status)
  expect(statuses).toHaveLength(orders.length)
  expect(statuses.filter(status => status === 'created')).toHaveLength(shop.orders.size)
  expect(shop.orders.size).toBeLessThan(orders.length)
})

function byNumber(a: {reference: string}, b: {reference: string}): number {
  return Number(a.reference.slice(2)) - Number(b.reference.slice(2))
}
