import type {Kysely} from 'kysely'
import type {RunLedgerHead, RunLedgerRow} from '../../runs/ledger/run-ledger-row.js'
import type {RecordsTables, RunLedgerTable} from '../schema/schema.js'
import {readByKeyset} from '../schema/sql.js'

type Db = Kysely<RecordsTables>

/** Rows of the ledger of runs, in order. @param runId only those about this run; `undefined` for all */
export function readRunLedger(db: Db, runId?: string): AsyncIterable<RunLedgerRow> {
  return readByKeyset(undefined, async (after: RunLedgerRow | undefined, size) => {
    const rows = await db
      .selectFrom('run_ledger')
      .selectAll()
      .where('number', '>', after?.number ?? 0)
      .$if(runId !== undefined, query => query.where('run_id', '=', runId as string))
      .orderBy('number')
      .limit(size)
      .execute()
    return rows.map(parseRunLedgerRow)
  })
}

/** @returns number 0 and no hash before the first row */
export function readRunLedgerHead(db: Db): Promise<RunLedgerHead> {
  return db.selectFrom('run_ledger_head').select(['number', 'hash']).executeTakeFirstOrThrow()
}

/** @returns `undefined` where there is no row of this number */
export async function findRunLedgerRow(db: Db, number: number): Promise<RunLedgerRow | undefined> {
  const row = await db.selectFrom('run_ledger').selectAll().where('number', '=', number).executeTakeFirst()
  return row && parseRunLedgerRow(row)
}

function parseRunLedgerRow({number, kind, at_ms, run_id, content, hash}: RunLedgerTable): RunLedgerRow {
  return {number, kind: kind as RunLedgerRow['kind'], at: new Date(at_ms), runId: run_id, content, hash}
}
