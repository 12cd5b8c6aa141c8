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

/** A run as it stands, with its workers. */
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

/** Appends records of a run, and brings the ledger up to date with them. */
export type StoreRecords = (
  db: Db,
  run: {kind: string; target: string},
  records: readonly JournalEntry[],
) => Promise<void>

/** What it takes to end a run. */
export interface EndDeps {
  readonly recover: RecoverItems
  readonly storeRecords: StoreRecords
  readonly database: Database<RecordsTables>
}

/**
 * A run that went away: its open items get their last word, then it is over. Workers that are writing are waited for, and
 * write nothing more.
 *
 * @param how it is noted in the ledger of runs
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

/** What a run has begun and not ended. */
export async function listOpenItems(db: Db, id: string): Promise<OpenItem[]> {
  return selectLastOfEach(await selectWithoutResult(db, id).execute())
}

/** What one of its workers has: all of it lies in blocks that are not through. */
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
 * The last record of each item. Where several workers had it, nobody can tell by their clocks which was the last: one
 * that leaves it unknown goes before one that does not.
 *
 * @param rows by worker and sequence
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

/** What nobody else does meanwhile who begins a run of the kind and target, or deletes what such a run may want. */
export function nameLease({kind, target, id}: RunRef): string {
  return `lease ${chooseLeaseKind({kind, id})} ${target}`
}
