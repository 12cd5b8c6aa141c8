import {type Kysely, sql} from 'kysely'
import {computeChainOrigin} from '../../runs/journal/hash-chain.js'
import type {RunRow} from '../../runs/journal/run-store.js'
import type {ChainEnd} from '../../runs/journal/worker.js'
import {describeOpening, hashRunLedgerRow} from '../../runs/ledger/run-ledger-row.js'
import {createIndex, createTable} from '../../storage/engine/create-table.js'
import type {UntypedDatabase} from '../../storage/engine/database.js'
import type {RecordsTables, RunLedgerTable, RunTable} from './schema.js'

type Db = Kysely<RecordsTables>

/**
 * Adds the ledger of runs, and each worker's progress in its chain. Existing runs get a row each, so that later edits
 * of them are detected.
 */
export async function addRunLedger(db: UntypedDatabase): Promise<void> {
  await createLedger(db)
  for (const [name, value] of Object.entries({sequence: 0, hash: '', amounts: '{}'})) {
    const type = typeof value === 'number' ? 'integer' : 'text'
    await db.schema
      .alterTable('run_worker')
      .addColumn(name, type, column => column.notNull().defaultTo(value))
      .execute()
  }
  const ends = await readChainEnds(db)
  await updateWorkers(db, ends)
  await adoptRuns(db, ends)
}

async function createLedger(db: UntypedDatabase): Promise<void> {
  await createTable<RunLedgerTable>(
    db,
    'run_ledger',
    {
      ...{number: 'integer', kind: 'text', at_ms: 'integer', run_id: 'text?', content: 'text', hash: 'text'},
    },
    ['number'],
  )
  await createIndex(db, {name: 'run_ledger_run', table: 'run_ledger', columns: ['run_id', 'number']})
  await createTable<RecordsTables['run_ledger_head']>(
    db,
    'run_ledger_head',
    {id: 'integer', number: 'integer', hash: 'text'},
    ['id'],
  )
  await (db as Db).insertInto('run_ledger_head').values({id: 1, number: 0, hash: ''}).execute()
}

/** The last entry of each chain, by run. */
async function readChainEnds(db: Db): Promise<Map<string, ChainEnd[]>> {
  const {rows} = await sql<{run_id: string} & ChainEnd>`
    select run_id, worker, sequence, hash from run_record where (run_id, worker, sequence) in (
      select run_id, worker, max(sequence) from run_record group by run_id, worker)
    order by run_id, worker`.execute(db)
  const found = new Map<string, ChainEnd[]>()
  for (const {run_id, worker, sequence, hash} of rows)
    found.set(run_id, [...(found.get(run_id) ?? []), {worker, sequence, hash}])
  return found
}

/** Unresponsive workers get the counts of their last heartbeat. */
async function updateWorkers(db: Db, ends: ReadonlyMap<string, readonly ChainEnd[]>): Promise<void> {
  for (const [id, all] of ends) {
    for (const {worker, sequence, hash} of all) {
      const {rows} = await sql<{result: string; count: number}>`
        select result, count(*) as count from run_record
        where run_id = ${id} and worker = ${worker} and kind = 'result' and result is not null
        group by result`.execute(db)
      const counts = JSON.stringify(
        Object.fromEntries(rows.map(({result, count}) => [result, Number(count)])),
      )
      await db
        .updateTable('run_worker')
        .set({sequence, hash, counts})
        .where('run_id', '=', id)
        .where('worker', '=', worker)
        .execute()
    }
  }
}

async function adoptRuns(db: Db, ends: ReadonlyMap<string, readonly ChainEnd[]>): Promise<void> {
  let head = {number: 0, hash: ''}
  for (const row of await db.selectFrom('run').selectAll().orderBy('id').execute()) {
    const content = JSON.stringify(describeAdopted(row, ends.get(row.id) ?? []))
    const at = new Date(row.ended_at_ms ?? row.heartbeat_at_ms)
    const added = {number: head.number + 1, kind: 'adopted', at, runId: row.id, content} as const
    head = {number: added.number, hash: hashRunLedgerRow(head.hash, added)}
    const {number, kind} = added
    await db
      .insertInto('run_ledger')
      .values({number, kind, at_ms: at.getTime(), run_id: row.id, content, hash: head.hash})
      .execute()
  }
  await db.updateTable('run_ledger_head').set(head).execute()
}

/** A run in progress has no end yet. */
function describeAdopted(row: RunTable, ends: readonly ChainEnd[]): object {
  const {id, target, profile, who, host, pid, reason, total, continues} = row
  const run = {
    ...{id, target, profile, who, host, pid, reason, total, continues},
    kind: row.kind as RunRow['kind'],
    processStart: row.process_start,
    startedAt: new Date(row.started_at_ms),
    options: JSON.parse(row.options),
  }
  const opening = describeOpening(run, computeChainOrigin(run))
  if (row.state === 'running' || row.ended_at_ms === null) return opening
  const {state, stop_code: stopCode, stop_reason: stopReason} = row
  const endedAt = new Date(row.ended_at_ms).toISOString()
  return {...opening, state, stopCode, stopReason, endedAt, counts: JSON.parse(row.counts), amounts: {}, ends}
}
