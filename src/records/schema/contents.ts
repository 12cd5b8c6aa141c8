import type {Contents} from '../../storage/maintenance.js'
import {recordsMigrations} from '../../store/records/initial-schema.js'
import type {RecordsTables} from './schema.js'

const TABLES: Readonly<Record<keyof RecordsTables, true>> = {
  run: true,
  run_lease: true,
  run_plan: true,
  run_record: true,
  ledger: true,
  webhook_event: true,
  webhook_body: true,
  webhook_source: true,
  webhook_resolution: true,
  webhook_attempt: true,
  webhook_turn: true,
  webhook_revision: true,
  run_block: true,
  run_worker: true,
}

/** What the records hold. */
export const RECORDS: Contents = {
  name: 'records',
  owns: table => Object.hasOwn(TABLES, table),
  migrations: recordsMigrations,
  counted: {events: 'webhook_event', runs: 'run', runRecords: 'run_record', ledger: 'ledger'},
  aged: {table: 'webhook_event', column: 'created_at_ms'},
  keptByItself: {tables: ['webhook_revision', 'webhook_turn'], columns: ['revision'], begun: []},
}
