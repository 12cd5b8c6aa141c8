import {type Kysely, sql} from 'kysely'
import type {JournalEntry} from '../../runs/journal/journal-entry.js'
import type {ParameterType} from '../../storage/engine/statement.js'
import type {LedgerTable, RecordsTables, RunPlanTable, RunRecordTable} from '../schema/schema.js'
import {bulk} from '../schema/sql.js'
import {ledgerRow, recordRow} from './run-rows.js'

type Db = Kysely<RecordsTables>

const RECORD_COLUMNS = {
  run_id: 'text',
  worker: 'text',
  sequence: 'integer',
  kind: 'text',
  item: 'text',
  lane: 'text',
  content_hash: 'text',
  attempt: 'integer',
  at_ms: 'integer',
  grade: 'text',
  outcome: 'text',
  status: 'integer',
  detail: 'text',
  facts: 'text',
  hash: 'text',
} as const satisfies Record<keyof RunRecordTable, ParameterType>

const PLAN_COLUMNS = {
  run_id: 'text',
  position: 'integer',
  item: 'text',
  lane: 'text',
  block: 'integer',
  unsure: 'integer',
  remark: 'text',
} as const satisfies Record<keyof RunPlanTable, ParameterType>

const LEDGER_COLUMNS = {
  kind: 'text',
  target: 'text',
  key: 'text',
  content_hash: 'text',
  grade: 'text',
  outcome: 'text',
  status: 'integer',
  detail: 'text',
  attempts: 'integer',
  at_ms: 'integer',
  run_id: 'text',
} as const satisfies Record<keyof LedgerTable, ParameterType>

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
    insertRecords: (db: Db, all: readonly JournalEntry[]) => records(db, all.map(recordRow)),
    insertPlan: plan,
    /** The last word wins, except that what was once delivered and failed since stays delivered. */
    upsertLedger: (db: Db, run: {kind: string; target: string}, results: readonly JournalEntry[]) =>
      ledger(
        db,
        results.map(record => ledgerRow(run, record)),
        new Set(results.map(({item}) => item)).size < results.length,
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
