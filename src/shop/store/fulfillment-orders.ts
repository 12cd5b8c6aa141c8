import {fulfillmentOrder} from '../../shopware/entities/order-parts.js'
import {readFirstRow, runStatement} from '../../storage/engine/statement.js'
import {prepareInsert} from './entities/insert-entities.js'
import type {ShopConnection} from './schema/schema.js'

/** The stored order of a reference. */
export interface SubmittedOrder {
  readonly id: string
  readonly contentHash: string
  /** Whether it was submitted with `hold`. */
  readonly hold: boolean
  readonly orderNumber: string | null
  readonly createdAt: Date
  readonly lines: readonly {reference: string; sku: string; quantity: number}[]
}

/** @param reference exact match */
export async function findOrderByReference(
  db: ShopConnection,
  reference: string,
): Promise<SubmittedOrder | undefined> {
  const row = await readFirstRow(db, selectByReference, {reference})
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

const selectByReference = (db: ShopConnection, {reference}: {reference: string}) =>
  db
    .selectFrom('fulfillment_order')
    .select(['id', 'content_hash', 'hold', 'order_number', 'created_at', 'lines'])
    .where('reference', '=', reference)
    .compile()

/** Allows several orders with one reference, from now on. */
export async function allowSameReference(db: ShopConnection): Promise<void> {
  await db.schema.dropIndex('fulfillment_order_reference_unique').ifExists().execute()
}

/** Adds an order; values by field name of the entity. */
export const addFulfillmentOrder = prepareInsert(fulfillmentOrder)

/** The content that an idempotency key was first used with. */
export async function findIdempotencyKey(db: ShopConnection, key: string): Promise<string | undefined> {
  const row = await readFirstRow(db, selectByKey, {key})
  return row?.content_hash
}

const selectByKey = (db: ShopConnection, {key}: {key: string}) =>
  db.selectFrom('fulfillment_key').select('content_hash').where('idempotency_key', '=', key).compile()

/** Stores the content of a key's first use; of two concurrent writes, one is run again. */
export async function noteIdempotencyKey(
  db: ShopConnection,
  key: string,
  contentHash: string,
): Promise<void> {
  await runStatement(db, insertKey, {key, contentHash})
}

const insertKey = (db: ShopConnection, {key, contentHash}: {key: string; contentHash: string}) =>
  db.insertInto('fulfillment_key').values({idempotency_key: key, content_hash: contentHash}).compile()
