import {sql} from 'kysely'
import {runStatement} from '../../storage/engine/statement.js'
import type {ShopConnection, WebhookDeliveryContentRow, WebhookDeliveryRow} from './schema/schema.js'
import {prepareRowInsert} from './schema/sql.js'

/** A delivery with its bytes. */
export interface DeliveryRecord {
  readonly id: string
  readonly receivedAt: Date
  /** HTTP status of the shop's response. */
  readonly status: number
  readonly eventId: string | null
  readonly eventType: string | null
  /** Time in the body. */
  readonly eventCreatedAt: string | null
  readonly transactionId: string | null
  /** Reason for the response, for operators. */
  readonly reason: string
  readonly sizeBytes: number
  /** Its sender, by the token in its URL. */
  readonly sender: 'token' | 'wrong-token' | 'unverified'
  /** SHA-256 of that token, hex. */
  readonly tokenDigest: string | null
  readonly path: string
  /** Without the webhook token. */
  readonly query: string
  /** As sent, in order, without credentials. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
  readonly answer: {readonly contentType: string | null; readonly body: string}
}

const PAGE = 500

/** Adds a delivery, as part of a write. */
export async function addDelivery(
  db: ShopConnection,
  row: WebhookDeliveryRow,
  content: Omit<WebhookDeliveryContentRow, 'id'>,
): Promise<void> {
  await runStatement(db, insertDelivery, row)
  await runStatement(db, insertContent, {id: row.id, ...content})
}

const insertDelivery = prepareRowInsert('webhook_delivery', [
  ...([
    'id',
    'received_at',
    'status',
    'event_id',
    'event_type',
    'event_created_at',
    'transaction_id',
  ] as const),
  ...(['reason', 'size_bytes', 'sender', 'token_digest'] as const),
])

const insertContent = prepareRowInsert('webhook_delivery_content', [
  ...(['id', 'path', 'query', 'headers', 'body', 'answer_content_type', 'answer_body'] as const),
])

/**
 * Deliveries with their bytes in the order in which they were stored, so that a reader that continues later misses
 * none: concurrent ones are not stored in the order of their ids.
 *
 * @param after the id of the last one that was read; if it was deleted, reading continues with later ids
 */
export async function* streamDeliveries(db: ShopConnection, after?: string): AsyncGenerator<DeliveryRecord> {
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
export async function hasDelivery(db: ShopConnection, id: string): Promise<boolean> {
  return (await findPosition(db, id)) !== undefined
}

/** @returns `undefined` for a deleted one */
async function findPosition(db: ShopConnection, id: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('webhook_delivery')
    .select(POSITION.as('position'))
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.position
}

function joinContent(db: ShopConnection) {
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
