import type {Kysely} from 'kysely'
import {fulfillmentOrder} from '../../shop-model/entities/fulfillment-order.js'
import {rowOf} from './entities/columns.js'
import type {ShopTables} from './tables.js'

type Db = Kysely<ShopTables>

/** What a reference is remembered by. */
export interface SubmittedOrder {
  readonly id: string
  readonly contentHash: string
  /** Whether it was submitted to be held. */
  readonly hold: boolean
  readonly orderNumber: string | null
  readonly createdAt: Date
  readonly lines: readonly {reference: string; sku: string; quantity: number}[]
}

/** @param reference letter by letter */
export async function findByReference(db: Db, reference: string): Promise<SubmittedOrder | undefined> {
  const row = await db
    .selectFrom('fulfillment_order')
    .select(['id', 'content_hash', 'hold', 'order_number', 'created_at', 'lines'])
    .where('reference', '=', reference)
    .executeTakeFirst()
  return (
    row && {
      id: String(row.id),
      contentHash: String(row.content_hash),
      hold: row.hold === 1,
      orderNumber: row.order_number === null ? null : String(row.order_number),
      createdAt: new Date(`${String(row.created_at).replace(' ', 'T')}Z`),
      lines: JSON.parse(String(row.lines)) as SubmittedOrder['lines'],
    }
  )
}

/** Adds an order. @param values by field name of the entity */
export async function addOrder(db: Db, values: Readonly<Record<string, unknown>>): Promise<void> {
  await db.insertInto('fulfillment_order').values(rowOf(fulfillmentOrder, values)).execute()
}

/** The content that an idempotency key was first used with. */
export async function findKey(db: Db, key: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('fulfillment_key')
    .select('content_hash')
    .where('idempotency_key', '=', key)
    .executeTakeFirst()
  return row?.content_hash
}

/** Remembers what a key was used with; the first use stays. */
export async function noteKey(db: Db, key: string, contentHash: string): Promise<void> {
  await db
    .insertInto('fulfillment_key')
    .values({idempotency_key: key, content_hash: contentHash})
    .onConflict(conflict => conflict.column('idempotency_key').doNothing())
    .execute()
}
