import {type Kysely, sql} from 'kysely'
import type {ProviderMovement} from '../../payment/drift/payment-facts.js'
import {createIndex, createTable} from '../../storage/engine/create-table.js'
import type {Migration} from '../../storage/engine/database.js'

export interface MovementRow {
  id: string
  kind: ProviderMovement['kind']
  status: ProviderMovement['status']
  units: number
  currency: string
  at_ms: number
  order_id: string | null
  transaction_id: string | null
  invoice_id: string | null
  capture_id: string | null
  /** For a capture: `all` or `part` where it was reversed. */
  reversed: string | null
  /** The key of its payment. */
  payment: string
  taken: number
}

/** Where to resume the comparison; one row. */
interface StepRow {
  number: number
  position: string
  progress: string
}

interface CandidateRow {
  number: number
  candidate: string
}

interface FoundRow {
  number: number
  kind: string
  found: string
}

/** A key of a payment that differs, as in events: `id:…`, `order:…`. */
interface FoundKeyRow {
  payment_key: string
  number: number
}

export interface ComparisonTables {
  movement: MovementRow
  step: StepRow
  candidate: CandidateRow
  found: FoundRow
  found_key: FoundKeyRow
}

/**
 * Creates the index of movements without a compared payment. If it existed earlier, each movement would be written to
 * it twice.
 */
export async function indexRest(db: Kysely<ComparisonTables>): Promise<void> {
  await sql`create index if not exists movement_payment on movement (payment) where taken = 0`.execute(db)
}

async function createMovementTable(db: Parameters<Migration['up']>[0]): Promise<void> {
  await createTable<MovementRow>(
    db,
    'movement',
    {
      ...{id: 'text', kind: 'text', status: 'text', units: 'integer', currency: 'text', at_ms: 'integer'},
      ...{order_id: 'text?', transaction_id: 'text?', invoice_id: 'text?', capture_id: 'text?'},
      ...{reversed: 'text?', payment: 'text', taken: 'integer'},
    },
    ['id', 'kind', 'status'],
  )
  for (const column of ['transaction_id', 'order_id', 'capture_id']) {
    const where = sql<boolean>`${sql.ref(column)} is not null`
    await createIndex(db, {name: `movement_${column}`, table: 'movement', columns: [column], where})
  }
}

const CREATE: Migration = {
  version: 1,
  name: 'comparison',
  up: async db => {
    await createMovementTable(db)
    const step = {number: 'integer', position: 'text', progress: 'text'} as const
    await createTable<StepRow>(db, 'step', step, ['number'])
    await createTable<CandidateRow>(db, 'candidate', {number: 'integer', candidate: 'text'}, ['number'])
    await createTable<FoundRow>(db, 'found', {number: 'integer', kind: 'text', found: 'text'}, ['number'])
    await createTable<FoundKeyRow>(db, 'found_key', {payment_key: 'text', number: 'integer'}, [
      'payment_key',
      'number',
    ])
  },
}

/**
 * A report may have several rows with one id. An unfinished comparison has stored its report by other rules, so it
 * starts again; a complete one keeps its findings.
 */
const SEVERAL_ROWS: Migration = {
  version: 2,
  name: 'several rows of one id',
  up: async db => {
    await db.schema.dropTable('movement').ifExists().execute()
    await createMovementTable(db)
    const isUnderWay = sql<boolean>`exists (select 1 from step where position not like '%"done"%')`
    for (const table of ['candidate', 'found', 'found_key'])
      await sql`delete from ${sql.table(table)} where ${isUnderWay}`.execute(db)
    await sql`delete from step where ${isUnderWay}`.execute(db)
  },
}

export const COMPARISON_SCHEMA: readonly Migration[] = [CREATE, SEVERAL_ROWS]
