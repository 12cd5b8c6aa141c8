import type {CopiedContents, Migration} from '../../storage/engine/database.js'
import {recordsSchema} from './initial-schema.js'
import {releaseStep} from './release-step.js'
import type {RecordsTables} from './schema.js'

/** The steps of the records, oldest first; a released one is never edited. */
export const recordsMigrations: readonly Migration[] = [recordsSchema, releaseStep]

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
  webhook_transmission: true,
  webhook_registration: true,
  webhook_token: true,
  webhook_revision: true,
  run_block: true,
  run_worker: true,
  run_control: true,
  watch: true,
  incident: true,
  run_ledger: true,
  run_ledger_head: true,
}

/** The content of the records. */
export const RECORDS: CopiedContents = {
  name: 'records',
  ownsTable: table => Object.hasOwn(TABLES, table),
  migrations: recordsMigrations,
  counted: {events: 'webhook_event', runs: 'run', runRecords: 'run_record', ledger: 'ledger'},
  aged: {table: 'webhook_event', column: 'created_at_ms'},
  selfMaintained: {
    tables: ['webhook_revision', 'webhook_turn'],
    columns: ['revision'],
    begun: ['run_ledger_head'],
  },
}
