import type {Migration} from '../../storage/engine/database.js'

/** Adds the run that resolved an event. */
export const resolutionRunsStep: Migration = {
  version: 7,
  name: 'runs that resolved events',
  up: db => db.schema.alterTable('webhook_resolution').addColumn('run_id', 'text').execute(),
}
