import type {Migration} from '../../migrations.js'

/** Notifications of the payment provider as they came, and what they say of its side. */
export const webhookDeliveries: Migration = {
  version: 2,
  name: 'webhook deliveries',
  up: async db => {
    await db.schema
      .createTable('webhook_delivery')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('received_at', 'text', column => column.notNull())
      .addColumn('status', 'integer', column => column.notNull())
      .addColumn('event_id', 'text')
      .addColumn('event_type', 'text')
      .addColumn('event_created_at', 'text')
      .addColumn('transaction_id', 'text')
      .addColumn('reason', 'text', column => column.notNull())
      .addColumn('size_bytes', 'integer', column => column.notNull())
      .execute()
    await db.schema
      .createTable('webhook_delivery_content')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('path', 'text', column => column.notNull())
      .addColumn('query', 'text', column => column.notNull())
      .addColumn('headers', 'text', column => column.notNull())
      .addColumn('body', 'blob', column => column.notNull())
      .addColumn('answer_content_type', 'text')
      .addColumn('answer_body', 'text', column => column.notNull())
      .execute()
    for (const column of ['status', 'event_type', 'event_id', 'transaction_id']) {
      const index = db.schema.createIndex(`webhook_delivery_${column}`).on('webhook_delivery')
      await index.columns([column, 'id']).execute()
    }
    await db.schema
      .createTable('provider_movement')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('kind', 'text', column => column.notNull())
      .addColumn('transaction_id', 'text', column => column.notNull())
      .addColumn('sale_id', 'text')
      .addColumn('amount', 'text', column => column.notNull())
      .addColumn('final', 'integer', column => column.notNull())
      .execute()
    await db.schema
      .createIndex('provider_movement_transaction')
      .on('provider_movement')
      .column('transaction_id')
      .execute()
    await db.schema
      .createTable('vault_token')
      .addColumn('token_id', 'text', column => column.primaryKey())
      .addColumn('transaction_id', 'text', column => column.notNull())
      .addColumn('provider_customer_id', 'text')
      .addColumn('created_at', 'text', column => column.notNull())
      .execute()
  },
}
