import {once} from 'node:events'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {temporaryFolder} from '../../support/home.js'
import {runProcess, startProcess} from '../../support/process.js'

const CUSTOMERS = 1_000_000
const ORDERS = 200_000
const MOST_MIB = 400

const seed = (...more: string[]) => [
  'server',
  'seed',
  '--customers',
  String(CUSTOMERS),
  '--orders',
  String(ORDERS),
  '-o',
  'json',
  ...more,
]

/** Makes a Node process say at its end how much memory it had at most. */
function peakHook(folder: string): string {
  const file = join(folder, 'peak.cjs')
  const say = 'process._rawDebug("peak-kib=" + process.resourceUsage().maxRSS)'
  writeFileSync(file, `process.on('exit', () => ${say})\n`)
  return `--require=${JSON.stringify(file)}`
}

async function shopOf(home: string) {
  const child = startProcess(['server', 'start', '-o', 'json', '--log-level', 'error'], {
    env: {STORECTL_HOME: home},
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = await once(child.stdout as NodeJS.ReadableStream, 'data')
  const {url} = JSON.parse(String(line)) as {url: string}
  const token = (await runProcess(['auth', 'token'], {env: {STORECTL_HOME: home}})).stdout.trim()
  return async (entity: string, criteria: object) => {
    const answer = await fetch(`${url}/api/search/${entity}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        'content-type': 'application/json',
      },
      body: JSON.stringify(criteria),
    })
    expect(answer.status).toBe(200)
    return (await answer.json()) as {total: number; data: Record<string, unknown>[]; aggregations: never}
  }
}

const contains = (field: string, value: string) => ({type: 'contains', field, value})

test('a million customers and their orders are made in little memory, also after a kill, and found', {
  timeout: 900_000,
}, async () => {
  const home = temporaryFolder()
  const env = {STORECTL_HOME: home, NODE_OPTIONS: peakHook(home)}

  const killed = startProcess(seed(), {env})
  onTestFinished(() => void killed.kill('SIGKILL'))
  const [said] = await once(killed.stderr as NodeJS.ReadableStream, 'data')
  expect(String(said)).toMatch(/^\d+ customers, 0 orders so far/)
  const second = await runProcess(seed(), {env})
  expect([second.exit, second.stderr]).toEqual([8, expect.stringContaining('is seeding the shop')])
  killed.kill('SIGKILL')
  await once(killed, 'close')

  const fresh = temporaryFolder()
  const made = await runProcess(seed(), {env: {...env, STORECTL_HOME: fresh}})
  expect(made.exit).toBe(0)
  expect(JSON.parse(made.stdout)).toMatchObject({customers: CUSTOMERS, orders: ORDERS, seed: 1})
  expect(Number(/peak-kib=(\d+)/.exec(made.stderr)?.[1]) / 1024).toBeLessThan(MOST_MIB)

  const again = await runProcess(seed(), {env})
  expect(again.exit).toBe(0)
  expect(Number(/peak-kib=(\d+)/.exec(again.stderr)?.[1]) / 1024).toBeLessThan(MOST_MIB)

  for (const search of [await shopOf(fresh), await shopOf(home)]) {
    const last = {limit: 1, page: CUSTOMERS, sort: [{field: 'autoIncrement'}], 'total-count-mode': 1}
    const {total, data} = await search('customer', last)
    expect([total, data[0]?.customerNumber]).toEqual([CUSTOMERS, '1009999'])
    const [customer] = data
    const email = {type: 'equals', field: 'email', value: customer?.email}
    expect((await search('customer', {filter: [email]})).data).toEqual([customer])
    expect((await search('customer', {term: customer?.email, limit: 1})).data[0]).toMatchObject({
      id: customer?.id,
    })
    const {total: found} = await search('customer', {
      limit: 1,
      'total-count-mode': 1,
      filter: [contains('email', '.1009999@')],
    })
    expect(found).toBe(1)
    const sums = await search('customer', {
      limit: 1,
      aggregations: [{name: 'orders', type: 'sum', field: 'orderCount'}],
    })
    const cancelled = {type: 'equals', field: 'stateMachineState.technicalName', value: 'cancelled'}
    const counted = await search('order', {
      limit: 1,
      'total-count-mode': 1,
      filter: [{type: 'not', queries: [cancelled]}],
    })
    expect(sums.aggregations).toMatchObject({orders: {sum: counted.total}})
    expect((await search('order', {limit: 1, 'total-count-mode': 1})).total).toBe(ORDERS)
  }
})
