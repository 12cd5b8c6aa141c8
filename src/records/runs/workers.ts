import {type ExpressionBuilder, type Kysely, sql} from 'kysely'
import {StorectlError} from '../../errors.js'
import type {RunRow, WorkerRef} from '../../runs/journal/run-store.js'
import type {NewWorker, Worker, WorkerProgress, WorkerState} from '../../runs/journal/worker.js'
import type {Database} from '../../storage/engine/database.js'
import {keepByEngine, readFirstRow, type Statement} from '../../storage/engine/statement.js'
import type {RecordsTables, RunWorkerTable} from '../schema/schema.js'
import {splitKeys} from '../schema/sql.js'
import {readControls} from './control-rows.js'
import {chooseLeaseKind} from './lease-kind.js'

type Db = Kysely<RecordsTables>
type WorkerDatabase = Pick<Database<RecordsTables>, 'engine' | 'rowLocks' | 'selectNowMs'>

/** Adds a worker, with its first heartbeat. */
export async function addWorker(
  db: Db,
  runId: string,
  worker: NewWorker,
  {selectNowMs}: WorkerDatabase,
): Promise<void> {
  const {id, who, host, pid, processStart} = worker
  await db
    .insertInto('run_worker')
    .values({
      ...{run_id: runId, worker: id, who, host, pid, process_start: processStart, state: 'working'},
      ...{started_at_ms: selectNowMs(), heartbeat_at_ms: selectNowMs(), counts: '{}', done: 0, failed: 0},
      ...{sequence: 0, hash: '', amounts: '{}'},
    })
    .execute()
}

/** The workers of some runs, by run id, in order of arrival. */
export async function readWorkers(
  db: Db,
  runIds: readonly string[],
  {selectNowMs}: Pick<WorkerDatabase, 'selectNowMs'>,
): Promise<Map<string, Worker[]>> {
  const found = new Map<string, Worker[]>()
  for (const some of splitKeys(runIds)) {
    const rows = await db
      .selectFrom('run_worker')
      .selectAll()
      .select(selectNowMs().as('now_ms'))
      .where('run_id', 'in', some)
      .orderBy('run_id')
      .orderBy('started_at_ms')
      .orderBy('worker')
      .execute()
    for (const row of rows) found.set(row.run_id, [...(found.get(row.run_id) ?? []), parseWorkerRow(row)])
  }
  return found
}

/** @param row with the time at which it was read */
function parseWorkerRow(row: RunWorkerTable & {readonly now_ms: number}): Worker {
  const {worker, who, host, pid, done, failed, sequence, hash} = row
  return {
    ...{id: worker, who, host, pid, done, failed, sequence, hash},
    processStart: row.process_start,
    state: row.state as WorkerState,
    startedAt: new Date(row.started_at_ms),
    heartbeatAt: new Date(row.heartbeat_at_ms),
    heartbeatAgeMs: row.now_ms - row.heartbeat_at_ms,
    counts: JSON.parse(row.counts),
    amounts: JSON.parse(row.amounts),
  }
}

/**
 * Stores a worker's progress, in the commit of its entries; locks it like `prepareWorkerLock`.
 *
 * @returns fails with `conflict.lease_lost` for a worker that was declared gone, or whose run has ended
 */
export async function updateProgress(
  db: Db,
  {id, kind, target, worker}: WorkerRef,
  {counts, amounts, ...progress}: WorkerProgress,
): Promise<void> {
  const named = {id, kind: chooseLeaseKind({kind, id}), target, worker}
  const texts = {counts: JSON.stringify(counts), amounts: JSON.stringify(amounts)}
  if (await readFirstRow(db, updateWorker, {...named, ...progress, ...texts})) return
  throw createLeaseLostError(id)
}

type Progress = Pick<RunWorkerTable, 'counts' | 'amounts' | 'done' | 'failed' | 'sequence' | 'hash'>

const updateWorker: Statement<
  RecordsTables,
  Record<'id' | 'kind' | 'target' | 'worker', string> & Progress,
  {worker: string}
> = (db, {id, kind, target, worker, counts, amounts, done, failed, sequence, hash}) =>
  db
    .updateTable('run_worker')
    .set({counts, amounts, done, failed, sequence, hash})
    .where('run_id', '=', id)
    .where('worker', '=', worker)
    .where('state', '=', 'working')
    .where(holdsLease(id, kind, target))
    .returning('worker')
    .compile()

function holdsLease(id: string, kind: string, target: string) {
  return ({exists, selectFrom}: ExpressionBuilder<RecordsTables, 'run_worker'>) =>
    exists(
      selectFrom('run_lease')
        .select('run_lease.run_id')
        .where('kind', '=', kind)
        .where('target', '=', target)
        .where('run_lease.run_id', '=', id),
    )
}

/**
 * Locks a worker until the write has ended: a process that declares it gone waits for its write, and a worker that was
 * declared gone notices. Each worker locks its own row, so they do not block each other.
 *
 * @returns fails with `conflict.lease_lost` for a worker that was declared gone, or whose run has ended
 */
export function prepareWorkerLock(database: WorkerDatabase) {
  const selectWorker = prepareWorkerSelect(database)
  return async (db: Db, {id, kind, target, worker}: WorkerRef): Promise<void> => {
    const named = {id, kind: chooseLeaseKind({kind, id}), target, worker}
    if (await readFirstRow(db, selectWorker, named)) return
    throw createLeaseLostError(id)
  }
}

const prepareWorkerSelect = keepByEngine(
  ({rowLocks}: WorkerDatabase): Statement<RecordsTables, Record<keyof WorkerRef, string>, {worker: string}> =>
    (db, {id, kind, target, worker}) =>
      db
        .selectFrom('run_worker')
        .select('worker')
        .where('run_id', '=', id)
        .where('worker', '=', worker)
        .where('state', '=', 'working')
        .where(holdsLease(id, kind, target))
        .modifyEnd(rowLocks.forShare)
        .compile(),
)

/** The error of a worker that must stop. */
function createLeaseLostError(id: string): StorectlError {
  return new StorectlError(
    'conflict.lease_lost',
    `Run ${id} was unresponsive and another worker took over. It stopped; its requests in flight are unknown.`,
    {nextSteps: [`storectl run show ${id}`]},
  )
}

/** Whether a worker has left: by itself, or because another one ended the run when nothing was left to do. */
export async function hasLeft(db: Db, {id, worker}: Pick<WorkerRef, 'id' | 'worker'>): Promise<boolean> {
  const row = await db
    .selectFrom('run_worker')
    .select('state')
    .where('run_id', '=', id)
    .where('worker', '=', worker)
    .executeTakeFirst()
  return row?.state === 'left'
}

/** Stores a heartbeat; ignored for a worker that was declared gone. */
export async function updateHeartbeat(
  db: Db,
  {id, worker}: Pick<WorkerRef, 'id' | 'worker'>,
  {selectNowMs}: WorkerDatabase,
): Promise<void> {
  await db
    .updateTable('run_worker')
    .set({heartbeat_at_ms: selectNowMs()})
    .where('run_id', '=', id)
    .where('worker', '=', worker)
    .where('state', '<>', 'gone')
    .execute()
}

/** The active workers of a run, locked: they cannot write until this write has ended. */
export async function lockWorkers(
  db: Db,
  id: string,
  {rowLocks, selectNowMs}: WorkerDatabase,
): Promise<Worker[]> {
  const rows = await db
    .selectFrom('run_worker')
    .selectAll()
    .select(selectNowMs().as('now_ms'))
    .where('run_id', '=', id)
    .where('state', '=', 'working')
    .orderBy('worker')
    .modifyEnd(rowLocks.forUpdate)
    .execute()
  return rows.map(parseWorkerRow)
}

/** Ends a worker, and releases its blocks. */
export async function endWorker(
  db: Db,
  {id, worker}: Pick<WorkerRef, 'id' | 'worker'>,
  state: Exclude<WorkerState, 'working'>,
): Promise<void> {
  await db
    .updateTable('run_worker')
    .set({state})
    .where('run_id', '=', id)
    .where('worker', '=', worker)
    .where('state', '=', 'working')
    .execute()
  await db
    .updateTable('run_block')
    .set({state: 'open', worker: null})
    .where('run_id', '=', id)
    .where(sql<boolean>`state <> 'done'`)
    .where('worker', '=', worker)
    .execute()
}

/** The run in its present state, with its workers and control requests. */
export async function attachWorkers(
  db: Db,
  runs: readonly Omit<RunRow, 'workers' | 'control'>[],
  ways: Pick<WorkerDatabase, 'selectNowMs'>,
): Promise<RunRow[]> {
  if (runs.length === 0) return []
  const ids = runs.map(({id}) => id)
  const workers = await readWorkers(db, ids, ways)
  const controls = await readControls(db, ids)
  return runs.map(run =>
    summarizeWorkers({...run, control: controls.get(run.id) ?? null}, workers.get(run.id) ?? []),
  )
}

/** The progress of a run is the sum of its workers'; it is alive while one of them is. */
function summarizeWorkers(run: Omit<RunRow, 'workers'>, workers: readonly Worker[]): RunRow {
  if (run.state !== 'running' || workers.length === 0) return {...run, workers}
  const counts: Record<string, number> = {}
  for (const worker of workers)
    for (const [result, count] of Object.entries(worker.counts))
      counts[result] = (counts[result] ?? 0) + count
  const heartbeatAgeMs = Math.min(...workers.map(worker => worker.heartbeatAgeMs))
  const heartbeatAt = new Date(Math.max(...workers.map(worker => worker.heartbeatAt.getTime())))
  return {...run, counts, heartbeatAgeMs, heartbeatAt, workers}
}
