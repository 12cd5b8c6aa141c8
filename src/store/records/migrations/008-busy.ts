import {sql} from 'kysely'
import type {Migration} from '../../migrations.js'

/** Finds what captures are handing on, which is next to nothing of an inbox. */
export const busy: Migration = {
  version: 8,
  name: 'busy',
  up: async db => {
    await db.schema
      .createIndex('webhook_event_busy')
      .on('webhook_event')
      .columns(['target', 'busy_until_ms'])
      .where(sql<boolean>`busy_until_ms is not null`)
      .execute()
  },
}
