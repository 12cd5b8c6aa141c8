import {type ExpressionBuilder, type Kysely, type RawBuilder, type SelectQueryBuilder, sql} from 'kysely'
import {runStatement} from '../../storage/engine/statement.js'
import {chooseShopDialect} from './schema/choose-dialect.js'
import type {ShopTables, WebhookDeliveryContentRow, WebhookDeliveryRow} from './schema/schema.js'
import {escapeLike} from './schema/sql.js'
import {isAboutOrder} from './state-changes.js'

type Db = Kysely<ShopTables>

/** A delivery as lists show it. */
export interface DeliverySummary {
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
}

/** A delivery with its bytes. */
export interface DeliveryRecord extends DeliverySummary {
  readonly path: string
  /** Without the webhook token. */
  readonly query: string
  /** As they were sent, in their order, credentials left out. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
  readonly answer: {readonly contentType: string | null; readonly body: string}
}

export interface DeliveryFilter {
  /** One status, or all of 200 to 299 (`accepted`), or all others (`refused`). */
  readonly status?: number | 'accepted' | 'refused'
  /** An event type; `*` stands for anything: `PAYMENT.CAPTURE.*`. */
  readonly type?: string
  /** The provider's event id. */
  readonly eventId?: string
  /** Received at or after. */
  readonly since?: Date
  /** Received before. */
  readonly until?: Date
  /** An order's number or id, or an order transaction's id. */
  readonly order?: string
  /** How many at most. Default: all. */
  readonly limit?: number
  /** The id of the last delivery that was seen; the list goes on behind it. */
  readonly after?: string
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
 * Deliveries one after the other, the newest first, read in pages by keyset: any number of
 * them costs the memory of one page, and what arrives meanwhile disturbs nothing.
 */
export async function* listDeliveries(db: Db, filter: DeliveryFilter = {}): AsyncGenerator<DeliverySummary> {
  let {after} = filter
  let left = filter.limit ?? Infinity
  while (left > 0) {
    const rows = await readDeliveryPage(
      db,
      {...filter, ...(after === undefined ? {} : {after})},
      Math.min(PAGE, left),
    )
    yield* rows.map(buildSummary)
    if (rows.length < PAGE) return
    left -= rows.length
    after = rows.at(-1)?.id
  }
}

/**
 * Deliveries with their bytes in the order of the commits that wrote them down, so that a reader who comes back misses
 * none: those of one moment, or of two servers, are not written in the order of their ids. What a commit still under way
 * may come before is left for the next time.
 *
 * @param after the id of the last one that was seen; where it is gone, those with later ids are meant
 */
export async function* streamDeliveries(db: Db, after?: string): AsyncGenerator<DeliveryRecord> {
  const {position, isPositionFinal} = chooseShopDialect(db).deliveryOrder
  let last = after === undefined ? undefined : await findPosition(db, after)
  const isGone = after !== undefined && !last
  while (true) {
    const rows = await joinContent(db)
      .select(position.as('position'))
      .where(isPositionFinal)
      .$if(last !== undefined, query => query.where(isBehind(position, last as DeliveryPosition)))
      .$if(isGone, query => query.where('webhook_delivery.id', '>', after as string))
      .orderBy(position)
      .orderBy('webhook_delivery.id')
      .limit(PAGE)
      .execute()
    yield* rows.map(buildDelivery)
    if (rows.length < PAGE) return
    last = rows.at(-1) as DeliveryPosition
  }
}

/** Where a delivery is in the order of commits; those of one commit may share a position. */
interface DeliveryPosition {
  readonly position: number
  readonly id: string
}

function isBehind(position: RawBuilder<number>, last: DeliveryPosition): RawBuilder<boolean> {
  return sql<boolean>`${position} >= ${last.position}
    and (${position} > ${last.position} or webhook_delivery.id > ${last.id})`
}

/** @returns `undefined` for one that is gone */
async function findPosition(db: Db, id: string): Promise<DeliveryPosition | undefined> {
  const {position} = chooseShopDialect(db).deliveryOrder
  const {rows} =
    await sql<DeliveryPosition>`select ${position} as position, id from webhook_delivery where id = ${id}`.execute(
      db,
    )
  return rows[0]
}

/** How many deliveries a filter finds; `limit` and `after` do not count. */
export async function countDeliveries(db: Db, filter: DeliveryFilter = {}): Promise<number> {
  const {after: _after, ...rest} = filter
  const {count} = await filterDeliveries(db, rest)
    .select(({fn}) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** One delivery with everything that was kept of it. @param id its own id, not the event's */
export async function getDelivery(db: Db, id: string): Promise<DeliveryRecord | undefined> {
  const row = await joinContent(db).where('webhook_delivery.id', '=', id).executeTakeFirst()
  return row && buildDelivery(row)
}

function joinContent(db: Db) {
  return db
    .selectFrom('webhook_delivery')
    .innerJoin('webhook_delivery_content', 'webhook_delivery_content.id', 'webhook_delivery.id')
    .selectAll('webhook_delivery')
    .select(['path', 'query', 'headers', 'body', 'answer_content_type', 'answer_body'])
}

function buildDelivery(row: WebhookDeliveryRow & Omit<WebhookDeliveryContentRow, 'id'>): DeliveryRecord {
  const answer = {contentType: row.answer_content_type, body: row.answer_body}
  const {path, query, body} = row
  return {...buildSummary(row), path, query, headers: JSON.parse(row.headers), body, answer}
}

type Deliveries = SelectQueryBuilder<ShopTables, 'webhook_delivery', object>

function readDeliveryPage(db: Db, filter: DeliveryFilter, limit: number): Promise<WebhookDeliveryRow[]> {
  return filterDeliveries(db, filter)
    .selectAll('webhook_delivery')
    .orderBy('webhook_delivery.id', 'desc')
    .limit(limit)
    .execute()
}

function filterDeliveries(db: Db, filter: DeliveryFilter): Deliveries {
  const {status, type, eventId, since, until, order, after} = filter
  let query: Deliveries = db.selectFrom('webhook_delivery')
  if (typeof status === 'number') query = query.where('status', '=', status)
  if (status === 'accepted') query = query.where('status', '<', 300)
  if (status === 'refused') query = query.where('status', '>=', 300)
  if (type !== undefined) query = query.where(matches('event_type', type))
  if (eventId !== undefined) query = query.where('event_id', '=', eventId)
  if (since) query = query.where('webhook_delivery.id', '>=', deriveIdAt(since))
  if (until) query = query.where('webhook_delivery.id', '<', deriveIdAt(until))
  if (order !== undefined) query = query.where(eb => isAboutOrder(eb.ref('transaction_id'), order))
  if (after !== undefined) query = query.where('webhook_delivery.id', '<', after)
  return query
}

/** Arrival is in the id itself: its first 12 digits are milliseconds. @see RFC 9562 §5.7 */
function deriveIdAt(moment: Date): string {
  return Math.max(0, moment.getTime()).toString(16).padStart(12, '0')
}

function matches(column: 'event_type', pattern: string) {
  if (!pattern.includes('*')) {
    return (eb: ExpressionBuilder<ShopTables, 'webhook_delivery'>) => eb(column, '=', pattern)
  }
  const like = escapeLike(pattern.toLowerCase()).replaceAll('*', '%')
  return (eb: ExpressionBuilder<ShopTables, 'webhook_delivery'>) =>
    sql<boolean>`lower(${eb.ref(column)}) like ${like} escape '\\'`
}

function buildSummary(row: WebhookDeliveryRow): DeliverySummary {
  return {
    id: row.id,
    receivedAt: new Date(row.received_at),
    status: row.status,
    eventId: row.event_id,
    eventType: row.event_type,
    eventCreatedAt: row.event_created_at,
    transactionId: row.transaction_id,
    reason: row.reason,
    sizeBytes: row.size_bytes,
  }
}
