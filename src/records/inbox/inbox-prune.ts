import {type Kysely, type RawBuilder, sql} from 'kysely'
import type {Database} from '../../storage/engine/database.js'
import {chooseRecordsDialect} from '../../store/records/choose-dialect.js'
import type {Outdated, OutdatedCounts} from '../../webhook/inbox/inbox.js'
import type {RecordsTables} from '../schema/schema.js'

type Db = Kysely<RecordsTables>
type Ways = Pick<Database<RecordsTables>, 'engine' | 'locks' | 'nowMs'>

/** Events of one commit: others write in between. */
const AT_ONCE = 500

/** A run that makes its plan and gave a sign of life since may want any event. */
const PLANNING_MS = 30_000

export async function outdated(
  {reads, nowMs}: Pick<Database<RecordsTables>, 'reads' | 'nowMs'>,
  target: string,
  what: Outdated,
): Promise<OutdatedCounts> {
  const {rows} = await sql<{status: string; used: number; count: number; bytes: number}>`
    select status, ${inUse(target, nowMs())} as used, count(*) as count, sum(size_bytes) as bytes
    from webhook_event where ${old(target, what)}
    group by 1, 2`.execute(reads)
  const free = rows.filter(row => row.used === 0)
  return {
    statuses: Object.fromEntries(free.map(({status, count}) => [status, count])),
    bodyBytes: free.reduce((sum, {bytes}) => sum + bytes, 0),
    inUse: rows.filter(row => row.used === 1).reduce((sum, {count}) => sum + count, 0),
  }
}

/**
 * Deletes some of them, and has their places overwritten where the engine can. No replay must begin meanwhile; an event
 * that a capture takes up meanwhile stays.
 *
 * @returns how many
 */
export async function prune(db: Db, target: string, what: Outdated, ways: Ways): Promise<number> {
  const {locks, nowMs} = ways
  await chooseRecordsDialect(ways).overwriteDeleted(db)
  const {rows} = await sql<{id: string}>`
    select id from webhook_event where ${old(target, what)} and not ${inUse(target, nowMs())}
    limit ${AT_ONCE} ${locks.forUpdate}`.execute(db)
  const ids = rows.map(({id}) => id)
  if (ids.length === 0) return 0
  for (const table of ['webhook_body', 'webhook_attempt', 'webhook_resolution', 'webhook_event'] as const) {
    await db.deleteFrom(table).where('target', '=', target).where('id', 'in', ids).execute()
  }
  return ids.length
}

function old(
  target: string,
  {before, keepFailed}: Pick<Outdated, 'before' | 'keepFailed'>,
): RawBuilder<boolean> {
  const done = keepFailed ? sql`and status in ('delivered', 'resolved')` : sql``
  return sql<boolean>`target = ${target} and created_at_ms < ${before.getTime()} ${done}`
}

/** Needed by a replay that has not ended, or on its way to the shop. */
function inUse(target: string, now: RawBuilder<number>): RawBuilder<boolean> {
  const replay = sql`run.kind = 'replay' and run.target = ${target} and run.state = 'running'`
  return sql<boolean>`(
    coalesce(busy_until_ms > ${now}, false)
    or id in (select item from run_plan join run on run.id = run_plan.run_id where ${replay})
    or exists (select 1 from run where ${replay} and total is null and heartbeat_at_ms > ${now} - ${sql.lit(PLANNING_MS)}))`
}
