import {type Kysely, sql} from 'kysely'
import {WEBHOOK_HANDLERS} from '../../shop-model/webhook-handlers.js'
import type {EventContent, InboxEvent, WebhookEvent} from '../../webhook/event.js'
import type {Added, Inbox, InboxQuery, Seen} from '../../webhook/inbox.js'
import type {Database} from '../database.js'
import {bulk} from './bulk.js'
import {keyset} from './keyset.js'
import type {RecordsTables, WebhookEventTable} from './tables.js'
import {bodyRow, contentOf, eventOf, eventRow} from './webhook-rows.js'

type Db = Kysely<RecordsTables>

/** Keys of one query. */
const IDS_AT_ONCE = 500

/** What arrived for each shop, in `records.db`. */
export function inboxOf({reads, writes}: Database<RecordsTables>): Inbox {
  const insert = inserts()
  return {
    add: (target, events) => writes.run(db => add(db, target, events, insert)),
    see: (target, source, seen, from, to) =>
      writes.run(async db => {
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
      }),
    position: (target, source) => position(reads, target, source),
    list: (target, query) => list(reads, target, query),
    find: (target, ids) => find(reads, target, ids),
    contents: (target, ids) => contents(reads, target, ids),
    deliveredUpTo: (target, transactions) => deliveredUpTo(reads, target, transactions),
    adopt: (from, target) => writes.run(db => adopt(db, from, target)),
    forget: target => writes.run(db => forgetBetween(db, target, `${target}\0`)),
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

async function position(db: Db, target: string, source: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('webhook_source')
    .select('position')
    .where('target', '=', target)
    .where('source', '=', source)
    .executeTakeFirst()
  return row?.position
}

type Inserts = ReturnType<typeof inserts>

function inserts() {
  const columns = Object.keys({
    ...{target: 0, id: 0, sha256: 0, size_bytes: 0, type: 0, created_at_ms: 0, received_at_ms: 0},
    ...{resource_type: 0, resource_version: 0, transaction_key: 0, lane_keys: 0, traits: 0, source: 0},
    ...{status: 0, answer: 0, cause: 0, attempts: 0, changed_at_ms: 0, conflict: 0},
  } satisfies Record<keyof WebhookEventTable, 0>) as (keyof WebhookEventTable)[]
  return {
    events: bulk<RecordsTables, WebhookEventTable>(columns, (db, rows) =>
      db.insertInto('webhook_event').values(rows).compile(),
    ),
    bodies: bulk<RecordsTables, RecordsTables['webhook_body']>(
      ['target', 'id', 'headers', 'body'],
      (db, rows) => db.insertInto('webhook_body').values(rows).compile(),
    ),
  }
}

async function add(db: Db, target: string, events: readonly WebhookEvent[], insert: Inserts): Promise<Added> {
  const there = await hashes(db, target, [...new Set(events.map(event => event.id))])
  const fresh: WebhookEvent[] = []
  const conflicts = new Set<string>()
  for (const event of events) {
    const known = there.get(event.id)
    if (known === undefined) fresh.push(event)
    else if (known !== event.sha256) conflicts.add(event.id)
    if (known === undefined) there.set(event.id, event.sha256)
  }
  await insert.events(
    db,
    fresh.map(event => eventRow(target, event)),
  )
  await insert.bodies(
    db,
    fresh.map(event => bodyRow(target, event)),
  )
  await markConflicts(db, target, [...conflicts])
  const conflicting = events.filter(event => there.get(event.id) !== event.sha256).length
  return {added: fresh.length, known: events.length - fresh.length - conflicting, conflicts: [...conflicts]}
}

async function hashes(db: Db, target: string, ids: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const some of chunks(ids)) {
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
  for (const some of chunks(ids)) {
    await db
      .updateTable('webhook_event')
      .set({conflict: 1})
      .where('target', '=', target)
      .where('id', 'in', some)
      .execute()
  }
}

/** A sighting is older news than what our own run has written since. */
async function noteSeen(db: Db, target: string, {event, answer, cause, at}: Seen): Promise<void> {
  await db
    .updateTable('webhook_event')
    .set(({eb}) => ({
      status: answer >= 200 && answer < 300 ? 'delivered' : 'failed',
      answer,
      cause,
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

function list(db: Db, target: string, query: InboxQuery): AsyncIterable<InboxEvent> {
  const order = query.oldestFirst ? 'asc' : 'desc'
  return keyset(query.limit, async (after: InboxEvent | undefined, size) => {
    let rows = filtered(db, target, query)
    if (after) {
      rows = rows.where(({eb, refTuple, tuple}) =>
        eb(
          refTuple('created_at_ms', 'id'),
          order === 'asc' ? '>' : '<',
          tuple(after.createdAt.getTime(), after.id),
        ),
      )
    }
    const found = await rows.orderBy('created_at_ms', order).orderBy('id', order).limit(size).execute()
    return found.map(eventOf)
  })
}

function filtered(db: Db, target: string, {ids, statuses, types, since, until}: InboxQuery) {
  let query = db.selectFrom('webhook_event').selectAll().where('target', '=', target)
  if (ids) query = query.where('id', 'in', [...ids])
  if (statuses) query = query.where('status', 'in', [...statuses])
  if (types) query = query.where(({or}) => or(types.map(matches)))
  if (since) query = query.where('created_at_ms', '>=', since.getTime())
  if (until) query = query.where('created_at_ms', '<', until.getTime())
  return query
}

function matches(pattern: string) {
  const like = pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%')
  return pattern.includes('*') ? sql<boolean>`type like ${like} escape '\\'` : sql<boolean>`type = ${pattern}`
}

async function find(db: Db, target: string, ids: readonly string[]): Promise<Map<string, InboxEvent>> {
  const found = new Map<string, InboxEvent>()
  for (const some of chunks(ids)) {
    const rows = await filtered(db, target, {ids: some}).execute()
    for (const row of rows) found.set(row.id, eventOf(row))
  }
  return found
}

async function contents(db: Db, target: string, ids: readonly string[]): Promise<Map<string, EventContent>> {
  const found = new Map<string, EventContent>()
  for (const some of chunks(ids)) {
    const rows = await db
      .selectFrom('webhook_body')
      .select(['id', 'headers', 'body'])
      .where('target', '=', target)
      .where('id', 'in', some)
      .execute()
    for (const row of rows) found.set(row.id, contentOf(row))
  }
  return found
}

const HANDLED = WEBHOOK_HANDLERS.map(handler => handler.eventType)

async function deliveredUpTo(
  db: Db,
  target: string,
  transactions: readonly string[],
): Promise<Map<string, {id: string; createdAt: Date}>> {
  const found = new Map<string, {id: string; createdAt: Date}>()
  for (const some of chunks(transactions)) {
    const rows = await db
      .selectFrom('webhook_event')
      .select(['transaction_key', 'id', 'created_at_ms'])
      .where('target', '=', target)
      .where('transaction_key', 'in', some)
      .where('status', '=', 'delivered')
      .where('type', 'in', HANDLED)
      .orderBy('created_at_ms')
      .execute()
    for (const row of rows) {
      found.set(row.transaction_key as string, {id: row.id, createdAt: new Date(row.created_at_ms)})
    }
  }
  return found
}

async function forgetBetween(db: Db, first: string, end: string): Promise<void> {
  for (const table of ['webhook_event', 'webhook_body'] as const) {
    await db.deleteFrom(table).where('target', '>=', first).where('target', '<', end).execute()
  }
}

/** What is there already keeps its status; another body under its id marks it. */
async function adopt(db: Db, from: string, target: string): Promise<void> {
  await sql`
    update webhook_event set conflict = 1 where target = ${target} and exists (
      select 1 from webhook_event as aside
      where aside.target = ${from} and aside.id = webhook_event.id
        and (aside.sha256 <> webhook_event.sha256 or aside.conflict = 1))`.execute(db)
  for (const table of ['webhook_body', 'webhook_event'] as const) {
    await sql`
      update ${sql.table(table)} set target = ${target} where target = ${from} and not exists (
        select 1 from webhook_event as there where there.target = ${target} and there.id = ${sql.ref(`${table}.id`)})`.execute(
      db,
    )
    if (table === 'webhook_event') {
      await db.deleteFrom('webhook_body').where('target', '=', from).execute()
      await db.deleteFrom('webhook_event').where('target', '=', from).execute()
    }
  }
}

function* chunks<V>(values: readonly V[]): Generator<V[]> {
  for (let from = 0; from < values.length; from += IDS_AT_ONCE) yield values.slice(from, from + IDS_AT_ONCE)
}
