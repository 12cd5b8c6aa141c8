import {type Kysely, sql} from 'kysely'
import type {JournalEntry} from '../../runs/journal/journal-entry.js'
import type {RunRef, RunStore, WorkerEnd, WorkerRef} from '../../runs/journal/run-store.js'
import type {Counts, Worker} from '../../runs/journal/worker.js'
import type {Database} from '../../storage/engine/database.js'
import type {RecordsTables} from '../schema/schema.js'
import {
  addBlocks,
  assertFinished,
  claimBlock,
  findEarlierAttempts,
  finishBlocks,
  readBlock,
  selectBlocksLeft,
} from './claims.js'
import {readControlOf} from './control-rows.js'
import {
  type EndDeps,
  endUnresponsive,
  findRunById,
  listOpenItems,
  listOpenItemsOf,
  nameLease,
  type StoreRecords,
} from './leases.js'
import {noteClosing, sumTotals} from './run-ledger.js'
import {
  addWorker,
  endWorker,
  hasLeft,
  lockWorkers,
  prepareWorkerLock,
  readWorkers,
  updateHeartbeat,
} from './workers.js'

type Db = Kysely<RecordsTables>

type Sharing =
  | 'writeHeartbeat'
  | 'join'
  | 'claim'
  | 'finish'
  | 'readBlock'
  | 'findEarlierAttempts'
  | 'declareGone'
  | 'halt'
  | 'leave'
  | 'giveUp'
  | 'addBlocks'

export interface SharingDeps {
  readonly storeRecords: StoreRecords
  readonly append: (db: Db, records: readonly JournalEntry[]) => Promise<void>
}

/** Coordinates the workers of a run. */
export function createWorkSharing(
  database: Database<RecordsTables>,
  {storeRecords, append}: SharingDeps,
): Pick<RunStore, Sharing> {
  const {reads, writes} = database
  const lockWorker = prepareWorkerLock(database)
  return {
    writeHeartbeat: at => writes.run(db => updateHeartbeat(db, at, database)),
    join: (run, worker) =>
      writes.run(
        async db => {
          const refusal = await explainRefusedJoin(db, run)
          if (refusal) return refusal
          await addWorker(db, run.id, worker, database)
          return 'joined'
        },
        {exclusive: nameLease(run)},
      ),
    claim: (at, finished) =>
      writes.run(async db => {
        try {
          await lockWorker(db, at)
        } catch (error) {
          // Another worker has ended the run, because nothing was left to do.
          if (await hasLeft(db, at)) return {others: 0}
          throw error
        }
        await assertFinished(db, at, finished, await finishBlocks(db, at, finished))
        return claimBlock(db, at, database)
      }),
    finish: (at, blocks) => writes.run(async db => void (await finishBlocks(db, at, blocks))),
    readBlock: (id, block) => readBlock(reads, id, block),
    findEarlierAttempts: (id, items) => findEarlierAttempts(reads, id, items),
    addBlocks: (id, blocks, worker) => writes.run(db => addBlocks(db, id, blocks, worker)),
    declareGone: (run, isGone, recover) =>
      writes.run(
        async db => {
          const gone = (await lockWorkers(db, run.id, database)).filter(isGone).map(({id}) => id)
          for (const worker of gone) {
            await append(db, recover(await listOpenItemsOf(db, run.id, worker), worker))
            await endWorker(db, {id: run.id, worker}, 'gone')
          }
          return gone
        },
        {exclusive: nameLease(run)},
      ),
    halt: (id, stop) => writes.run(db => haltRun(db, id, stop)),
    leave: (at, end, recover) =>
      writes.run(db => leaveRun(db, at, end, {recover, storeRecords, database}), {exclusive: nameLease(at)}),
    giveUp: (at, recover) =>
      writes.run(
        async db => {
          const working = await lockWorkers(db, at.id, database)
          if (!working.some(({id}) => id === at.worker)) return
          if (working.length > 1) {
            await append(db, recover.shared(await listOpenItemsOf(db, at.id, at.worker)))
            return endWorker(db, at, 'gone')
          }
          const run = await findRunById(db, at.id, database)
          if (run)
            await endUnresponsive(db, run, {kind: 'closed'}, {recover: recover.alone, storeRecords, database})
        },
        {exclusive: nameLease(at)},
      ),
  }
}

async function explainRefusedJoin(
  db: Db,
  {id}: RunRef,
): Promise<'over' | 'unplanned' | 'unshared' | undefined> {
  const run = await db
    .selectFrom('run')
    .select(['state', 'total', 'stop_code'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (run?.state !== 'running' || run.stop_code !== null) return 'over'
  if (run.total === null) return 'unplanned'
  const block = await db
    .selectFrom('run_block')
    .select('block')
    .where('run_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  return block ? undefined : 'unshared'
}

async function haltRun(db: Db, id: string, {code, reason}: Parameters<RunStore['halt']>[1]): Promise<void> {
  await db
    .updateTable('run')
    .set({stop_code: code, stop_reason: reason})
    .where('id', '=', id)
    .where('state', '=', 'running')
    .where('stop_code', 'is', null)
    .execute()
}

/**
 * The last worker to leave ends the run, and so does any that leaves when nothing is left to do: the others may have
 * died unnoticed, and those alive find the run ended. A worker that was declared gone has left already.
 */
async function leaveRun(
  db: Db,
  at: WorkerRef,
  end: WorkerEnd,
  deps: EndDeps,
): Promise<{isOver: boolean; counts: Counts}> {
  const {database} = deps
  await updateHeartbeat(db, at, database)
  const own = await finishBlocks(db, at, end.finished)
  const working = await lockWorkers(db, at.id, database)
  const isOneOfThem = working.some(({id}) => id === at.worker)
  if (isOneOfThem) await assertFinished(db, at, end.finished, own)
  await endWorker(db, at, 'left')
  const peers = working.filter(({id}) => id !== at.worker)
  if (isOneOfThem && (peers.length === 0 || (await isNothingLeft(db, at.id))))
    return {isOver: true, counts: await endRun(db, at, {end, peers}, deps)}
  const run = await findRunById(db, at.id, database)
  return {isOver: run?.state !== 'running', counts: run?.counts ?? {}}
}

/** @param peers workers that have not left yet, for whom the run ends as well */
async function endRun(
  db: Db,
  at: WorkerRef,
  {end, peers}: {readonly end: WorkerEnd; readonly peers: readonly Worker[]},
  {recover, storeRecords, database}: EndDeps,
): Promise<Counts> {
  const {id} = at
  for (const peer of peers) await endWorker(db, {id, worker: peer.id}, 'left')
  const workers = (await readWorkers(db, [id], database)).get(id) ?? []
  const hasLost = workers.some(({state}) => state === 'gone')
  const recovered = hasLost ? recover(await listOpenItems(db, id)) : []
  if (hasLost) await storeRecords(db, at, recovered)
  const {counts, amounts} = sumTotals(workers, recovered)
  const stop = (await readControlOf(db, id)).stop ?? end.stop ?? {code: null, reason: null}
  const isComplete = (await areAllBlocksDone(db, id)) ?? end.isComplete
  await db.deleteFrom('run_lease').where('run_id', '=', id).execute()
  await db.deleteFrom('run_block').where('run_id', '=', id).execute()
  const state = isComplete && stop.code === null ? 'completed' : 'stopped'
  await db
    .updateTable('run')
    .set({
      ...{state, counts: JSON.stringify(counts), stop_code: stop.code, stop_reason: stop.reason},
      ...{ended_at_ms: end.endedAt.getTime(), heartbeat_at_ms: end.endedAt.getTime()},
    })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute()
  const closing = {
    state,
    stopCode: stop.code,
    stopReason: stop.reason,
    endedAt: end.endedAt.toISOString(),
  } as const
  await noteClosing(db, {kind: 'closed', ...closing, runId: id, workers, counts, amounts}, database)
  return counts
}

/**
 * Whether every block is done; `undefined` for a run without blocks. A run shorter than its canary ends without being
 * opened.
 */
async function areAllBlocksDone(db: Db, id: string): Promise<boolean | undefined> {
  const {all, left} = await db
    .selectFrom('run_block')
    .select(({fn}) => fn.countAll<number>().as('all'))
    .select(sql<number>`count(case when state <> 'done' and block >= 0 then 1 end)`.as('left'))
    .where('run_id', '=', id)
    .executeTakeFirstOrThrow()
  return Number(all) === 0 ? undefined : Number(left) === 0
}

/** Whether every block is done and no other worker still has to open the run. */
async function isNothingLeft(db: Db, id: string): Promise<boolean> {
  const left = await selectBlocksLeft(db, id)
    .select('block')
    .where(({eb, or}) => or([eb('block', '>=', 0), eb('worker', 'is not', null)]))
    .limit(1)
    .executeTakeFirst()
  return left === undefined
}
