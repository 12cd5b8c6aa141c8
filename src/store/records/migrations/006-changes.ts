import {sql} from 'kysely'
import type {Migration} from '../../migrations.js'

/** Columns whose change is news. */
const TOLD = ['target', 'status', 'answer', 'cause', 'attempts', 'changed_at_ms', 'conflict']

/**
 * Which events came or changed last, in the order of the commits, whoever made them and whatever times they carry; and
 * how each delivery went. The database itself keeps both, so that no writer can forget to.
 */
export const changes: Migration = {
  version: 6,
  name: 'changes',
  up: async db => {
    await db.schema.alterTable('webhook_event').addColumn('revision', 'bigint').execute()
    await db.schema.createIndex('webhook_event_revision').on('webhook_event').column('revision').execute()
    await db.schema
      .createTable('webhook_attempt')
      .addColumn('number', 'integer', column => column.primaryKey())
      .addColumn('target', 'text', column => column.notNull())
      .addColumn('id', 'text', column => column.notNull())
      .addColumn('at_ms', 'bigint', column => column.notNull())
      .addColumn('status', 'text', column => column.notNull())
      .addColumn('answer', 'integer')
      .addColumn('cause', 'text')
      .execute()
    await db.schema
      .createIndex('webhook_attempt_event')
      .on('webhook_attempt')
      .columns(['target', 'id'])
      .execute()
    // A number is never given twice, also when the event that had it is gone.
    await db.schema
      .createTable('webhook_revision')
      .addColumn('last', 'bigint', column => column.notNull())
      .execute()
    await sql`insert into webhook_revision (last) values (0)`.execute(db)
    const count = sql`
      update webhook_revision set last = last + 1;
      update webhook_event set revision = (select last from webhook_revision) where rowid = new.rowid`
    await sql`create trigger webhook_event_added after insert on webhook_event begin ${count}; end`.execute(
      db,
    )
    await sql`
      create trigger webhook_event_changed after update of ${sql.join(TOLD.map(name => sql.ref(name)))} on webhook_event
      begin ${count}; end`.execute(db)
    await sql`
      create trigger webhook_event_attempted after update of attempts on webhook_event
      when new.attempts > old.attempts
      begin
        insert into webhook_attempt (target, id, at_ms, status, answer, cause)
        values (
          new.target, new.id, new.changed_at_ms,
          case
            when new.answer between 200 and 299 then 'delivered'
            when new.status in ('delivered', 'resolved') then 'failed'
            else new.status
          end,
          new.answer, new.cause
        );
      end`.execute(db)
  },
}
