import type {Migration} from '../../migrations.js'

/** Idempotency keys of fulfillment orders. */
export const fulfillmentKeys: Migration = {
  version: 3,
  name: 'fulfillment keys',
  up: async db => {
    await db.schema
      .createTable('fulfillment_key')
      .addColumn('idempotency_key', 'text', column => column.primaryKey())
      .addColumn('content_hash', 'text', column => column.notNull())
      .execute()
  },
}
