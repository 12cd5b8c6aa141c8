import {type Kysely, sql} from 'kysely'
import type {JournalRecord} from '../../run/record.js'
import {bulk} from './bulk.js'
import {ledgerRow, recordRow} from './run-rows.js'
import type {LedgerTable, RecordsTables, RunPlanTable, RunRecordTable} from './tables.js'

type Db = Kysely<RecordsTables>

const RECORD_COLUMNS = [
  'run_id',
  'worker',
  'sequence',
  'kind',
  'item',
  'lane',
  'content_hash',
  'attempt',
  'at_ms',
  'grade',
  'outcome',
  'status',
  'detail',
  'facts',
  'hash',
] as const

const PLAN_COLUMNS = ['run_id', 'position', 'item', 'lane', 'block', 'unsure', 'remark'] as const

const LEDGER_COLUMNS = [
  'kind',
  'target',
  'key',
  'content_hash',
  'grade',
  'outcome',
  'status',
  'detail',
  'attempts',
  'at_ms',
  'run_id',
] as const

/** The writes of the hot path, with the statements that one open database has compiled so far. */
export function runWrites() {
  const records = bulk<RecordsTables, RunRecordTable>(RECORD_COLUMNS, (db, rows) =>
    db.insertInto('run_record').values(rows).compile(),
  )
  const plan = bulk<RecordsTables, RunPlanTable>(PLAN_COLUMNS, (db, rows) =>
    db.insertInto('run_plan').values(rows).compile(),
  )
  const ledger = bulk<RecordsTables, LedgerTable>(LEDGER_COLUMNS, compileUpsert)
  return {
    insertRecords: (db: Db, all: readonly JournalRecord[]) => records(db, all.map(recordRow)),
    insertPlan: plan,
    /** The last word wins, except that what was once delivered and failed since stays delivered. */
    upsertLedger: (db: Db, run: {kind: string; target: string}, results: readonly JournalRecord[]) =>
      ledger(
        db,
        results.map(record => ledgerRow(run, record)),
      ),
  }
}

function compileUpsert(db: Db, rows: LedgerTable[]) {
  return db
    .insertInto('ledger')
    .values(rows)
    .onConflict(conflict =>
      conflict
        .columns(['kind', 'target', 'key'])
        .doUpdateSet(({ref}) => ({
          content_hash: ref('excluded.content_hash'),
          grade: ref('excluded.grade'),
          outcome: ref('excluded.outcome'),
          status: ref('excluded.status'),
          detail: ref('excluded.detail'),
          attempts: ref('excluded.attempts'),
          at_ms: ref('excluded.at_ms'),
          run_id: ref('excluded.run_id'),
        }))
        .where(sql<boolean>`ledger.grade <> 'done' or excluded.grade <> 'failed'`),
    )
    .compile()
}
