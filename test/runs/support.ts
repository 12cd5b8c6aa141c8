import {join} from 'node:path'
import {onTestFinished} from 'vitest'
import type {Clock} from '../../src/platform/clock.js'
import type {RecordListener} from '../../src/records/runs/record-listener.js'
import {createRunStore} from '../../src/records/runs/runs.js'
import {recordsMigrations} from '../../src/records/schema/contents.js'
import type {RecordsTables} from '../../src/records/schema/schema.js'
import {Execution} from '../../src/runs/execution.js'
import type {Item, ItemResult, ProbeResult, Result} from '../../src/runs/journal/item.js'
import type {Journal} from '../../src/runs/journal/journal.js'
import type {RunStore} from '../../src/runs/journal/run-store.js'
import {type OpenRun, openRun, type RunIntent} from '../../src/runs/open-run.js'
import type {StopLimits} from '../../src/runs/pool/circuit-breaker.js'
import type {Operation, RunSettings} from '../../src/runs/pool/operation.js'
import type {Items} from '../../src/runs/pool/pool.js'
import type {Presentation} from '../../src/runs/run.js'
import {RunSummary} from '../../src/runs/run-summary.js'
import type {Machine} from '../../src/runs/workers/liveness.js'
import type {DatabaseLocation} from '../../src/storage/engine/database.js'
import {openDatabase} from '../../src/storage/index.js'
import type {Marking} from '../../src/webhook/inbox/inbox.js'
import {currentTime, StoppedClock} from '../support/clock.js'
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
  return createRunStore(database, UNHEARD)
}

/** What is written down concerns nobody else. */
export const UNHEARD: RecordListener = {onResults: async () => {}, onRecords: async () => {}}

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

/** A run that marks events by hand, and the note that goes with each. */
export async function openMarking(
  runs: RunStore,
  target: string,
  {kind = 'resolve', reason = null, ...note}: Partial<Marking> & {kind?: 'resolve' | 'undo'} = {},
): Promise<Marking & {readonly end: () => Promise<unknown>}> {
  const opened = await begun(runs, new StoppedClock(), {kind, target, reason, total: 1})
  const {id} = opened
  opened.stopHeartbeat()
  const end = () => opened.end({isComplete: true})
  return {at: currentTime(), who: 'ada', reason, ...note, run: {id, kind, target}, end}
}

export function item(key: string, orderingKey = key, unsure = false): Item<string> {
  return {key, orderingKey, contentHash: `hash of ${key}`, value: key, unsure}
}

export const applied: Result = {resultClass: 'done', result: 'applied', status: 200}
export const failed: Result = {resultClass: 'failed', result: 'rejected', status: 500}
export const later: Result = {resultClass: 'later', result: 'failed', status: 503}
export const noAnswer: Result = {resultClass: 'unknown', result: 'unknown'}

/** All values, also of those that come in groups. */
export function all<V>(groups: AsyncIterable<readonly V[]>): Promise<V[]>
export function all<V>(values: AsyncIterable<V>): Promise<V[]>
export async function all<V>(values: AsyncIterable<V | readonly V[]>): Promise<V[]> {
  const gathered: (V | readonly V[])[] = []
  for await (const value of values) gathered.push(value)
  return gathered.flat() as V[]
}

/** How a test sends items. */
export interface SendOptions extends Omit<RunSettings, keyof StopLimits> {
  readonly limits: StopLimits
  readonly run: OpenRun
  readonly store: RunStore
  readonly clock: Clock
  readonly stopping: AbortSignal
  readonly send: (item: Item<string>, attempt: number, onAnswered: () => void) => Promise<Result>
  readonly prepare?: (item: Item<string>) => Promise<'send' | Result>
  readonly probe?: (item: Item<string>) => Promise<ProbeResult>
  readonly blocksKey: boolean
  /** In place of the run's own. */
  readonly journal?: Journal
}

/** Sends items in a run, and hands out their results. */
export function execute(items: Items<string>, options: SendOptions) {
  const {run, store: runs, clock, stopping, blocksKey, journal = run.journal, ...rest} = options
  const {send, prepare = async () => 'send', probe = async () => 'cannot-tell', limits, ...speed} = rest
  const settings = {...speed, ...limits}
  const operation: Operation<string, ItemResult<string>> = {
    prepare,
    probe,
    execute: send,
    toRow: each => each,
  }
  const execution = new Execution(
    Object.assign(run, {journal}),
    {operation, settings, blocksKey, items, total: 0, summary: emptySummary(), presentation: UNPRESENTED},
    {store: runs, machine: thisMachine, clock, random: () => 0.5, stopping, note: async () => {}},
  )
  return {
    results: execution.start(),
    get halt() {
      return execution.halt
    },
  }
}

/** A summary that names nothing. */
export function emptySummary(): RunSummary {
  return new RunSummary({done: [], failed: [], held: [], skipped: []})
}

/** How a run is printed that nobody prints. */
export const UNPRESENTED: Presentation<never> = {
  view: {noun: ['item', 'items'], id: 'key', columns: []},
  show: rows => rows,
  summarize: () => '',
  describeUnknown: () => '',
  resumeCommand: () => '',
}
