import {type Kysely, sql} from 'kysely'
import {haveSameContent} from '../../providers/same-content.js'
import type {JournalEntry} from '../../runs/journal/journal-entry.js'
import {
  createBatchStatement,
  keepByEngine,
  type ParameterType,
  runBatch,
} from '../../storage/engine/statement.js'
import type {WebhookEvent} from '../../webhook/event/event.js'
import type {Added, ObservedEvent, Seen} from '../../webhook/inbox/inbox.js'
import type {RecordListener} from '../runs/runs.js'
import type {RecordsTables, WebhookEventTable} from '../schema/schema.js'
import {prepareBulkWrite, splitKeys} from '../schema/sql.js'
import {buildBodyRow, buildEventRow} from './event-rows.js'
import {type LeaseClock, preparePaymentHolds} from './payment-holds.js'
import {findContradicting, readStoredBodies} from './same-bodies.js'
import {moveTransmissions} from './signatures.js'

type Db = Kysely<RecordsTables>

const EVENT_COLUMNS = {
  ...{target: 'text', id: 'text', sha256: 'text', size_bytes: 'integer', type: 'text'},
  ...{created_at_ms: 'integer', received_at_ms: 'integer', resource_type: 'text', resource_version: 'text'},
  ...{transaction_key: 'text', ordering_keys: 'text', traits: 'text', source: 'text', status: 'text'},
  ...{answer: 'integer', message: 'text', attempts: 'integer', changed_at_ms: 'integer', conflict: 'integer'},
  ...{
    in_flight_until_ms: 'integer',
    in_flight_by: 'text',
    unverified: 'integer',
    verification: 'text',
    verification_reason: 'text',
  },
} as const satisfies Record<keyof WebhookEventTable, ParameterType>

/** Puts rows of events in. */
export const insertEventRows = prepareBulkWrite<RecordsTables, WebhookEventTable>(EVENT_COLUMNS, (db, rows) =>
  db.insertInto('webhook_event').values(rows).compile(),
)

/** Puts their bodies in. */
export const insertBodyRows = prepareBulkWrite<RecordsTables, RecordsTables['webhook_body']>(
  {target: 'text', id: 'text', headers: 'text', body: 'blob'},
  (db, rows) => db.insertInto('webhook_body').values(rows).compile(),
)

const TARGETED = [
  ...(['webhook_event', 'webhook_body', 'webhook_attempt'] as const),
  ...(['webhook_resolution', 'webhook_transmission'] as const),
] as const

/** Puts events in, each once; a body under a known id that says something else marks it. */
export async function addEvents(db: Db, target: string, events: readonly WebhookEvent[]): Promise<Added> {
  const there = await readHashes(db, target, [...new Set(events.map(event => event.id))])
  const fresh: WebhookEvent[] = []
  const respelled: WebhookEvent[] = []
  for (const event of events) {
    const known = there.get(event.id)
    if (known === undefined) fresh.push(event)
    else if (known !== event.sha256) respelled.push(event)
    if (known === undefined) there.set(event.id, event.sha256)
  }
  const others = await findContradicting(db, target, respelled, fresh)
  const conflicts = new Set(others.map(({id}) => id))
  await insertEventRows(
    db,
    fresh.map(event => buildEventRow(target, event)),
  )
  await insertBodyRows(
    db,
    fresh.map(event => buildBodyRow(target, event)),
  )
  await markConflicts(db, target, [...conflicts])
  const known = events.length - fresh.length - others.length
  return {added: fresh.length, known, conflicts: [...conflicts]}
}

async function readHashes(db: Db, target: string, ids: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const some of splitKeys(ids)) {
    const rows = await db
      .selectFrom('webhook_event')
      .select(['id', 'sha256'])
      .where('target', '=', target)
      .where('id', 'in', some)
      .execute()
    for (const row of rows) found.set(row.id, row.sha256)
  }
  return found
}

async function markConflicts(db: Db, target: string, ids: readonly string[]): Promise<void> {
  for (const some of splitKeys(ids)) {
    await db
      .updateTable('webhook_event')
      .set({conflict: 1})
      .where('target', '=', target)
      .where('id', 'in', some)
      .execute()
  }
}

/** A sighting is older news than what our own run has written since. */
export async function storeSighting(
  db: Db,
  target: string,
  {event, answer, message, at}: Seen,
): Promise<void> {
  await db
    .updateTable('webhook_event')
    .set(({eb}) => ({
      status: computeSeenStatus(answer),
      answer,
      message,
      attempts: eb('attempts', '+', 1),
      changed_at_ms: at.getTime(),
    }))
    .where('target', '=', target)
    .where('id', '=', event.id)
    .where('sha256', '=', event.sha256)
    .where('changed_at_ms', '<=', at.getTime())
    .where('status', '<>', 'delivered')
    .execute()
}

/** What was dealt with by hand does not fail again. */
function computeSeenStatus(answer: number) {
  return answer >= 200 && answer < 300
    ? sql<string>`'delivered'`
    : sql<string>`case when status = 'resolved' then status else 'failed' end`
}

/** Forgets everything of one target. */
export async function deleteTarget(db: Db, target: string): Promise<void> {
  for (const table of TARGETED) await db.deleteFrom(table).where('target', '=', target).execute()
}

/** Forgets everything of targets whose names sort from `first` up to, but without, `end`. */
export async function deleteTargetRange(db: Db, first: string, end: string): Promise<void> {
  for (const table of TARGETED) {
    await db.deleteFrom(table).where('target', '>=', first).where('target', '<', end).execute()
  }
}

/** Ids of events that are in doubt where they were put aside, or say something else there. */
async function listContradicted(db: Db, from: string, target: string): Promise<string[]> {
  const {rows} = await sql<{id: string; conflict: number}>`
    select aside.id, aside.conflict from webhook_event as aside
    join webhook_event as there on there.target = ${target} and there.id = aside.id
    where aside.target = ${from} and (aside.sha256 <> there.sha256 or aside.conflict = 1)`.execute(db)
  const found = rows.filter(({conflict}) => conflict === 1).map(({id}) => id)
  const respelled = rows.filter(({conflict}) => conflict === 0).map(({id}) => id)
  for (const some of splitKeys(respelled)) {
    const [aside, there] = [await readStoredBodies(db, from, some), await readStoredBodies(db, target, some)]
    const hasSameContent = (id: string) =>
      haveSameContent(aside.get(id) as Uint8Array, there.get(id) as Uint8Array)
    found.push(...some.filter(id => !hasSameContent(id)))
  }
  return found
}

/** What is there already keeps its status; another body under its id marks it. */
export async function moveEvents(db: Db, from: string, target: string): Promise<void> {
  await markConflicts(db, target, await listContradicted(db, from, target))
  for (const table of ['webhook_body', 'webhook_event'] as const) {
    await sql`
      update ${sql.table(table)} set target = ${target} where target = ${from} and not exists (
        select 1 from webhook_event as there where there.target = ${target} and there.id = ${sql.ref(`${table}.id`)})`.execute(
      db,
    )
    if (table === 'webhook_event') {
      await moveTransmissions(db, from, target)
      await db.deleteFrom('webhook_body').where('target', '=', from).execute()
      await db.deleteFrom('webhook_event').where('target', '=', from).execute()
    }
  }
}

const STATUS = {done: 'delivered', failed: 'failed', unknown: 'unknown'} as const

/**
 * Brings the inbox up to date with what a replay wrote down, in the commit that keeps it. What was once delivered
 * stays delivered, unless it was sent again and nobody knows what came of that; what was dealt with by hand does not fail
 * again either. A payment is the replay's from each intent to its answer.
 */
export function prepareReplayUpdate(database: LeaseClock): RecordListener {
  const text = compileUpdate(database)
  const holdPayments = preparePaymentHolds(database)
  return {
    onRecords: async (db, {kind, target}, records) => {
      if (kind === 'replay') await holdPayments(db, target, records)
    },
    onResults: async (db, {kind, target}, results) => {
      if (kind !== 'replay') return
      await runBatch(
        db,
        createBatchStatement(
          text,
          results.map(record => buildParameters(target, record)),
        ),
      )
    },
  }
}

/** Its parameters are those of `buildParameters`, in that order. */
const compileUpdate = keepByEngine(
  ({reads}: LeaseClock) =>
    sql`
    update webhook_event
    set status = case when status in ('delivered', 'resolved') and ${''} = 'failed' then status else ${''} end, answer = ${null},
      message = ${null}, attempts = attempts + ${0}, changed_at_ms = ${0}
    where target = ${''} and id = ${''}`.compile(reads).sql,
)

function buildParameters(
  target: string,
  {item, resultClass, status, detail, attempt, at}: JournalEntry,
): unknown[] {
  const now = STATUS[resultClass as keyof typeof STATUS]
  return [now, now, status ?? null, detail ?? null, attempt, at.getTime(), target, item]
}

/**
 * Notes what others saw of deliveries: of events that nothing is known of yet, or that is newer than what is. The same
 * sighting again changes nothing, and an attempt that failed does not tell what came of an earlier one in doubt.
 */
export async function updateSighted(
  db: Kysely<RecordsTables>,
  target: string,
  sightings: readonly ObservedEvent[],
): Promise<void> {
  for (const {id, sha256, status, answer, message, at} of sightings) {
    const atMs = at.getTime()
    await sql`
      update webhook_event
      set status = case when status = 'unknown' and ${status} = 'failed' then status else ${status} end, answer = ${answer}, message = ${message}, attempts = attempts + 1,
        changed_at_ms = case when changed_at_ms < ${atMs} then ${atMs} else changed_at_ms end
      where target = ${target} and id = ${id} and (sha256 = ${sha256} or conflict = 0)
        and status not in ('delivered', 'resolved')
        and ((status = 'pending' and attempts = 0 and answer is null) or changed_at_ms < ${atMs})`.execute(db)
  }
}
