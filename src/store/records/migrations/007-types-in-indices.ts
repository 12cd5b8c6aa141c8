import type {Migration} from '../../migrations.js'

const INDICES = [
  ['webhook_event_time', ['target', 'created_at_ms', 'id', 'type']],
  ['webhook_event_status', ['target', 'status', 'created_at_ms', 'id', 'type']],
] as const

/** Whoever looks for a rare type, or a family of types, goes through an index and not through all events. */
export const typesInIndices: Migration = {
  version: 7,
  name: 'types in indices',
  up: async db => {
    for (const [name, columns] of INDICES) {
      await db.schema.dropIndex(name).execute()
      await db.schema
        .createIndex(name)
        .on('webhook_event')
        .columns([...columns])
        .execute()
    }
  },
}
