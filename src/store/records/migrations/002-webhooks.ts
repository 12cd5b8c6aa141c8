import type {Migration} from '../../migrations.js'

/** The inbox: what arrived for each shop. Bodies lie apart, so that lists read narrow rows. */
export const webhooks: Migration = {
  version: 2,
  name: 'webhooks',
  up: async db => {
    await db.schema
      .createTable('webhook_event')
      .addColumn('target', 'text', column => column.notNull())
      .addColumn('id', 'text', column => column.notNull())
      .addColumn('sha256', 'text', column => column.notNull())
      .addColumn('size_bytes', 'integer', column => column.notNull())
      .addColumn('type', 'text', column => column.notNull())
      .addColumn('created_at_ms', 'bigint', column => column.notNull())
      .addColumn('received_at_ms', 'bigint', column => column.notNull())
      .addColumn('resource_type', 'text')
      .addColumn('resource_version', 'text')
      .addColumn('transaction_key', 'text')
      .addColumn('lane_keys', 'text', column => column.notNull())
      .addColumn('traits', 'text', column => column.notNull())
      .addColumn('source', 'text', column => column.notNull())
      .addColumn('status', 'text', column => column.notNull())
      .addColumn('answer', 'integer')
      .addColumn('cause', 'text')
      .addColumn('attempts', 'integer', column => column.notNull())
      .addColumn('changed_at_ms', 'bigint', column => column.notNull())
      .addColumn('conflict', 'integer', column => column.notNull())
      .addPrimaryKeyConstraint('webhook_event_key', ['target', 'id'])
      .execute()
    await db.schema
      .createIndex('webhook_event_time')
      .on('webhook_event')
      .columns(['target', 'created_at_ms', 'id'])
      .execute()
    await db.schema
      .createIndex('webhook_event_status')
      .on('webhook_event')
      .columns(['target', 'status', 'created_at_ms', 'id'])
      .execute()
    await db.schema
      .createIndex('webhook_event_transaction')
      .on('webhook_event')
      .columns(['target', 'transaction_key', 'created_at_ms'])
      .execute()
    await db.schema
      .createTable('webhook_body')
      .addColumn('target', 'text', column => column.notNull())
      .addColumn('id', 'text', column => column.notNull())
      .addColumn('headers', 'text', column => column.notNull())
      .addColumn('body', 'blob', column => column.notNull())
      .addPrimaryKeyConstraint('webhook_body_key', ['target', 'id'])
      .execute()
    await db.schema
      .createTable('webhook_source')
      .addColumn('target', 'text', column => column.notNull())
      .addColumn('source', 'text', column => column.notNull())
      .addColumn('position', 'text', column => column.notNull())
      .addPrimaryKeyConstraint('webhook_source_key', ['target', 'source'])
      .execute()
  },
}
