import type {Migration} from '../../storage/engine/database.js'

/** Results of looking up events at the shop: the numbers of their orders, and why they failed. */
export const lookedUpStep: Migration = {
  version: 6,
  name: 'order numbers and causes of events',
  up: async db => {
    for (const column of ['order_number', 'cause'])
      await db.schema.alterTable('webhook_event').addColumn(column, 'text').execute()
    await db.schema.alterTable('webhook_event').addColumn('cause_for_ms', 'bigint').execute()
  },
}
