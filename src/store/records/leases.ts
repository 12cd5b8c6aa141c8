import {type Kysely, sql} from 'kysely'
import {StorectlError} from '../../errors.js'
import type {JournalRecord} from '../../run/record.js'
import type {NewRun, OpenItem, RunRow} from '../../run/store.js'
import {recordOf, runOf} from './run-rows.js'
import type {RecordsTables} from './tables.js'

type Db = Kysely<RecordsTables>

export async function holderOf(
  db: Db,
  {kind, target}: Pick<NewRun, 'kind' | 'target'>,
): Promise<RunRow | undefined> {
  const row = await db
    .selectFrom('run_lease')
    .innerJoin('run', 'run.id', 'run_lease.run_id')
    .selectAll('run')
    .where('run_lease.kind', '=', kind)
    .where('run_lease.target', '=', target)
    .executeTakeFirst()
  return row && runOf(row)
}

export async function takeLease(
  db: Db,
  {kind, target, id}: Pick<NewRun, 'kind' | 'target' | 'id'>,
): Promise<void> {
  await db
    .insertInto('run_lease')
    .values({kind, target, run_id: id})
    .onConflict(conflict => conflict.columns(['kind', 'target']).doUpdateSet({run_id: id}))
    .execute()
}

export async function holdLease(
  db: Db,
  {kind, target, id}: Pick<NewRun, 'kind' | 'target' | 'id'>,
): Promise<void> {
  const {rows} = await sql<{run_id: string}>`
    select run_id from run_lease where kind = ${kind} and target = ${target}`.execute(db)
  if (rows[0]?.run_id === id) return
  throw new StorectlError(
    'conflict.lease_lost',
    `Run ${id} was silent for too long and another has taken its place; it stopped, and what it had in flight is unknown.`,
    {nextSteps: [`storectl run show ${rows[0]?.run_id ?? id}`]},
  )
}

/** Appends records of a run, and brings the ledger up to date with them. */
export type Keep = (
  db: Db,
  run: {kind: string; target: string},
  records: readonly JournalRecord[],
) => Promise<void>

/** A run that went away: its open items get their last word, then it is over. */
export async function endSilent(
  db: Db,
  run: RunRow,
  settle: (open: OpenItem[]) => JournalRecord[],
  keep: Keep,
): Promise<void> {
  await keep(db, run, settle(await openItems(db, run.id)))
  const counts = JSON.stringify(await countsOf(db, run.id))
  await db
    .updateTable('run')
    .set({state: 'crashed', counts, ended_at_ms: run.heartbeatAt.getTime()})
    .where('id', '=', run.id)
    .where('state', '=', 'running')
    .execute()
}

/** What the run itself counted ended with it. */
async function countsOf(db: Db, id: string): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('run_record')
    .select(({fn}) => ['outcome', fn.countAll<number>().as('count')])
    .where('run_id', '=', id)
    .where('kind', '=', 'result')
    .where('outcome', 'is not', null)
    .groupBy('outcome')
    .execute()
  return Object.fromEntries(rows.map(({outcome, count}) => [outcome as string, Number(count)]))
}

async function openItems(db: Db, id: string): Promise<OpenItem[]> {
  const rows = await db
    .selectFrom('run_record')
    .selectAll()
    .where('run_id', '=', id)
    .where(({not, exists, selectFrom}) =>
      not(
        exists(
          selectFrom('run_record as word')
            .select('word.item')
            .whereRef('word.item', '=', 'run_record.item')
            .where('word.run_id', '=', id)
            .where(sql<boolean>`word.kind <> 'intent'`)
            .where('word.kind', '=', 'result'),
        ),
      ),
    )
    .orderBy('worker')
    .orderBy('sequence')
    .execute()
  const last = new Map(rows.map(row => [row.item, row]))
  return [...last.values()].map(row => ({runId: id, last: recordOf(row)}))
}
