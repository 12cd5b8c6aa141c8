import type {Kysely} from 'kysely'
import type {RunControl, RunStop} from '../../runs/journal/run-store.js'
import {readFirstRow, type Statement} from '../../storage/engine/statement.js'
import type {RecordsTables, RunControlTable, RunTable} from '../schema/schema.js'
import {splitKeys} from '../schema/sql.js'

type Db = Kysely<RecordsTables>

/** Without a control, its columns are null. */
type ControlRow = Pick<RunTable, 'stop_code' | 'stop_reason'> & {
  [Column in keyof RunControlTable]: RunControlTable[Column] | null
}

const selectControl: Statement<RecordsTables, {id: string}, ControlRow> = (db, {id}) =>
  db
    .selectFrom('run')
    .leftJoin('run_control', 'run_control.run_id', 'run.id')
    .select(['stop_code', 'stop_reason'])
    .selectAll('run_control')
    .where('run.id', '=', id)
    .compile()

/** The control requests for a run, and why it was stopped; each `null` where there is none. */
export async function readControlOf(
  db: Db,
  id: string,
): Promise<{control: RunControl | null; stop: RunStop | null}> {
  const row = await readFirstRow(db, selectControl, {id})
  return {
    control: row?.run_id == null ? null : parseControlRow(row as RunControlTable),
    stop: row?.stop_code == null ? null : {code: row.stop_code, reason: row.stop_reason ?? ''},
  }
}

/** The control requests for some runs, by run id. */
export async function readControls(db: Db, runIds: readonly string[]): Promise<Map<string, RunControl>> {
  const [first] = runIds
  if (runIds.length === 1) {
    const {control} = await readControlOf(db, first as string)
    return new Map(control && [[first as string, control]])
  }
  const found = new Map<string, RunControl>()
  for (const some of splitKeys(runIds)) {
    const rows = await db.selectFrom('run_control').selectAll().where('run_id', 'in', some).execute()
    for (const row of rows) found.set(row.run_id, parseControlRow(row))
  }
  return found
}

/** What is stored for a concurrency of `auto`: the column holds numbers, and 0 is none of them. */
export const AUTO = 0

function parseControlRow(row: RunControlTable): RunControl {
  return {
    isPaused: row.paused === 1,
    ratePerSecond: parseRate(row.rate_per_second),
    concurrency: row.concurrency === AUTO ? 'auto' : row.concurrency,
    askedBy: row.asked_by,
    askedAt: new Date(row.asked_at_ms),
  }
}

function parseRate(text: string | null): RunControl['ratePerSecond'] {
  return text === null || text === 'auto' ? text : Number(text)
}
