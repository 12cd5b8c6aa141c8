import type {Migration} from '../../migrations.js'

/**
 * Who took an event off the failed list by hand, when and why, and who put it back. Programs that do not know the status
 * `resolved` would send such an event again.
 */
export const resolutions: Migration = {
  version: 4,
  name: 'resolutions',
  breaksOlder: true,
  up: async db => {
    await db.schema
      .createTable('webhook_resolution')
      .addColumn('target', 'text', column => column.notNull())
      .addColumn('id', 'text', column => column.notNull())
      .addColumn('number', 'integer', column => column.notNull())
      .addColumn('kind', 'text', column => column.notNull())
      .addColumn('at_ms', 'bigint', column => column.notNull())
      .addColumn('who', 'text', column => column.notNull())
      .addColumn('reason', 'text')
      .addColumn('status_before', 'text', column => column.notNull())
      .addPrimaryKeyConstraint('webhook_resolution_key', ['target', 'id', 'number'])
      .execute()
  },
}
