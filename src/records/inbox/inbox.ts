import {type Kysely, type RawBuilder, sql} from 'kysely'
import type {LocalProcess} from '../../runs/workers/liveness.js'
import type {Database} from '../../storage/engine/database.js'
import type {Inbox, Outdated, OutdatedCounts, PruneNote, Seen, SourcePart} from '../../webhook/inbox/inbox.js'
import {ASIDE} from '../../webhook/inbox/inbox.js'
import {nameLease} from '../runs/leases.js'
import {appendRunLedgerRow} from '../runs/run-ledger.js'
import {chooseRecordsDialect} from '../schema/choose-dialect.js'
import {EVENT_TABLES, type RecordsTables} from '../schema/schema.js'
import {splitKeys} from '../schema/sql.js'
import {buildEventCondition} from './event-condition.js'
import {readContents} from './event-contents.js'
import {countGroups, sumGroups} from './event-groups.js'
import {listAttempts, listChanges, listInboxEvents, readLastRevision} from './inbox-list.js'
import {findEvents, findKnownResults, findPaymentEvents, readSourcePosition} from './inbox-reads.js'
import {
  addEvents,
  deleteTarget,
  deleteTargetRange,
  moveEvents,
  storeSighting,
  updateSighted,
} from './inbox-writes.js'
import {matchInFlight} from './lease-condition.js'
import {storeCauses, storeOrders} from './looked-up.js'
import {listResolutions, markReopened, markResolved} from './resolutions.js'

/** The events that arrived, by shop. */
export function createInbox(database: Database<RecordsTables>, local: LocalProcess): Inbox {
  const {reads, writes} = database
  const events = {...database, local}
  return {
    add: (target, events) => writes.run(db => addEvents(db, target, events)),
    addObserved: (target, part, seen) =>
      writes.run(db => addObserved(db, {target, ...part}, seen), {
        exclusive: `source ${part.source} ${target}`,
      }),
    noteObserved: (target, sightings) => writes.run(db => updateSighted(db, target, sightings)),
    readPosition: (target, source) => readSourcePosition(reads, target, source),
    list: (target, query) => listInboxEvents(events, target, query),
    countGroups: (target, query, by) => countGroups(events, target, query, by),
    sumGroups: (target, query, by) => sumGroups(events, target, query, by),
    readLastPosition: () => readLastRevision(events),
    listChanges: (target, query, page) => listChanges(events, target, query, page),
    listAttempts: (target, id) => listAttempts(reads, target, id),
    find: (target, ids) => findEvents(events, target, ids),
    readContents: (target, ids) => readContents(reads, target, ids),
    findKnownResults: (target, transactions, query) => findKnownResults(events, target, transactions, query),
    resolve: (target, ids, marking) =>
      writes.run(db => markResolved({...database, db}, target, ids, marking)),
    reopen: (target, ids, undoing) => writes.run(db => markReopened({...database, db}, target, ids, undoing)),
    listResolutions: (target, id) => listResolutions(reads, target, id),
    countOutdated: (target, what) => countOutdated(database, target, what),
    prune: (target, what, note) =>
      writes.run(db => pruneOutdated(db, target, {...what, note}, database), {
        exclusive: nameLease({kind: 'replay', target, id: ''}),
      }),
    findPaymentEvents: (target, transactions) => findPaymentEvents(events, target, transactions),
    noteOrders: async (target, orders) => {
      if (orders.size > 0) await writes.run(db => storeOrders(db, database, target, orders))
    },
    noteCauses: async (target, causes) => {
      if (causes.length > 0) await writes.run(db => storeCauses(db, database, target, causes))
    },
    adopt: (from, target) => writes.run(db => moveEvents(db, from, target)),
    forget: target => writes.run(db => deleteTarget(db, target)),
    forgetBetween: async (first, end) => {
      const there = await reads
        .selectFrom('webhook_event')
        .select('id')
        .where('target', '>=', first)
        .where('target', '<', end)
        .limit(1)
        .execute()
      if (there.length > 0) await writes.run(db => deleteTargetRange(db, first, end))
    },
  }
}

async function addObserved(
  db: Db,
  {target, source, from, to}: SourcePart & {readonly target: string},
  seen: readonly Seen[],
): Promise<boolean> {
  if ((await readSourcePosition(db, target, source)) !== from) return false
  await addEvents(
    db,
    target,
    seen.map(each => each.event),
  )
  for (const each of seen) await storeSighting(db, target, each)
  await db
    .insertInto('webhook_source')
    .values({target, source, position: to})
    .onConflict(conflict => conflict.columns(['target', 'source']).doUpdateSet({position: to}))
    .execute()
  return true
}

type Db = Kysely<RecordsTables>
type PruneDatabase = Pick<
  Database<RecordsTables>,
  'engine' | 'rowLocks' | 'selectNowMs' | 'selectLeaseMs' | 'readNowMs'
>

/**
 * Tables whose rows are deleted with an event. Its transmission stays: another body may come with the same headers, and
 * the signature cannot distinguish the two.
 */
const OF_AN_EVENT = EVENT_TABLES.filter(table => table !== 'webhook_transmission')

/** Events in one commit of some 0.2 s: others can write in between, and one write of an index page serves many of them. */
const AT_ONCE = 5000

/** A run that is still planning, with a heartbeat since, may need any event. */
const PLANNING_MS = 30_000

async function countOutdated(
  database: Pick<Database<RecordsTables>, 'engine' | 'reads' | 'selectNowMs' | 'selectLeaseMs'>,
  target: string,
  what: Outdated,
): Promise<OutdatedCounts> {
  const {rows} = await sql<{status: string; used: number; count: number; bytes: number}>`
    select status, ${matchInUse(target, database)} as used, count(*) as count, sum(size_bytes) as bytes
    from webhook_event where ${matchOutdated(target, what, database)}
    group by 1, 2`.execute(database.reads)
  const free = rows.filter(row => row.used === 0)
  return {
    statuses: Object.fromEntries(free.map(({status, count}) => [status, count])),
    bodyBytes: free.reduce((sum, {bytes}) => sum + bytes, 0),
    inUse: rows.filter(row => row.used === 1).reduce((sum, {count}) => sum + count, 0),
    held: what.where ? await countHeld(database, target, what) : null,
  }
}

/** Counts what else contains data of the events: runs that sent or marked them, and backups. */
async function countHeld(
  database: Pick<Database<RecordsTables>, 'engine' | 'reads'>,
  target: string,
  what: Outdated,
): Promise<OutdatedCounts['held']> {
  const matches = matchOutdated(target, what, database)
  const {rows} = await sql<{runs: number; backups: number}>`
    select (
      select count(distinct run_id) from run_record join run on run.id = run_record.run_id
      where run.target = ${target} and run_record.kind <> 'intent'
        and item in (select id from webhook_event where ${matches})
    ) as runs, (
      select count(*) from run_ledger where kind = 'backed-up'
        and at_ms >= (select min(received_at_ms) from webhook_event where ${matches})
    ) as backups`.execute(database.reads)
  return {runs: Number(rows[0]?.runs), backups: Number(rows[0]?.backups)}
}

/** Deletes some of them. @param what `note` is appended to the ledger of runs, if any is deleted @returns how many */
async function pruneOutdated(
  db: Db,
  target: string,
  {note, ...what}: Outdated & {readonly note: PruneNote | undefined},
  ways: PruneDatabase,
): Promise<number> {
  const count = await deleteOutdated(db, target, what, ways)
  // A condition may contain a payer's name.
  const {before, keepFailed, where} = what
  const rule = {before: before?.toISOString() ?? null, keepFailed, ...(where && {hasCondition: true})}
  const content = {target, ...rule, ...note}
  if (note && count > 0) await appendRunLedgerRow(db, {kind: 'pruned', runId: null, content}, ways)
  return count
}

/**
 * Deletes some of them, and overwrites their space where the engine can. No replay may begin meanwhile; an event that a
 * capture starts to deliver meanwhile stays.
 *
 * @returns how many
 */
async function deleteOutdated(db: Db, target: string, what: Outdated, ways: PruneDatabase): Promise<number> {
  const {rowLocks} = ways
  await chooseRecordsDialect(ways).prepareDeletion(db)
  const {rows} = await sql<{target: string; id: string}>`
    select target, id from webhook_event where ${matchOutdated(target, what, ways)} and not ${matchInUse(target, ways)}
    limit ${AT_ONCE} ${rowLocks.forUpdate}`.execute(db)
  for (const owner of new Set(rows.map(row => row.target))) {
    const ids = rows.filter(row => row.target === owner).map(({id}) => id)
    for (const some of splitKeys(ids.sort()))
      for (const table of what.where ? EVENT_TABLES : OF_AN_EVENT)
        await db.deleteFrom(table).where('target', '=', owner).where('id', 'in', some).execute()
  }
  return rows.length
}

function matchOutdated(
  target: string,
  {before, keepFailed, where}: Outdated,
  ways: Pick<PruneDatabase, 'engine'>,
): RawBuilder<boolean> {
  const tests = [
    where
      ? sql`(target = ${target} or substr(target, 1, ${sql.lit(ASIDE.length)}) = ${ASIDE})`
      : sql`target = ${target}`,
    ...(before ? [sql`created_at_ms < ${before.getTime()}`] : []),
    ...(keepFailed ? [sql`status in ('delivered', 'resolved')`] : []),
    ...(where ? [buildEventCondition(where, chooseRecordsDialect(ways))] : []),
  ]
  return sql<boolean>`(${sql.join(tests, sql` and `)})`
}

/** Needed by a replay that has not ended, or in flight. */
function matchInUse(
  target: string,
  {selectNowMs, selectLeaseMs}: Pick<PruneDatabase, 'selectNowMs' | 'selectLeaseMs'>,
): RawBuilder<boolean> {
  const replay = sql`run.kind = 'replay' and run.target = ${target} and run.state = 'running'`
  return sql<boolean>`(
    coalesce(${matchInFlight(selectLeaseMs())}, false)
    or id in (select item from run_plan join run on run.id = run_plan.run_id where ${replay})
    or exists (select 1 from run where ${replay} and total is null and heartbeat_at_ms > ${selectNowMs()} - ${sql.lit(PLANNING_MS)}))`
}
