import {type Kysely, sql} from 'kysely'
import type {JournalEntry} from '../../runs/journal/journal-entry.js'
import type {ParameterType} from '../../storage/engine/statement.js'
import type {LedgerTable, RecordsTables, RunPlanTable, RunRecordTable} from '../schema/schema.js'
import {prepareBulkWrite} from '../schema/sql.js'
import {buildLedgerRow, buildRecordRow} from './run-rows.js'

type Db = Kysely<RecordsTables>

const RECORD_COLUMNS = {
  run_id: 'text',
  worker: 'text',
  sequence: 'integer',
  kind: 'text',
  item: 'text',
  ordering_key: 'text',
  content_hash: 'text',
  attempt: 'integer',
  at_ms: 'integer',
  result_class: 'text',
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
  ordering_key: 'text',
  block: 'integer',
  unsure: 'integer',
  metadata: 'text',
} as const satisfies Record<keyof RunPlanTable, ParameterType>

const LEDGER_COLUMNS = {
  kind: 'text',
  target: 'text',
  key: 'text',
  content_hash: 'text',
  result_class: 'text',
  outcome: 'text',
  status: 'integer',
  detail: 'text',
  attempts: 'integer',
  at_ms: 'integer',
  run_id: 'text',
  facts: 'text',
} as const satisfies Record<keyof LedgerTable, ParameterType>

/** The writes of the hot path, with the statements that one open database has compiled so far. */
export function prepareRunWrites() {
  const records = prepareBulkWrite<RecordsTables, RunRecordTable>(RECORD_COLUMNS, (db, rows) =>
    db.insertInto('run_record').values(rows).compile(),
  )
  const plan = prepareBulkWrite<RecordsTables, RunPlanTable>(PLAN_COLUMNS, (db, rows) =>
    db.insertInto('run_plan').values(rows).compile(),
  )
  const ledger = prepareBulkWrite<RecordsTables, LedgerTable>(LEDGER_COLUMNS, compileUpsert)
  return {
    insertRecords: (db: Db, all: readonly JournalEntry[]) => records(db, all.map(buildRecordRow)),
    insertPlan: plan,
    /** The last word wins, except that what was once delivered and failed since stays delivered. */
    upsertLedger: (db: Db, run: {kind: string; target: string}, results: readonly JournalEntry[]) =>
      ledger(
        db,
        results.map(record => buildLedgerRow(run, record)),
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
          result_class: ref('excluded.result_class'),
          outcome: ref('excluded.outcome'),
          status: ref('excluded.status'),
          detail: ref('excluded.detail'),
          attempts: ref('excluded.attempts'),
          at_ms: ref('excluded.at_ms'),
          run_id: ref('excluded.run_id'),
          facts: ref('excluded.facts'),
        }))
        .where(sql<boolean>`ledger.result_class <> 'done' or excluded.result_class <> 'failed'`),
    )
    .compile()
}
