import {createTable} from '../../storage/engine/create-table.js'
import type {UntypedDatabase} from '../../storage/engine/database.js'
import type {IncidentTable} from './schema.js'

/** Incidents with alerts. A shop has at most one open incident of a kind. */
export function addIncidents(db: UntypedDatabase): Promise<void> {
  return createTable<IncidentTable>(
    db,
    'incident',
    {
      ...{id: 'text', target: 'text', kind: 'text', opened_at_ms: 'integer', sent_at_ms: 'integer?'},
      ...{closed_at_ms: 'integer', closed_sent_at_ms: 'integer?', claimed_until_ms: 'integer'},
      facts: 'text',
    },
    ['target', 'kind', 'closed_at_ms'],
  )
}
