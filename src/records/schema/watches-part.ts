import {createIndex, createTable} from '../../storage/engine/create-table.js'
import type {UntypedDatabase} from '../../storage/engine/database.js'
import type {WatchTable} from './schema.js'

/** Adds watches, and the watch of a run. */
export async function addWatches(db: UntypedDatabase): Promise<void> {
  await createTable<WatchTable>(
    db,
    'watch',
    {
      ...{id: 'text', target: 'text', profile: 'text', who: 'text', host: 'text', pid: 'integer'},
      ...{process_start: 'text', reason: 'text?', options: 'text', started_at_ms: 'integer'},
      ...{heartbeat_at_ms: 'integer', ended_at_ms: 'integer?', paused: 'integer', stop_reason: 'text?'},
      ...{asked_by: 'text?', probed_at_ms: 'integer?', probe_good: 'integer?', probe_answer: 'text?'},
      ...{away_since_ms: 'integer?', run_id: 'text?'},
    },
    ['id'],
  )
  await db.schema.alterTable('run').addColumn('watch_id', 'text').execute()
  await createIndex(db, {name: 'run_watch', table: 'run', columns: ['watch_id', 'id']})
}
