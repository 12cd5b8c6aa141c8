import type {Kysely} from 'kysely'
import type {RunControl} from '../../runs/journal/run-store.js'
import type {RecordsTables, RunControlTable} from '../schema/schema.js'
import {splitKeys} from '../schema/sql.js'

type Db = Kysely<RecordsTables>

/** What was asked of some runs, by the run's id. */
export async function readControls(db: Db, runIds: readonly string[]): Promise<Map<string, RunControl>> {
  const found = new Map<string, RunControl>()
  for (const some of splitKeys(runIds)) {
    const rows = await db.selectFrom('run_control').selectAll().where('run_id', 'in', some).execute()
    for (const row of rows) found.set(row.run_id, parseControlRow(row))
  }
  return found
}

function parseControlRow(row: RunControlTable): RunControl {
  return {
    isPaused: row.paused === 1,
    ratePerSecond: parseRate(row.rate_per_second),
    concurrency: row.concurrency,
    askedBy: row.asked_by,
    askedAt: new Date(row.asked_at_ms),
  }
}

function parseRate(text: string | null): RunControl['ratePerSecond'] {
  return text === null || text === 'auto' ? text : Number(text)
}
