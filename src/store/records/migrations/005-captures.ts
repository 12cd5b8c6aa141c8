import {sql} from 'kysely'
import type {Migration} from '../../migrations.js'

/**
 * What only `webhook capture` knows of an event: until when it is being handed on, and whether whoever sent it proved to be
 * the provider. Programs that do not know of it would send an event that is on its way, or a stranger's.
 */
export const captures: Migration = {
  version: 5,
  name: 'captures',
  breaksOlder: true,
  up: async db => {
    await db.schema.alterTable('webhook_event').addColumn('busy_until_ms', 'bigint').execute()
    await db.schema
      .alterTable('webhook_event')
      .addColumn('unproven', 'integer', column => column.notNull().defaultTo(0))
      .execute()
    await db.schema
      .createIndex('webhook_event_unproven')
      .on('webhook_event')
      .column('target')
      .where(sql<boolean>`unproven = 1`)
      .execute()
  },
}
