import {sql} from 'kysely'
import {detectEngine} from '../../database.js'
import type {Migration, UntypedDatabase} from '../../migrations.js'
import {postgresChanges} from '../../postgres/event-changes.js'
import {sqliteChanges} from '../../sqlite/event-changes.js'

/** Columns whose change is news. */
const TOLD = ['target', 'status', 'answer', 'cause', 'attempts', 'changed_at_ms', 'conflict']

const TRIGGERS = {sqlite: sqliteChanges, postgres: postgresChanges}

/**
 * Which events came or changed last, in the order of the commits, whoever made them and whatever times they carry; and
 * how each delivery went. The database itself keeps both, so that no writer can forget to.
 */
export const changes: Migration = {
  version: 6,
  name: 'changes',
  up: async db => {
    const engine = detectEngine(db)
    await db.schema.alterTable('webhook_event').addColumn('revision', 'bigint').execute()
    await attempts(db, engine === 'sqlite')
    await TRIGGERS[engine](db, sql.join(TOLD.map(name => sql.ref(name))))
  },
}

/** A number for all of them is what only one writer at a time can give; else each event's are counted apart. */
async function attempts(db: UntypedDatabase, isNumbered: boolean): Promise<void> {
  const table = db.schema
    .createTable('webhook_attempt')
    .addColumn('number', 'integer', column => (isNumbered ? column.primaryKey() : column.notNull()))
    .addColumn('target', 'text', column => column.notNull())
    .addColumn('id', 'text', column => column.notNull())
    .addColumn('at_ms', 'bigint', column => column.notNull())
    .addColumn('status', 'text', column => column.notNull())
    .addColumn('answer', 'integer')
    .addColumn('cause', 'text')
  if (!isNumbered) {
    await table.addPrimaryKeyConstraint('webhook_attempt_key', ['target', 'id', 'number']).execute()
    return
  }
  await table.execute()
  await db.schema
    .createIndex('webhook_attempt_event')
    .on('webhook_attempt')
    .columns(['target', 'id'])
    .execute()
}
