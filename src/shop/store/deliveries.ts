import {type Kysely, sql} from 'kysely'
import {runStatement} from '../../storage/engine/statement.js'
import type {ShopTables, WebhookDeliveryContentRow, WebhookDeliveryRow} from './schema/schema.js'

type Db = Kysely<ShopTables>

/** A delivery with its bytes. */
export interface DeliveryRecord {
  readonly id: string
  readonly receivedAt: Date
  /** What the shop answered. */
  readonly status: number
  readonly eventId: string | null
  readonly eventType: string | null
  /** As the body says it. */
  readonly eventCreatedAt: string | null
  readonly transactionId: string | null
  /** Why it was answered so, in words for operators. */
  readonly reason: string
  readonly sizeBytes: number
  /** Who sent it, by the token in its address. */
  readonly sender: 'token' | 'wrong-token' | 'unverified'
  /** SHA-256 of that token, hex. */
  readonly tokenDigest: string | null
  readonly path: string
  /** Without the webhook token. */
  readonly query: string
  /** As they were sent, in their order, credentials left out. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
  readonly answer: {readonly contentType: string | null; readonly body: string}
}

const PAGE = 500

/** Adds a delivery; durable when the write that this is part of is. */
export async function addDelivery(
  db: Db,
  row: WebhookDeliveryRow,
  content: Omit<WebhookDeliveryContentRow, 'id'>,
): Promise<void> {
  await runStatement(db, insertDelivery, row)
  await runStatement(db, insertContent, {id: row.id, ...content})
}

const insertDelivery = (db: Db, row: WebhookDeliveryRow) =>
  db
    .insertInto('webhook_delivery')
    .values({
      id: row.id,
      received_at: row.received_at,
      status: row.status,
      event_id: row.event_id,
      event_type: row.event_type,
      event_created_at: row.event_created_at,
      transaction_id: row.transaction_id,
      reason: row.reason,
      size_bytes: row.size_bytes,
      sender: row.sender,
      token_digest: row.token_digest,
    })
    .compile()

const insertContent = (db: Db, row: WebhookDeliveryContentRow) =>
  db
    .insertInto('webhook_delivery_content')
    .values({
      id: row.id,
      path: row.path,
      query: row.query,
      headers: row.headers,
      body: row.body,
      answer_content_type: row.answer_content_type,
      answer_body: row.answer_body,
    })
    .compile()

/**
 * Deliveries with their bytes in the order in which they were written down, so that a reader who comes back misses none:
 * those of one moment are not written in the order of their ids.
 *
 * @param after the id of the last one that was seen; where it is gone, those with later ids are meant
 */
export async function* streamDeliveries(db: Db, after?: string): AsyncGenerator<DeliveryRecord> {
  let last = after === undefined ? 0 : await findPosition(db, after)
  const isGone = last === undefined
  while (true) {
    const rows = await joinContent(db)
      .select(POSITION.as('position'))
      .where(POSITION, '>', last ?? 0)
      .$if(isGone, query => query.where('webhook_delivery.id', '>', after as string))
      .orderBy(POSITION)
      .limit(PAGE)
      .execute()
    yield* rows.map(buildDelivery)
    if (rows.length < PAGE) return
    last = rows.at(-1)?.position
  }
}

/** Grows with each delivery. */
const POSITION = sql<number>`webhook_delivery.rowid`

/** Whether there is a delivery with that id. */
export async function hasDelivery(db: Db, id: string): Promise<boolean> {
  return (await findPosition(db, id)) !== undefined
}

/** @returns `undefined` for one that is gone */
async function findPosition(db: Db, id: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('webhook_delivery')
    .select(POSITION.as('position'))
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.position
}

function joinContent(db: Db) {
  return db
    .selectFrom('webhook_delivery')
    .innerJoin('webhook_delivery_content', 'webhook_delivery_content.id', 'webhook_delivery.id')
    .selectAll('webhook_delivery')
    .select(['path', 'query', 'headers', 'body', 'answer_content_type', 'answer_body'])
}

function buildDelivery(row: WebhookDeliveryRow & Omit<WebhookDeliveryContentRow, 'id'>): DeliveryRecord {
  const {id, status, reason, path, query, body} = row
  return {
    ...{id, receivedAt: new Date(row.received_at), status},
    ...{eventId: row.event_id, eventType: row.event_type, eventCreatedAt: row.event_created_at},
    ...{transactionId: row.transaction_id, reason, sizeBytes: row.size_bytes},
    ...{sender: row.sender as DeliveryRecord['sender'], tokenDigest: row.token_digest},
    ...{path, query, headers: JSON.parse(row.headers), body},
    answer: {contentType: row.answer_content_type, body: row.answer_body},
  }
}
