import {type RawBuilder, sql} from 'kysely'
import type {UntypedDatabase} from '../../storage/engine/database.js'
import type {RecordsDialect} from './dialect.js'

/** The records' SQL for SQLite. With one writer at a time, no revision before a visible one is missing. */
export const sqliteRecordsDialect: RecordsDialect = {
  trackChanges: createSqliteTriggers,
  // With the revision that the trigger would give it, so that the trigger need not write the row again.
  insertEvents: (db, rows) =>
    db
      .insertInto('webhook_event')
      .orFail()
      .values(rows.map(row => ({...row, revision: sql`(select last + 1 from webhook_revision)`})))
      .compile(),
  orFail: sql`or fail`,
  foldText: text => sql`cast(${text} as text) collate nocase`,
  foldValue: value => sql`${value}`,
  matchPattern: (text, pattern) => sql<boolean>`${text} like ${pattern} escape '\\'`,
  castNumber: value => sql`${value}`,
  member: {
    selectText: selectMember,
    selectNumber: path => {
      const found = selectMember(path)
      return sql`(case when typeof(${found}) = 'text' and ${found} not glob '[0-9-]*' then null else cast(${found} as real) end)`
    },
    selectTruth: selectMember,
  },
  parseAmount: text => sql`cast(${text} as real)`,
  selectAmount: member => sql`json_extract(traits, ${sql.lit(`$.amount.${member}`)})`,
  finalCapture: sql`json_extract(traits, '$.finalCapture')`,
  isRevisionFinal: sql<boolean>`true`,
  lastFinalRevision: sql<number>`(select last from webhook_revision)`,
  // With a cache for what one commit deletes, which would otherwise be written several times.
  prepareDeletion: async db => {
    await sql`pragma secure_delete = on`.execute(db)
    await sql`pragma cache_size = -32768`.execute(db)
  },
}

/** A body that SQLite cannot read as JSON has no members, even if it was parsed before. */
function selectMember(path: readonly string[]) {
  const jsonPath = `$${path.map(name => (/^\d+$/.test(name) ? `[${name}]` : `."${name}"`)).join('')}`
  return sql`(
    select case when json_valid(cast(body as text)) then json_extract(cast(body as text), ${jsonPath}) end
    from webhook_body where webhook_body.target = webhook_event.target and webhook_body.id = webhook_event.id)`
}

/** Triggers that number every change of an event, never reusing a number, and store every delivery. */
async function createSqliteTriggers(db: UntypedDatabase, columns: RawBuilder<unknown>): Promise<void> {
  await db.schema.createIndex('webhook_event_revision').on('webhook_event').column('revision').execute()
  // A number is never reused, even after its event was deleted.
  await db.schema
    .createTable('webhook_revision')
    .addColumn('last', 'bigint', column => column.notNull())
    .execute()
  await sql`insert into webhook_revision (last) values (0)`.execute(db)
  const count = sql`
    update webhook_revision set last = last + 1;
    update webhook_event set revision = (select last from webhook_revision)
    where rowid = new.rowid and revision is not (select last from webhook_revision)`
  await sql`create trigger webhook_event_added after insert on webhook_event begin ${count}; end`.execute(db)
  await sql`
    create trigger webhook_event_changed after update of ${columns} on webhook_event
    begin ${count}; end`.execute(db)
  await sql`
    create trigger webhook_event_attempted after update of attempts on webhook_event
    when new.attempts > old.attempts
    begin
      insert into webhook_attempt (target, id, at_ms, status, answer, message)
      values (
        new.target, new.id, new.changed_at_ms,
        case
          when new.answer between 200 and 299 then 'delivered'
          when new.status in ('delivered', 'resolved') then 'failed'
          else new.status
        end,
        new.answer, new.message
      );
    end`.execute(db)
}
