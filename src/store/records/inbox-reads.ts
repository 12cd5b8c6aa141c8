import type {Kysely} from 'kysely'
import {WEBHOOK_HANDLERS} from '../../shop-model/webhook-handlers.js'
import type {EventContent, InboxEvent} from '../../webhook/event.js'
import {chunks} from './chunks.js'
import {filtered} from './inbox-list.js'
import type {RecordsTables} from './tables.js'
import {contentOf, eventOf} from './webhook-rows.js'

type Db = Kysely<RecordsTables>

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
