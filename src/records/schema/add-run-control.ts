import {createTable} from '../../storage/engine/create-table.js'
import type {Migration, UntypedDatabase} from '../../storage/engine/database.js'
import type {RunControlTable} from './schema.js'

/** What a person asks of a run under way from another terminal. */
export const runControlSchema: Migration = {version: 2, name: 'control of runs', up: createControlTable}

function createControlTable(db: UntypedDatabase): Promise<void> {
  return createTable<RunControlTable>(
    db,
    'run_control',
    {
      ...{run_id: 'text', paused: 'integer', rate_per_second: 'text?', concurrency: 'integer?'},
      ...{asked_by: 'text', asked_at_ms: 'integer'},
    },
    ['run_id'],
  )
}
