import type {ChildProcess} from 'node:child_process'
import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'vitest'
import {machineClock} from '../../src/platform/clock.js'
import {openRecords, type Records} from '../../src/records/index.js'
import {verifyChain} from '../../src/runs/journal/hash-chain.js'
import type {RunRow} from '../../src/runs/journal/run-store.js'
import {currentTime} from '../support/clock.js'
import type {Engine, Fresh} from '../support/engines.js'
import {presumeLostAtOnce, warmHome} from '../support/home.js'
import {ended, startProcess} from '../support/process.js'
import type {Ended} from '../support/storectl.js'
import {until} from '../support/until.js'
import {mixed, seeded} from './killed.js'
import {apply, ndjson, replay, type TestShop, testShop} from './support.js'

const LIMITS = ['--concurrency', '4', '--max', 'none', '--breaker-failures', 'none']
const UNSTOPPED = [...LIMITS, '--breaker-rate', 'none']
const FAST = ['--rate', '0', '--yes', '-o', 'ndjson']

const CLOCK = join(import.meta.dirname, '../support/clock-apart.cjs')

/** A replay that several processes work on. */
export interface SharedReplay {
  readonly engine: Engine
  readonly events: number
  /** Processes at work beside the one that begins. */
  readonly joiners: number
  /** How many of all of them are killed; for each of them another one joins. */
  readonly kills: number
  readonly seed: number
  /** How far the clocks of two processes may differ; only where the database has a clock of its own. */
  readonly clocksApartMs?: number
}

interface WorkerRef {
  readonly child: ChildProcess
  readonly end: Promise<Ended>
}

/** What a shop sees of a replay. */
interface Watched {
  readonly inFlight: Set<string>
  /** Transactions of which two events came at once. */
  readonly overlaps: string[]
  readonly arrivals: Map<string, number>
  readonly applied: Set<string>
  /** Events that were applied and came once more. */
  readonly repeated: string[]
  /** Called with each arrival. */
  onArrival: (count: number) => void
}

/**
 * Has several processes work on one replay, kills some of them at moments that the seed chooses, and holds against shop
 * and records what a replay promises.
 */
export async function sharedReplay(asked: SharedReplay): Promise<{run: RunRow; ends: Ended[]}> {
  const {engine, events: count, seed} = asked
  const random = seeded(seed)
  const {states, events} = mixed(count, random)
  const [shop, clean] = [await testShop(states), await testShop(states)]
  const database = await engine.fresh()
  const home = presumeLostAtOnce(warmHome(), shop.url)
  const file = join(home, 'events.ndjson')
  writeFileSync(file, ndjson(events))
  const watched = watch(shop, random)
  const env = {
    ...shop.env,
    STORECTL_HOME: home,
    ...(database.url === undefined ? {} : {STORECTL_DATABASE_URL: database.url}),
  }
  const ends = await atWorkTogether(file, env, watched, {...asked, random})
  expect((await replay(clean, [file, ...UNSTOPPED, '--canary', '0'])).exit).toBe(0)
  expect([...shop.states]).toEqual([...clean.states])
  expect(watched.overlaps, 'two events of one transaction at once').toEqual([])
  expect(watched.repeated, 'applied, and sent again').toEqual([])
  const ids = events.map(({id}) => id)
  expect(ids.filter(id => !watched.arrivals.has(id))).toEqual([])
  if (asked.kills === 0) expect([...watched.arrivals.values()].filter(times => times !== 1)).toEqual([])
  const run = await expectWholeRun(database, home, {ids, target: shop.url})
  await database.drop()
  return {run, ends}
}

function watch(shop: TestShop, random: () => number): Watched {
  const watched: Watched = {
    inFlight: new Set(),
    overlaps: [],
    arrivals: new Map(),
    applied: new Set(),
    repeated: [],
    onArrival: () => {},
  }
  shop.intercept = async (request, count) => {
    const {id, resource} = JSON.parse(request.body)
    const transaction = resource.custom_id
    if (watched.inFlight.has(transaction)) watched.overlaps.push(transaction)
    watched.inFlight.add(transaction)
    watched.arrivals.set(id, (watched.arrivals.get(id) ?? 0) + 1)
    if (watched.applied.has(id)) watched.repeated.push(id)
    watched.onArrival(count)
    await machineClock.sleep(Math.floor(random() * 4))
    const reply = apply(request, shop.states)
    if (reply.status === 200) watched.applied.add(id)
    watched.inFlight.delete(transaction)
    return reply
  }
  return watched
}

async function atWorkTogether(
  file: string,
  env: Record<string, string>,
  watched: Watched,
  {joiners, kills, events, clocksApartMs = 0, random}: SharedReplay & {readonly random: () => number},
): Promise<Ended[]> {
  const working = new Set<WorkerRef>()
  const killed = new Set<WorkerRef>()
  const ends: Promise<Ended>[] = []
  const begin = (words: readonly string[]) => {
    const apart = {
      NODE_OPTIONS: `--require=${JSON.stringify(CLOCK)}`,
      CLOCK_APART_MS: String((random() - 0.5) * clocksApartMs),
    }
    const child = startProcess(words, {env: {...env, ...(clocksApartMs > 0 ? apart : {})}})
    const end = ended(child)
    const one = {child, end}
    working.add(one)
    void end.then(() => working.delete(one))
    ends.push(end)
    return one
  }
  const moments = new Set(Array.from({length: kills}, () => Math.floor(10 + random() * (events - 20))))
  watched.onArrival = count => {
    if (!moments.delete(count)) return
    const all = [...working].filter(one => !killed.has(one))
    const one = all[Math.floor(random() * all.length)]
    if (!one || all.length < 2) return
    killed.add(one)
    one.child.kill('SIGKILL')
    begin(['run', 'resume', 'last', '--join', '--yes', '-o', 'ndjson'])
  }
  begin(['webhook', 'replay', file, ...UNSTOPPED, ...FAST])
  await underWay(watched)
  for (let count = 0; count < joiners; count++)
    begin(['run', 'resume', 'last', '--join', '--yes', '-o', 'ndjson'])
  const all: Ended[] = []
  for (let at = 0; at < ends.length; at++) all.push(await (ends[at] as Promise<Ended>))
  for (const {exit, stderr} of all) {
    const cameTooLate = exit === 2 && stderr.includes('nothing to join')
    if (exit !== 137 && !cameTooLate) expect(exit, stderr).toBe(0)
  }
  return all
}

/** Once something has arrived there is a run that can be joined. */
async function underWay({arrivals}: Watched): Promise<void> {
  await until('an event arrives', () => arrivals.size > 0)
}

async function expectWholeRun(
  database: Fresh,
  home: string,
  {ids, target}: {readonly ids: readonly string[]; readonly target: string},
): Promise<RunRow> {
  const place = database.url === undefined ? join(home, 'records.db') : database.place
  const records = await openRecords(place, currentTime)
  try {
    const run = await lastRun(records)
    const {id} = run
    expect(run.state).toBe('completed')
    expect((await verifyChain(records.runs.listRecords(id), run)).damage).toEqual([])
    const results: string[] = []
    for await (const {item} of records.runs.listResults(id)) results.push(item)
    expect(results.sort()).toEqual([...ids].sort())
    expect(Object.values(run.counts).reduce((sum, count) => sum + count, 0)).toBe(ids.length)
    const ledger = await records.runs.findLedgerEntries('replay', target, ids)
    expect([...ledger.values()].filter(({resultClass}) => resultClass === 'done')).toHaveLength(ids.length)
    return run
  } finally {
    await records.close()
  }
}

async function lastRun({runs}: Records): Promise<RunRow> {
  for await (const run of runs.list({limit: 1})) return run
  throw new Error('there is no run')
}
