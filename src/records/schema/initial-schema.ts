import {type RawBuilder, sql} from 'kysely'
import {createIndex, createTable} from '../../storage/engine/create-table.js'
import type {Migration, UntypedDatabase} from '../../storage/engine/database.js'
import {detectEngine} from '../../storage/engine/database.js'
import {chooseRecordsDialect} from './choose-dialect.js'
import type {
  LedgerTable,
  RecordsTables,
  RunBlockTable,
  RunControlTable,
  RunPlanTable,
  RunRecordTable,
  RunTable,
  RunWorkerTable,
  WebhookAttemptTable,
  WebhookEventTable,
  WebhookResolutionTable,
} from './schema.js'

/** Runs with their journals and the ledger, and the inbox. Until the first release each change renames it. */
export const recordsSchema: Migration = {
  version: 1,
  name: 'initial schema of 2026-11-26',
  up: async db => {
    await createRuns(db)
    await createJournal(db)
    await createWorkers(db)
    await createInbox(db)
    await createAttempts(db)
    await createCaptures(db)
    await createVerification(db)
    await chooseRecordsDialect({engine: detectEngine(db)}).trackChanges(
      db,
      sql.join(TRACKED.map(name => sql.ref(name))),
    )
  },
}

/** Runs as of the first step; later steps add columns. */
type FirstRunTable = Omit<RunTable, 'watch_id'>

async function createRuns(db: UntypedDatabase): Promise<void> {
  await createTable<FirstRunTable>(
    db,
    'run',
    {
      ...{id: 'text', kind: 'text', target: 'text', profile: 'text', who: 'text', host: 'text'},
      ...{pid: 'integer'},
      ...{process_start: 'text', reason: 'text?', state: 'text', started_at_ms: 'integer'},
      ...{ended_at_ms: 'integer?'},
      ...{heartbeat_at_ms: 'integer', options: 'text', total: 'integer?', counts: 'text'},
      ...{stop_code: 'text?', stop_reason: 'text?'},
      continues: 'text?',
    },
    ['id'],
  )
  await createTable<RecordsTables['run_lease']>(
    db,
    'run_lease',
    {kind: 'text', target: 'text', run_id: 'text'},
    ['kind', 'target'],
  )
  await createTable<RunPlanTable>(
    db,
    'run_plan',
    {
      ...{run_id: 'text', position: 'integer', item: 'text', ordering_key: 'text', block: 'integer'},
      ...{unsure: 'integer', metadata: 'text?'},
    },
    ['run_id', 'position'],
  )
  await createIndex(db, {name: 'run_plan_block', table: 'run_plan', columns: ['run_id', 'block', 'position']})
}

/** Journal rows are keyed by run, worker and the worker's own count, so that no two writers share a sequence. */
async function createJournal(db: UntypedDatabase): Promise<void> {
  await createTable<RunRecordTable>(
    db,
    'run_record',
    {
      ...{run_id: 'text', worker: 'text', sequence: 'integer', kind: 'text', item: 'text'},
      ...{ordering_key: 'text'},
      ...{content_hash: 'text', attempt: 'integer', at_ms: 'integer', result_class: 'text?'},
      ...{result: 'text?'},
      ...{status: 'integer?', detail: 'text?', facts: 'text?', hash: 'text'},
    },
    ['run_id', 'worker', 'sequence'],
  )
  await createIndex(db, {
    name: 'run_record_answered',
    table: 'run_record',
    columns: ['item', 'run_id'],
    where: sql<boolean>`kind <> 'intent'`,
  })
  await createTable<LedgerTable>(
    db,
    'ledger',
    {
      ...{kind: 'text', target: 'text', key: 'text', content_hash: 'text', result_class: 'text'},
      ...{result: 'text'},
      ...{status: 'integer?', detail: 'text?', attempts: 'integer', at_ms: 'integer', run_id: 'text'},
      facts: 'text?',
    },
    ['kind', 'target', 'key'],
  )
}

/** Workers as of the first step; later steps add columns. */
type FirstWorkerTable = Omit<RunWorkerTable, 'sequence' | 'hash' | 'amounts'>

/** A run's plan is split into blocks of whole ordering keys, which its workers claim. */
async function createWorkers(db: UntypedDatabase): Promise<void> {
  await createTable<RunBlockTable>(
    db,
    'run_block',
    {run_id: 'text', block: 'integer', state: 'text', worker: 'text?', claims: 'integer'},
    ['run_id', 'block'],
  )
  await createIndex(db, {
    name: 'run_block_left',
    table: 'run_block',
    columns: ['run_id', 'block'],
    where: sql<boolean>`state <> 'done'`,
  })
  await createTable<FirstWorkerTable>(
    db,
    'run_worker',
    {
      ...{run_id: 'text', worker: 'text', who: 'text', host: 'text', pid: 'integer', process_start: 'text'},
      ...{state: 'text', started_at_ms: 'integer', heartbeat_at_ms: 'integer', counts: 'text'},
      ...{done: 'integer'},
      failed: 'integer',
    },
    ['run_id', 'worker'],
  )
  await createTable<RunControlTable>(
    db,
    'run_control',
    {
      ...{run_id: 'text', paused: 'integer', rate_per_second: 'text?', concurrency: 'integer?'},
      ...{asked_by: 'text', asked_at_ms: 'integer'},
    },
    ['run_id'],
  )
}

/** Events as of the first step; later steps change their columns. */
type FirstEventTable = Omit<
  WebhookEventTable,
  'arrived_with' | 'token_digest' | 'order_number' | 'cause' | 'cause_for_ms'
> & {
  unverified: number
  revision: number | null
}

/** Bodies are stored separately, so that lists read narrow rows. */
async function createInbox(db: UntypedDatabase): Promise<void> {
  await createTable<FirstEventTable>(
    db,
    'webhook_event',
    {
      ...{target: 'text', id: 'text', sha256: 'text', size_bytes: 'integer', type: 'text'},
      ...{created_at_ms: 'integer', received_at_ms: 'integer', resource_type: 'text?'},
      ...{resource_version: 'text?'},
      ...{transaction_key: 'text?', ordering_keys: 'text', traits: 'text', source: 'text', status: 'text'},
      ...{answer: 'integer?', message: 'text?', attempts: 'integer', changed_at_ms: 'integer'},
      ...{conflict: 'integer'},
      ...{in_flight_until_ms: 'integer?', in_flight_by: 'text?', unverified: 'integer', revision: 'integer?'},
      ...{verification: 'text?', verification_reason: 'text?'},
    },
    ['target', 'id'],
  )
  // With the type, so that a search for a rare one uses an index and does not read all events.
  await createEventIndex(db, 'time', ['target', 'created_at_ms', 'id', 'type'])
  await createEventIndex(db, 'status', ['target', 'status', 'created_at_ms', 'id', 'type'])
  await createEventIndex(db, 'transaction', ['target', 'transaction_key', 'created_at_ms'])
  await createEventIndex(db, 'unverified', ['target'], sql<boolean>`unverified = 1`)
  await createEventIndex(
    db,
    'in_flight',
    ['target', 'in_flight_until_ms'],
    sql<boolean>`in_flight_until_ms is not null`,
  )
  await createTable<RecordsTables['webhook_body']>(
    db,
    'webhook_body',
    {target: 'text', id: 'text', headers: 'text', body: 'blob'},
    ['target', 'id'],
  )
  await createTable<RecordsTables['webhook_source']>(
    db,
    'webhook_source',
    {target: 'text', source: 'text', position: 'text'},
    ['target', 'source'],
  )
}

function createEventIndex(
  db: UntypedDatabase,
  name: string,
  columns: readonly string[],
  where?: RawBuilder<boolean>,
): Promise<void> {
  const table = 'webhook_event'
  return createIndex(db, {name: `${table}_${name}`, table, columns, ...(where && {where})})
}

const TRACKED = ['target', 'status', 'answer', 'message', 'attempts', 'changed_at_ms', 'conflict']

/** Results of deliveries, and manual resolutions. */
async function createAttempts(db: UntypedDatabase): Promise<void> {
  // Only SQLite, with one writer at a time, can number all of them in sequence; PostgreSQL numbers those of each event.
  const isNumbered = detectEngine(db) === 'sqlite'
  await createTable<Omit<WebhookAttemptTable, 'sender'>>(
    db,
    'webhook_attempt',
    {
      ...{number: 'integer', target: 'text', id: 'text', at_ms: 'integer', status: 'text'},
      ...{answer: 'integer?'},
      message: 'text?',
    },
    isNumbered ? ['number'] : ['target', 'id', 'number'],
  )
  if (isNumbered) {
    await createIndex(db, {
      name: 'webhook_attempt_event',
      table: 'webhook_attempt',
      columns: ['target', 'id'],
    })
  }
  await createTable<Omit<WebhookResolutionTable, 'run_id'>>(
    db,
    'webhook_resolution',
    {
      ...{target: 'text', id: 'text', number: 'integer', kind: 'text', at_ms: 'integer', who: 'text'},
      ...{reason: 'text?', status_before: 'text'},
    },
    ['target', 'id', 'number'],
  )
}

/** Turns for delivering events of a payment, where several captures share an inbox. */
async function createCaptures(db: UntypedDatabase): Promise<void> {
  await createTable<RecordsTables['webhook_turn']>(
    db,
    'webhook_turn',
    {target: 'text', ordering_key: 'text', holder: 'text', until_ms: 'integer'},
    ['target', 'ordering_key'],
  )
  await createIndex(db, {name: 'webhook_turn_holder', table: 'webhook_turn', columns: ['target', 'holder']})
}

/** Data for checking the provider's signatures. */
async function createVerification(db: UntypedDatabase): Promise<void> {
  await createTable<RecordsTables['webhook_transmission']>(
    db,
    'webhook_transmission',
    {target: 'text', transmission_id: 'text', id: 'text', sha256: 'text'},
    ['target', 'transmission_id'],
  )
  await createTable<RecordsTables['webhook_registration']>(
    db,
    'webhook_registration',
    {target: 'text', webhook_id: 'text', seen_at_ms: 'integer'},
    ['target', 'webhook_id'],
  )
}
