import type {ListedRun, RunResultRow} from '../../contract/run-rows.js'
import {formatCount} from '../../output/cell.js'
import type {View} from '../../output/view.js'
import type {Clock} from '../../platform/clock.js'
import type {JournalEntry} from '../journal/journal-entry.js'
import type {RunControl, RunRow, RunStore} from '../journal/run-store.js'
import type {Counts, Worker} from '../journal/worker.js'
import {describeRate} from '../workers/control-monitor.js'
import {isHeld} from '../workers/lease.js'
import {isLive, type Machine} from '../workers/liveness.js'
import {describeFlows, describeReleased, readCauses} from './replay-rules.js'

/** Words of runs and watches, which their other members hold for programs. */
export const RUN_WORDS = ['results', 'workersText', 'controlText', 'silence']

export const RUNS: View = {
  inWords: RUN_WORDS,
  noun: ['run', 'runs'],
  id: 'id',
  columns: [
    {path: 'id'},
    {path: 'kind', priority: 2},
    {path: 'state', priority: 1},
    {path: 'target', header: 'SHOP', priority: 6},
    {path: 'who', header: 'OPERATOR', priority: 8},
    {path: 'atWork', header: 'WORKERS', kind: 'number', priority: 7},
    {path: 'startedAt', header: 'STARTED', ageHeader: 'AGE', kind: 'time', priority: 3},
    {path: 'total', kind: 'number', priority: 5},
    {path: 'results', priority: 4},
  ],
}

export const RUN: View = {
  inWords: RUN_WORDS,
  noun: ['run', 'runs'],
  id: 'id',
  columns: [
    {path: 'id'},
    {path: 'kind'},
    {path: 'state'},
    {path: 'results'},
    {path: 'total', kind: 'number'},
    {path: 'target', label: 'Shop'},
    {path: 'profile'},
    {path: 'who', label: 'Operator'},
    {path: 'host'},
    {path: 'pid'},
    {path: 'workersText', header: 'WORKERS'},
    {path: 'reason'},
    {path: 'startedAt', kind: 'time'},
    {path: 'endedAt', kind: 'time'},
    {path: 'stopReason'},
    {path: 'controlText', label: 'Changed'},
    {path: 'flows'},
    {path: 'releasedHolds', label: 'Holds released'},
    {path: 'continues'},
    {path: 'watchId', label: 'Watch'},
  ],
}

export const RUN_RESULTS: View = {
  noun: ['result', 'results'],
  id: 'item',
  columns: [
    {path: 'at', header: 'AT', ageHeader: 'AGE', kind: 'time', priority: 4},
    {path: 'result', priority: 1},
    {path: 'item'},
    {path: 'status', kind: 'number', priority: 3},
    {path: 'attempts', kind: 'number', priority: 5},
    {path: 'detail', priority: 2, isProse: true},
  ],
}

type RunWords = Readonly<Record<'results', string> & Record<'workersText' | 'controlText', string | null>>

/** A run as it is printed; a run whose process is gone is `unresponsive` until another one takes its lease. Keys are stable. */
export function toRunRow(run: RunRow, machine: Machine): ListedRun & RunWords {
  const {causes: _causes, ...options} = run.options
  const {startedAt, endedAt, heartbeatAt, counts, processStart: _, heartbeatAgeMs: __, ...rest} = run
  const workers = run.workers.map(worker => toWorkerRow(worker, machine))
  return {
    ...rest,
    options,
    state: describeState(run, machine),
    startedAt: startedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    heartbeatAt: heartbeatAt.toISOString(),
    counts,
    watchId: run.watchId ?? null,
    control: run.control && toControlRow(run.control),
    controlText: run.control && describeControl(run.control),
    results: describeCounts(counts),
    flows: describeFlows(run.options),
    releasedHolds: describeReleased(run.options),
    causes: readCauses(run.options),
    atWork: run.state === 'running' ? workers.filter(({state}) => state === 'working').length : 0,
    workers,
    workersText: workers.map(describeWorker).join('; ') || null,
  }
}

/** Whether a run is active, as printed. */
export function describeState(run: RunRow, machine: Machine): ListedRun['state'] {
  if (run.state !== 'running') return run.state
  if (!isHeld(run, machine)) return 'unresponsive'
  return run.control?.isPaused ? 'paused' : 'running'
}

function toControlRow({askedAt, ...control}: RunControl): ListedRun['control'] {
  return {...control, askedAt: askedAt.toISOString()}
}

function describeControl({isPaused, ratePerSecond, concurrency, askedBy}: RunControl): string {
  const parts = [
    ...(isPaused ? ['paused'] : []),
    ...(ratePerSecond === null ? [] : [`rate ${describeRate(ratePerSecond)}`]),
    ...(concurrency === null ? [] : [`concurrency ${concurrency}`]),
  ]
  return `${parts.join(', ') || 'resumed'} by ${askedBy}`
}

function toWorkerRow(worker: Worker, machine: Machine): ListedRun['workers'][number] {
  const {id, who, host, pid, counts, startedAt, heartbeatAt, heartbeatAgeMs} = worker
  const isUnresponsive = worker.state === 'working' && !isLive(worker, machine)
  return {
    ...{id, who, host, pid},
    state: isUnresponsive ? 'unresponsive' : worker.state,
    startedAt: startedAt.toISOString(),
    heartbeatAt: heartbeatAt.toISOString(),
    heartbeatAgeSeconds: Math.max(0, Math.round(heartbeatAgeMs / 1000)),
    counts,
  }
}

function describeWorker(row: ListedRun['workers'][number]): string {
  const {who, host, pid, state, counts, heartbeatAgeSeconds} = row
  const seen =
    state === 'working' || state === 'unresponsive' ? `, heartbeat ${heartbeatAgeSeconds} s ago` : ''
  return `${who} on ${host} (pid ${pid}) ${state}: ${describeCounts(counts) || 'nothing yet'}${seen}`
}

/** `12 applied, 1 held`. */
export function describeCounts(counts: Counts): string {
  return Object.entries(counts)
    .map(([result, count]) => `${formatCount(count)} ${result}`)
    .join(', ')
}

/** One item's end as it is printed. Keys are stable. */
export function toResultRow({
  item,
  orderingKey,
  at,
  result,
  resultClass,
  status,
  detail,
  attempt,
  contentHash,
  facts,
}: JournalEntry): RunResultRow {
  return {
    item,
    orderingKey,
    at: at.toISOString(),
    result: result ?? resultClass ?? null,
    status: status ?? null,
    detail: detail ?? null,
    attempts: attempt,
    contentHash,
    facts: facts ?? null,
  }
}

/** How often the records are read: a person sees no delay, and the run's own writes are not slowed. */
const LOOK_MS = 500

export interface FollowRunDeps extends PollDeps {
  readonly store: Pick<RunStore, 'find' | 'listResults'>
}

interface PollDeps {
  readonly store: Pick<RunStore, 'find'>
  readonly machine: Machine
  readonly clock: Clock
  /** Stops following; the run continues. */
  readonly signal: AbortSignal
}

/** The run, each time that something in it has changed, the first time included, until it is over or unresponsive. */
export async function* followRun(run: RunRow, deps: FollowRunDeps): AsyncGenerator<RunRow, void, void> {
  let seen = ''
  for await (const now of pollRun(run, deps)) {
    const shown = JSON.stringify([now.state, now.total, now.counts])
    if (shown !== seen) yield now
    seen = shown
  }
}

/** The results of a run, past ones and then each as it comes, until the run is over or unresponsive. */
export async function* followResults(
  run: RunRow,
  deps: FollowRunDeps,
): AsyncGenerator<JournalEntry, void, void> {
  const seen = new Map<string, number>()
  for await (const _ of pollRun(run, deps)) {
    for await (const result of deps.store.listResults(run.id, seen)) {
      seen.set(result.worker, result.sequence)
      yield result
    }
  }
}

/** Waits until a run is over or unresponsive, or `signal` fires. @returns the run as it is then */
export async function waitUntilOver(run: RunRow, deps: PollDeps): Promise<RunRow> {
  let last = run
  for await (const now of pollRun(run, deps)) last = now
  return last
}

/** The last read comes after the run's last result. */
async function* pollRun(
  run: RunRow,
  {store, machine, clock, signal}: PollDeps,
): AsyncGenerator<RunRow, void, void> {
  for (let now = run; ; now = (await store.find(run.id))[0] ?? now) {
    yield now
    if (!isHeld(now, machine) || signal.aborted) return
    await clock.sleep(LOOK_MS, signal)
  }
}

/** Which runs are listed; `limit` is the most rows, `undefined` for all. */
export interface RunQuery {
  readonly kind: string | undefined
  readonly state: string | undefined
  readonly limit: number | undefined
}

/** Rows of runs, the newest first. Only its process shows whether a run under way is unresponsive, not the records. */
export async function* streamRunRows(
  runs: Pick<RunStore, 'list'>,
  machine: Machine,
  {kind, state, limit}: RunQuery,
): AsyncGenerator<ReturnType<typeof toRunRow>, void, void> {
  const isUnderWay = state === 'running' || state === 'paused' || state === 'unresponsive'
  const stored = {kind, state: isUnderWay ? 'running' : state, limit: isUnderWay ? undefined : limit} as const
  let left = limit ?? Number.POSITIVE_INFINITY
  for await (const run of runs.list(stored as Parameters<RunStore['list']>[0])) {
    const row = toRunRow(run, machine)
    if (state !== undefined && row.state !== state) continue
    if (left-- === 0) return
    yield row
  }
}

/** How many runs a query finds. Those under way are counted one by one, as their processes decide their states. */
export async function countRunRows(
  runs: Pick<RunStore, 'list' | 'count'>,
  machine: Machine,
  query: RunQuery,
): Promise<number> {
  const {kind, state} = query
  if (state === undefined || (state !== 'running' && state !== 'paused' && state !== 'unresponsive'))
    return runs.count({kind, state} as Parameters<RunStore['count']>[0])
  let count = 0
  for await (const _ of streamRunRows(runs, machine, query)) count++
  return count
}
