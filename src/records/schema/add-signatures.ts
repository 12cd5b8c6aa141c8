import {createTable} from '../../storage/engine/create-table.js'
import type {Migration, UntypedDatabase} from '../../storage/engine/database.js'
import type {RecordsTables} from './schema.js'

/** What checking the provider's signatures came to, and what it takes to check them. */
export const signatureSchema: Migration = {version: 3, name: 'signatures', up: addSignatures}

async function addSignatures(db: UntypedDatabase): Promise<void> {
  for (const column of ['verification', 'verification_reason'])
    await db.schema.alterTable('webhook_event').addColumn(column, 'text').execute()
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
