import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {sql} from 'kysely'
import pg from 'pg'
import {afterAll, expect, onTestFinished, test} from 'vitest'
import {recordsMigrations} from '../../src/records/schema/contents.js'
import type {RecordsTables} from '../../src/records/schema/schema.js'
import {openDatabase} from '../../src/storage/index.js'
import {noteFigures} from '../figures.js'
import {currentTime} from '../support/clock.js'
import {signedInTo} from '../support/customer-pages.js'
import {presumeLostAtOnce, temporaryFolder} from '../support/home.js'
import {sentAgainWithoutALook} from '../support/killed-submit.js'
import {orderShop, ordersOf} from '../support/order-shop.js'
import {type Cluster, startCluster} from '../support/postgres/cluster.js'
import {placeAt} from '../support/postgres/database.js'
import {ended, startProcess} from '../support/process.js'
import {expectSentOnceOrNamed} from '../support/sent-once.js'
import {until} from '../support/until.js'
import {mixed, seeded} from '../webhook/killed.js'
import {apply, ndjson, testShop} from '../webhook/support.js'

const RUNS = Number(process.env.STORECTL_DATABASE_FAULT_RUNS ?? 25)
const FAULTS = ['restart', 'killBackends'] as const

const counted: [name: string, runs: number, exits: string][] = []

afterAll(() => {
  if (counted.length < 2) return
  noteFigures('postgres-faults', 'test/storage/postgres-faults', ['test', 'runs', 'exits'], counted)
})

/** A PostgreSQL that does not lose commits, with a database for each run. */
async function withCluster(
  run: (cluster: Cluster, url: string, seed: number) => Promise<number>,
): Promise<void> {
  const cluster = await startCluster({isDurable: true})
  const exits = new Map<number, number>()
  try {
    for (let seed = 1; seed <= RUNS; seed++) {
      await cluster.createDatabase(`run_${seed}`)
      const exit = await run(cluster, cluster.url(`run_${seed}`), seed)
      exits.set(exit, (exits.get(exit) ?? 0) + 1)
    }
  } finally {
    await cluster.stop()
  }
  const counts = [...exits].map(([exit, count]) => `exit ${exit}: ${count}`).join(', ')
  const name = `${expect.getState().currentTestName}`
  process.stdout.write(`${name}: ${RUNS} runs, ${counts}\n`)
  counted.push([name, RUNS, counts])
}

/** Lets PostgreSQL fail at the n-th call, n by seed; what it gives back is to be awaited at the end. */
function breakAt(cluster: Cluster, seed: number, calls: number) {
  const random = seeded(seed * 31)
  const fault = FAULTS[seed % FAULTS.length] as (typeof FAULTS)[number]
  let left = 1 + Math.floor(random() * calls)
  let broken: Promise<void> | undefined
  return {
    words: `seed ${seed}: ${fault} at call ${left}`,
    onCall: () => {
      if (--left === 0) broken = cluster[fault]()
    },
    isOver: async () => {
      await broken
      return broken !== undefined
    },
  }
}

test('replays while PostgreSQL is killed and restarted', async () => {
  await withCluster(async (cluster, url, seed) => {
    const {states, events} = mixed(8, seeded(seed))
    const shop = await testShop(states)
    const {words, onCall, isOver} = breakAt(cluster, seed, 8)
    shop.intercept = request => {
      onCall()
      return apply(request, shop.states)
    }
    const home = temporaryFolder()
    const file = join(home, 'events.ndjson')
    writeFileSync(file, ndjson(events))
    const env = {...shop.env, STORECTL_HOME: home, STORECTL_DATABASE_URL: url}
    const argv = ['webhook', 'replay', file, '--yes', '--rate', '0', '--canary', '0', '-o', 'ndjson']
    const first = await ended(startProcess(argv, {env}))
    expect(await isOver(), words).toBe(true)
    expect(first.stderr, words).not.toMatch(/internal\.bug/)
    const again = await ended(startProcess(argv, {env}))
    expectSentOnceOrNamed(events, shop.arrived(), again.stdout, words)
    return first.exit
  })
})

test('submits while PostgreSQL is killed and restarted', async () => {
  await withCluster(async (cluster, url, seed) => {
    const {words, onCall, isOver} = breakAt(cluster, seed, 6)
    const shop = await orderShop({
      after: () => {
        onCall()
        return undefined
      },
    })
    const home = presumeLostAtOnce(temporaryFolder(), shop.url)
    const file = join(home, 'orders.json')
    writeFileSync(file, JSON.stringify(ordersOf(6)))
    const env = {...signedInTo(shop.url), STORECTL_HOME: home, STORECTL_DATABASE_URL: url}
    const argv = ['order', 'submit', file, '--yes', '-o', 'ndjson']
    const first = await ended(startProcess(argv, {env}))
    expect(await isOver(), words).toBe(true)
    expect(first.stderr, words).not.toMatch(/internal\.bug/)
    const again = await ended(startProcess(argv, {env}))
    expect([again.exit, shop.orders.size], `${words} ${again.stderr}`).toEqual([0, 6])
    expect(sentAgainWithoutALook(shop), words).toEqual([])
    return first.exit
  })
})

test('a commit that a crash undid is made again, though another transaction has its number by then', async () => {
  const cluster = await startCluster({isDurable: true})
  onTestFinished(() => cluster.stop())
  await cluster.createDatabase('reused')
  const url = cluster.url('reused')
  const database = await openDatabase<RecordsTables>(placeAt(url), {
    migrations: recordsMigrations,
    now: currentTime,
  })
  onTestFinished(() => database.close())
  let calls = 0
  await database.writes.run(async db => {
    await db.insertInto('webhook_source').values({target: 'a', source: 'b', position: 'c'}).execute()
    if (calls++ > 0) return
    const {rows} = await sql<{xid: string}>`select pg_current_xact_id()::text as xid`.execute(db)
    const xid = BigInt(rows[0]?.xid ?? 0)
    await cluster.killBackends()
    await useNumbersUpTo(xid, url)
  })
  expect(calls).toBe(2)
  expect(await database.reads.selectFrom('webhook_source').select('position').execute()).toEqual([
    {position: 'c'},
  ])
})

/** Commits transactions until one has that number, or a later one; begins anew where the server goes down meanwhile. */
async function useNumbersUpTo(last: bigint, url: string): Promise<void> {
  await until('another transaction has the number', async () => {
    const client = new pg.Client(url)
    client.on('error', () => {})
    try {
      await client.connect()
      for (let xid = 0n; xid < last; ) {
        const {rows} = await client.query('select pg_current_xact_id()::text as xid')
        xid = BigInt(rows[0].xid)
      }
      return true
    } catch {
      return false
    } finally {
      await client.end().catch(() => {})
    }
  })
}
