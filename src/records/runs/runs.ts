import {type Kysely, sql} from 'kysely'
import type {JournalEntry} from '../../runs/journal/journal-entry.js'
import type {RunStore, TakenEntries} from '../../runs/journal/run-store.js'
import type {Database} from '../../storage/engine/database.js'
import type {ParameterType} from '../../storage/engine/statement.js'
import type {LedgerTable, RecordsTables, RunPlanTable} from '../schema/schema.js'
import {prepareBulkWrite} from '../schema/sql.js'
import {createRunControl} from './control.js'
import {
  endUnresponsive,
  findLeaseHolder,
  findRunById,
  nameLease,
  type StoreRecords,
  takeLease,
} from './leases.js'
import type {RecordListener} from './record-listener.js'
import {appendRunLedgerRow, noteDiscarded, noteOpening} from './run-ledger.js'
import {createRunReads} from './run-reads.js'
import {buildLedgerRow, buildPlanRow, buildRecordRow, buildRunRow, insertRecordRows} from './run-rows.js'
import {createWorkSharing} from './work-sharing.js'
import {addWorker, updateProgress} from './workers.js'

type Db = Kysely<RecordsTables>

/** Runs, journals, leases and ledger. */
export function createRunStore(database: Database<RecordsTables>, listener: RecordListener): RunStore {
  const {writes} = database
  const storeRecords: StoreRecords = async (db, run, written) => {
    const results = written.filter(isFinalResult)
    const stored = [insertRecordRows(db, written.map(buildRecordRow)), listener.onRecords(db, run, written)]
    // Pipelined: none waits for the response to the one before.
    if (results.length > 0) stored.push(upsertLedger(db, run, results), listener.onResults(db, run, results))
    await Promise.all(stored)
  }
  return {
    ...createWorkSharing(database, {
      storeRecords,
      append: (db, all) => insertRecordRows(db, all.map(buildRecordRow)),
    }),
    ...createRunControl(database),
    ...createRunReads(database),
    readSnapshot: read =>
      database.readSnapshot(db => read(createRunReads({reads: db, selectNowMs: database.selectNowMs}))),
    begin: (run, ...how) =>
      writes.run(db => beginRun({db, database, storeRecords}, run, ...how), {exclusive: nameLease(run)}),
    append: (at, take) => {
      // The write may run again when another of its group fails; so records are taken from the queue only once.
      let taken: TakenEntries | undefined
      return writes.run(async db => {
        taken ??= take()
        // A worker that has lost its lease rolls everything back.
        await Promise.all([updateProgress(db, at, taken.progress), storeRecords(db, at, taken.entries)])
      })
    },
    interrupt: (run, recover, by) =>
      writes.run(
        async db => {
          const now = await findRunById(db, run.id, database)
          if (now?.state !== 'running') return
          await endUnresponsive(db, now, {kind: 'taken-over', by}, {recover, storeRecords, database})
        },
        {exclusive: nameLease(run)},
      ),
    appendRunLedgerRow: row => writes.run(db => appendRunLedgerRow(db, {...row, runId: null}, database)),
    discard: id =>
      writes.run(async db => {
        await deleteRun(db, id)
        await noteDiscarded(db, id, database)
      }),
    addPlanned: (id, from, items) =>
      writes.run(db =>
        insertPlan(
          db,
          items.map((planned, index) => buildPlanRow(planned, id, from + index)),
        ),
      ),
    setTotal: (id, total, options) =>
      writes.run(async db => {
        const changes = options === undefined ? {total} : {total, options: JSON.stringify(options)}
        await db.updateTable('run').set(changes).where('id', '=', id).execute()
        const run = await findRunById(db, id, database)
        if (run) await noteOpening(db, run, database)
      }),
  }
}

interface BeginDeps {
  readonly db: Db
  readonly database: Database<RecordsTables>
  readonly storeRecords: StoreRecords
}

/** Begins a run unless another one holds its lease; an unresponsive one is ended first. */
async function beginRun(
  {db, database, storeRecords}: BeginDeps,
  ...[run, stillHeld, recover]: Parameters<RunStore['begin']>
): ReturnType<RunStore['begin']> {
  const holder = await findLeaseHolder(db, run, database)
  if (holder && stillHeld(holder)) return {begun: false, holder}
  if (holder)
    await endUnresponsive(db, holder, {kind: 'found-dead', by: run.id}, {recover, storeRecords, database})
  const beat = {heartbeat_at_ms: database.selectNowMs()}
  await db
    .insertInto('run')
    .values({...buildRunRow(run), ...beat})
    .execute()
  await addWorker(db, run.id, run, database)
  await takeLease(db, run)
  // The chain of a run that is still planning begins with the plan: it opens with `setTotal`.
  if (run.total !== null) await noteOpening(db, run, database)
  return {begun: true, interrupted: holder?.state === 'running' ? holder : undefined}
}

async function deleteRun(db: Db, id: string): Promise<void> {
  for (const table of ['run_lease', 'run_plan', 'run_block', 'run_worker', 'run_control'] as const)
    await db.deleteFrom(table).where('run_id', '=', id).execute()
  await db.deleteFrom('run').where('id', '=', id).execute()
}

function isFinalResult({kind, resultClass}: JournalEntry): boolean {
  return (
    kind === 'result' && (resultClass === 'done' || resultClass === 'failed' || resultClass === 'unknown')
  )
}

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
  result: 'text',
  status: 'integer',
  detail: 'text',
  attempts: 'integer',
  at_ms: 'integer',
  run_id: 'text',
  facts: 'text',
} as const satisfies Record<keyof LedgerTable, ParameterType>

const insertPlan = prepareBulkWrite<RecordsTables, RunPlanTable>(PLAN_COLUMNS, (db, rows) =>
  db.insertInto('run_plan').values(rows).compile(),
)

const upsertLedgerRows = prepareBulkWrite<RecordsTables, LedgerTable>(LEDGER_COLUMNS, compileUpsert)

/** The last result wins, except that a delivered item stays delivered after a later failure. */
function upsertLedger(
  db: Db,
  run: {kind: string; target: string},
  results: readonly JournalEntry[],
): Promise<void> {
  return upsertLedgerRows(
    db,
    results.map(record => buildLedgerRow(run, record)),
    new Set(results.map(({item}) => item)).size < results.length,
  )
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
          result: ref('excluded.result'),
          status: ref('excluded.status'),
          detail: ref('excluded.detail'),
          attempts: ref('excluded.attempts'),
          at_ms: ref('excluded.at_ms'),
          run_id: ref('excluded.run_id'),
          // What was known before the attempt remains its proof, even where a later check finds nothing.
          facts: sql<
            string | null
          >`case when ${ref('excluded.result_class')} = 'unknown' then coalesce(${ref('excluded.facts')}, ${ref('ledger.facts')}) end`,
        }))
        .where(sql<boolean>`ledger.result_class <> 'done' or excluded.result_class <> 'failed'`),
    )
    .compile()
}
