import {type Kysely, sql} from 'kysely'
import {WEBHOOK_HANDLERS} from '../../shop-model/webhook-handlers.js'
import type {EventContent, InboxEvent} from '../../webhook/event.js'
import type {InboxQuery} from '../../webhook/inbox.js'
import {chunks} from './chunks.js'
import {keyset} from './keyset.js'
import type {RecordsTables} from './tables.js'
import {contentOf, eventOf} from './webhook-rows.js'

type Db = Kysely<RecordsTables>

export function list(db: Db, target: string, query: InboxQuery): AsyncIterable<InboxEvent> {
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

export async function find(db: Db, target: string, ids: readonly string[]): Promise<Map<string, InboxEvent>> {
  const found = new Map<string, InboxEvent>()
  for (const some of chunks(ids)) {
    const rows = await filtered(db, target, {ids: some}).execute()
    for (const row of rows) found.set(row.id, eventOf(row))
  }
  return found
}

export async function contents(
  db: Db,
  target: string,
  ids: readonly string[],
): Promise<Map<string, EventContent>> {
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

export async function deliveredUpTo(
  db: Db,
  target: string,
  transactions: readonly string[],
  sinceMs = Number.NEGATIVE_INFINITY,
): Promise<Map<string, {id: string; createdAt: Date}>> {
  const found = new Map<string, {id: string; createdAt: Date}>()
  if (sinceMs === Number.POSITIVE_INFINITY) return found
  for (const some of chunks(transactions)) {
    const rows = await db
      .selectFrom('webhook_event')
      .select(['transaction_key', 'id', 'created_at_ms'])
      .where('target', '=', target)
      .where('transaction_key', 'in', some)
      .where('status', '=', 'delivered')
      .where('type', 'in', HANDLED)
      .$if(Number.isFinite(sinceMs), query => query.where('changed_at_ms', '>=', sinceMs))
      .orderBy('created_at_ms')
      .execute()
    for (const row of rows) {
      found.set(row.transaction_key as string, {id: row.id, createdAt: new Date(row.created_at_ms)})
    }
  }
  return found
}

export async function position(db: Db, target: string, source: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('webhook_source')
    .select('position')
    .where('target', '=', target)
    .where('source', '=', source)
    .executeTakeFirst()
  return row?.position
}
