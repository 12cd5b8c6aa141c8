import {type RawBuilder, sql} from 'kysely'
import {PROVIDERS} from '../../providers/providers.js'
import {createTable} from '../../storage/engine/create-table.js'
import type {UntypedDatabase} from '../../storage/engine/database.js'
import type {RecordsTables} from './schema.js'

/** The source under which the inbox stores the number of events that an earlier version stored without a sender. */
export const WITHOUT_SENDER = 'events stored without a sender'

/**
 * Adds the sender of each event. Checks by an earlier version stay; events that it marked came with another token; for
 * the rest the sender is unknown, unless the provider's calls need none.
 */
export async function addSenders(db: UntypedDatabase): Promise<void> {
  await db.schema
    .alterTable('webhook_event')
    .addColumn('arrived_with', 'text', column => column.notNull().defaultTo('unverified'))
    .execute()
  await db.schema.alterTable('webhook_event').addColumn('token_digest', 'text').execute()
  await sql`update webhook_event set arrived_with = 'wrong-token' where unverified = 1`.execute(db)
  await sql`update webhook_event set arrived_with = 'not-needed' where ${matchTokenless()}`.execute(db)
  await db.schema.dropIndex('webhook_event_unverified').execute()
  await db.schema.alterTable('webhook_event').dropColumn('unverified').execute()
  await createTable<RecordsTables['webhook_token']>(
    db,
    'webhook_token',
    {
      ...{target: 'text', digest: 'text', kind: 'text', from_ms: 'integer', to_ms: 'integer?'},
      leaked_since_ms: 'integer?',
    },
    ['target', 'digest'],
  )
  await rememberUnsent(db)
}

function matchTokenless(): RawBuilder<boolean> {
  const names = [...PROVIDERS.values()].filter(({token}) => token === null).map(({name}) => name)
  const matches = names.map(name => sql`traits like ${sql.lit(`%"provider":"${name}"%`)}`)
  return matches.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`(${sql.join(matches, sql` or `)})`
}

/** The first command after this step reports it once. */
async function rememberUnsent(db: UntypedDatabase): Promise<void> {
  await sql`
    insert into webhook_source (target, source, position)
    select '', ${sql.lit(WITHOUT_SENDER)}, cast(count(*) as text) from webhook_event
    where arrived_with = 'unverified' and verification is null having count(*) > 0`.execute(db)
}
