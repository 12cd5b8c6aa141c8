import {type Kysely, sql} from 'kysely'
import type {JournalEntry} from '../../runs/journal/journal-entry.js'
import type {OpenItem, RecoverItems, RunRef, RunRow} from '../../runs/journal/run-store.js'
import type {Database} from '../../storage/engine/database.js'
import type {RecordsTables, RunRecordTable} from '../schema/schema.js'
import {chooseLeaseKind} from './lease-kind.js'
import {type Closing, noteClosing, sumTotals} from './run-ledger.js'
import {lacksResult, parseRecordRow, parseRunRow} from './run-rows.js'
import {attachWorkers, readWorkers} from './workers.js'

type Db = Kysely<RecordsTables>
type Ways = Pick<Database<RecordsTables>, 'selectNowMs'>

/** The run that holds the lease. */
export async function findLeaseHolder(
  db: Db,
  {kind, target, id}: RunRef,
  ways: Ways,
): Promise<RunRow | undefined> {
  const row = await db
    .selectFrom('run_lease')
    .select('run_id')
    .where('kind', '=', chooseLeaseKind({kind, id}))
    .where('target', '=', target)
    .executeTakeFirst()
  return row && findRunById(db, row.run_id, ways)
}

/** A run in its present state, with its workers. */
export async function findRunById(db: Db, id: string, ways: Ways): Promise<RunRow | undefined> {
  const rows = await db
    .selectFrom('run')
    .selectAll()
    .select(ways.selectNowMs().as('now_ms'))
    .where('id', '=', id)
    .execute()
  return (await attachWorkers(db, rows.map(parseRunRow), ways))[0]
}

export async function takeLease(db: Db, {kind, target, id}: RunRef): Promise<void> {
  await db
    .insertInto('run_lease')
    .values({kind: chooseLeaseKind({kind, id}), target, run_id: id})
    .onConflict(conflict => conflict.columns(['kind', 'target']).doUpdateSet({run_id: id}))
    .execute()
}

/** Appends records of a run, and updates the ledger. */
export type StoreRecords = (
  db: Db,
  run: {kind: string; target: string},
  records: readonly JournalEntry[],
) => Promise<void>

/** Dependencies for ending a run. */
export interface EndDeps {
  readonly recover: RecoverItems
  readonly storeRecords: StoreRecords
  readonly database: Database<RecordsTables>
}

/**
 * Ends an unresponsive run after recovering its open items. Waits for writes of its workers, after which they can write
 * no more.
 *
 * @param how the ledger of runs records it
 */
export async function endUnresponsive(
  db: Db,
  run: RunRow,
  how: Pick<Closing, 'kind' | 'by'>,
  {recover, storeRecords, database}: EndDeps,
): Promise<void> {
  const {id} = run
  await db
    .updateTable('run_worker')
    .set({state: 'gone'})
    .where('run_id', '=', id)
    .where('state', '=', 'working')
    .execute()
  const recovered = recover(await listOpenItems(db, id))
  await storeRecords(db, run, recovered)
  const workers = (await readWorkers(db, [id], database)).get(id) ?? []
  const {counts, amounts} = sumTotals(workers, recovered)
  await db.deleteFrom('run_lease').where('run_id', '=', id).execute()
  await db.deleteFrom('run_block').where('run_id', '=', id).execute()
  await db
    .updateTable('run')
    .set({state: 'interrupted', counts: JSON.stringify(counts), ended_at_ms: run.heartbeatAt.getTime()})
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute()
  const {stopCode, stopReason} = run
  const end = {state: 'interrupted', stopCode, stopReason, endedAt: run.heartbeatAt.toISOString()} as const
  await noteClosing(db, {...how, ...end, runId: id, workers, counts, amounts}, database)
}

/** The items that a run has begun and not finished. */
export async function listOpenItems(db: Db, id: string): Promise<OpenItem[]> {
  return selectLastOfEach(await selectWithoutResult(db, id).execute())
}

/** The open items of one worker: all of them are in blocks that are not done. */
export async function listOpenItemsOf(db: Db, id: string, worker: string): Promise<OpenItem[]> {
  const rows = await selectWithoutResult(db, id)
    .where('run_record.worker', '=', worker)
    .where(({eb, selectFrom}) =>
      eb(
        'run_record.item',
        'in',
        selectFrom('run_plan')
          .innerJoin('run_block', join =>
            join
              .onRef('run_block.run_id', '=', 'run_plan.run_id')
              .onRef('run_block.block', '=', 'run_plan.block'),
          )
          .select('run_plan.item')
          .where('run_plan.run_id', '=', id)
          .where('run_block.worker', '=', worker)
          .where(sql<boolean>`run_block.state <> 'done'`),
      ),
    )
    .execute()
  return selectLastOfEach(rows)
}

function selectWithoutResult(db: Db, id: string) {
  return db
    .selectFrom('run_record')
    .selectAll('run_record')
    .where('run_record.run_id', '=', id)
    .where(lacksResult('run_record', id))
    .orderBy('run_record.worker')
    .orderBy('run_record.sequence')
}

/**
 * The last record of each item. With several workers, their clocks cannot tell which record was the last: one with an
 * unknown result takes precedence.
 *
 * @param rows sorted by worker and sequence
 */
function selectLastOfEach(rows: readonly RunRecordTable[]): OpenItem[] {
  const last = new Map<string, RunRecordTable>()
  for (const row of rows) {
    const before = last.get(row.item)
    const keepsOther = before && before.worker !== row.worker && !isLeftUnknown(row) && isLeftUnknown(before)
    if (!keepsOther) last.set(row.item, row)
  }
  return [...last.values()].map(row => ({runId: row.run_id, last: parseRecordRow(row)}))
}

function isLeftUnknown({kind, result_class}: RunRecordTable): boolean {
  return kind === 'intent' || result_class === 'unknown'
}

/** Name of the lock for beginning a run of this kind and target, or deleting data that such a run may need. */
export function nameLease({kind, target, id}: RunRef): string {
  return `lease ${chooseLeaseKind({kind, id})} ${target}`
}
