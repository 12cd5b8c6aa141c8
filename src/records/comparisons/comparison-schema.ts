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
  /** What its payment is told from others by. */
  payment: string
  taken: number
}

/** Where the comparison resumes; one row. */
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

/** What names a payment that differs, as events do: `id:…`, `order:…`. */
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
 * Makes the index that movements of no compared payment are listed by. Made while they all were that, it would be written
 * twice for each.
 */
export async function indexRest(db: Kysely<ComparisonTables>): Promise<void> {
  await sql`create index if not exists movement_payment on movement (payment) where taken = 0`.execute(db)
}

export const COMPARISON_SCHEMA: Migration = {
  version: 1,
  name: 'comparison',
  up: async db => {
    await createTable<MovementRow>(
      db,
      'movement',
      {
        ...{id: 'text', kind: 'text', status: 'text', units: 'integer', currency: 'text', at_ms: 'integer'},
        ...{order_id: 'text?', transaction_id: 'text?', invoice_id: 'text?', capture_id: 'text?'},
        ...{payment: 'text', taken: 'integer'},
      },
      ['id'],
    )
    for (const column of ['transaction_id', 'order_id', 'capture_id']) {
      const where = sql<boolean>`${sql.ref(column)} is not null`
      await createIndex(db, {name: `movement_${column}`, table: 'movement', columns: [column], where})
    }
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
