import {type Kysely, type RawBuilder, sql} from 'kysely'
import type {Database} from '../../storage/engine/database.js'
import type {Inbox, Outdated, OutdatedCounts} from '../../webhook/inbox/inbox.js'
import {leaseName} from '../runs/leases.js'
import {chooseRecordsDialect} from '../schema/choose-dialect.js'
import type {RecordsTables} from '../schema/schema.js'
import {attempts, changes, groups, list, place} from './inbox-list.js'
import {busy, contents, deliveredUpTo, find, position} from './inbox-reads.js'
import {add, adopt, forget, forgetBetween, inserts, noteSeen, sight} from './inbox-writes.js'
import {reopen, resolutionsOf, resolve} from './resolutions.js'

/** What arrived for each shop. */
export function inboxOf(database: Database<RecordsTables>): Inbox {
  const {reads, writes} = database
  const insert = inserts()
  return {
    add: (target, events) => writes.run(db => add(db, target, events, insert)),
    see: (target, source, seen, from, to) =>
      writes.run(
        async db => {
          if ((await position(db, target, source)) !== from) return false
          await add(
            db,
            target,
            seen.map(each => each.event),
            insert,
          )
          for (const each of seen) await noteSeen(db, target, each)
          await db
            .insertInto('webhook_source')
            .values({target, source, position: to})
            .onConflict(conflict => conflict.columns(['target', 'source']).doUpdateSet({position: to}))
            .execute()
          return true
        },
        {exclusive: `source ${source} ${target}`},
      ),
    sight: (target, sightings) => writes.run(db => sight(db, target, sightings)),
    position: (target, source) => position(reads, target, source),
    list: (target, query) => list(database, target, query),
    groups: (target, query, by) => groups(database, target, query, by),
    place: () => place(database),
    changes: (target, query, after, size) => changes(database, target, query, after, size),
    attempts: (target, id) => attempts(reads, target, id),
    find: (target, ids) => find(database, target, ids),
    contents: (target, ids) => contents(reads, target, ids),
    deliveredUpTo: (target, transactions, sinceMs) => deliveredUpTo(reads, target, transactions, sinceMs),
    resolve: (target, ids, note) => writes.run(db => resolve(db, target, ids, note, database)),
    reopen: (target, ids, note) => writes.run(db => reopen(db, target, ids, note, database)),
    resolutions: (target, id) => resolutionsOf(reads, target, id),
    outdated: (target, what) => outdated(database, target, what),
    prune: (target, what) =>
      writes.run(db => prune(db, target, what, database), {exclusive: leaseName({kind: 'replay', target})}),
    busy: target => busy(database, target),
    adopt: (from, target) => writes.run(db => adopt(db, from, target)),
    forget: target => writes.run(db => forget(db, target)),
    forgetBetween: async (first, end) => {
      const there = await reads
        .selectFrom('webhook_event')
        .select('id')
        .where('target', '>=', first)
        .where('target', '<', end)
        .limit(1)
        .execute()
      if (there.length > 0) await writes.run(db => forgetBetween(db, first, end))
    },
  }
}

type Db = Kysely<RecordsTables>
type Ways = Pick<Database<RecordsTables>, 'engine' | 'rowLocks' | 'nowMs'>

/** Events of one commit: others write in between. */
const AT_ONCE = 500

/** A run that makes its plan and gave a sign of life since may want any event. */
const PLANNING_MS = 30_000

async function outdated(
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
async function prune(db: Db, target: string, what: Outdated, ways: Ways): Promise<number> {
  const {rowLocks, nowMs} = ways
  await chooseRecordsDialect(ways).overwriteDeleted(db)
  const {rows} = await sql<{id: string}>`
    select id from webhook_event where ${old(target, what)} and not ${inUse(target, nowMs())}
    limit ${AT_ONCE} ${rowLocks.forUpdate}`.execute(db)
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
