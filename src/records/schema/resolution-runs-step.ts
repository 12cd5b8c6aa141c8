import type {Migration} from '../../storage/engine/database.js'

/** By which run events were resolved. */
export const resolutionRunsStep: Migration = {
  version: 7,
  name: 'runs that resolved events',
  up: db => db.schema.alterTable('webhook_resolution').addColumn('run_id', 'text').execute(),
}
