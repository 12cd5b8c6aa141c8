import {join} from 'node:path'
import {onTestFinished} from 'vitest'
import type {Clock} from '../../src/platform/clock.js'
import {runStore} from '../../src/records/runs/runs.js'
import {recordsMigrations} from '../../src/records/schema/contents.js'
import type {RecordsTables} from '../../src/records/schema/schema.js'
import type {Item, Result} from '../../src/runs/journal/item.js'
import type {RunStore} from '../../src/runs/journal/run-store.js'
import {type OpenRun, openRun, type RunIntent} from '../../src/runs/open-run.js'
import type {Machine} from '../../src/runs/workers/lease.js'
import type {DatabaseLocation} from '../../src/storage/engine/database.js'
import {openDatabase} from '../../src/storage/storage.js'
import {temporaryFolder} from '../support/home.js'

/** A run store on a real database, by default in a folder of its own. */
export async function store(
  clock: Pick<Clock, 'now'>,
  place: DatabaseLocation = join(temporaryFolder(), 'records.db'),
): Promise<RunStore> {
  const now = () => clock.now()
  const database = await openDatabase<RecordsTables>(place, {
    migrations: recordsMigrations,
    now,
  })
  onTestFinished(() => database.close())
  return runStore(database, async () => {})
}

export const thisMachine: Machine = {
  who: 'ada',
  host: 'desk',
  pid: 4711,
  processStart: '0',
  isAlive: () => true,
}

export const intent: RunIntent = {
  kind: 'replay',
  target: 'https://shop.example',
  profile: 'shop',
  reason: null,
  options: {},
  total: null,
}

export function begun(
  runs: RunStore,
  clock: Clock,
  {machine = thisMachine, ...changes}: Partial<RunIntent> & {machine?: Machine} = {},
): Promise<OpenRun> {
  return openRun({...intent, ...changes}, {store: runs, machine, clock, random: Math.random})
}

export function item(key: string, orderingKey = key, unsure = false): Item<string> {
  return {key, orderingKey, contentHash: `hash of ${key}`, value: key, unsure}
}

export const applied: Result = {resultClass: 'done', outcome: 'applied', status: 200}
export const failed: Result = {resultClass: 'failed', outcome: 'rejected', status: 500}
export const later: Result = {resultClass: 'later', outcome: 'failed', status: 503}
export const noAnswer: Result = {resultClass: 'unknown', outcome: 'unknown'}

/** All values, also of those that come in groups. */
export function all<V>(groups: AsyncIterable<readonly V[]>): Promise<V[]>
export function all<V>(values: AsyncIterable<V>): Promise<V[]>
export async function all<V>(values: AsyncIterable<V | readonly V[]>): Promise<V[]> {
  const gathered: (V | readonly V[])[] = []
  for await (const value of values) gathered.push(value)
  return gathered.flat() as V[]
}
