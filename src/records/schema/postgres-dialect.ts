import {type RawBuilder, sql} from 'kysely'
import type {UntypedDatabase} from '../../storage/engine/database.js'
import type {RecordsDialect} from './dialect.js'

/**
 * The records' SQL for PostgreSQL. A revision is the number of the transaction that changed the event, and is final
 * once no transaction with a lower number is in progress: transactions do not end in the order in which they began.
 */
export const postgresRecordsDialect: RecordsDialect = {
  trackChanges: createPostgresTriggers,
  insertEvents: (db, rows) => db.insertInto('webhook_event').values(rows).compile(),
  orFail: sql``,
  foldText: text => sql`lower(cast(${text} as text) collate "C")`,
  foldValue: value => sql`${value.replace(/[A-Z]/g, letter => letter.toLowerCase())}`,
  matchPattern: (text, pattern) =>
    sql<boolean>`cast(${text} as text) collate "C" ilike ${pattern} escape '\\'`,
  castNumber: value => sql`cast(${value} as double precision)`,
  member: {
    selectText: path => selectMember(path, sql`true`),
    selectNumber: path => sql`records_number(${selectMember(path, sql`true`)})`,
    selectTruth: path => sql`records_number(${selectMember(path, sql`false`)})`,
  },
  parseAmount: text => sql`coalesce(records_number(${text}), case when ${text} is not null then 0 end)`,
  selectAmount: member => sql`(cast(traits as json) #>> ${sql.lit(`{amount,${member}}`)})`,
  finalCapture: sql`(case cast(traits as json) ->> 'finalCapture' when 'true' then 1 when 'false' then 0 end)`,
  isRevisionFinal: sql<boolean>`revision < ${selectOldestTransaction()}`,
  lastFinalRevision: sql<number>`${selectOldestTransaction()} - 1`,
  // `vacuum` frees its pages; their data disappears when they are reused.
  prepareDeletion: async () => {},
}

/** The lowest number of a transaction in progress, as the statement sees it. */
function selectOldestTransaction(): RawBuilder<number> {
  return sql<number>`cast(cast(pg_snapshot_xmin(pg_current_snapshot()) as text) as bigint)`
}

function selectMember(path: readonly string[], isText: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select records_member(body, cast(${`{${path.map(quoteArrayItem).join(',')}}`} as text[]), ${isText})
    from webhook_body where webhook_body.target = webhook_event.target and webhook_body.id = webhook_event.id)`
}

/** @see https://www.postgresql.org/docs/current/arrays.html#ARRAYS-INPUT */
function quoteArrayItem(name: string): string {
  return `"${name.replace(/[\\"]/g, '\\$&')}"`
}

/**
 * Each event has the number of the last transaction that changed it: with a shared counter, every writer would wait for
 * every other. Writers of one event do wait for each other, so its deliveries can be counted.
 *
 * @see RecordsDialect.isRevisionFinal
 */
async function createPostgresTriggers(db: UntypedDatabase, columns: RawBuilder<unknown>): Promise<void> {
  await db.schema
    .createIndex('webhook_event_revision')
    .on('webhook_event')
    .columns(['revision', 'id'])
    .execute()
  await sql`
    create function webhook_event_changes() returns trigger language plpgsql as $body$
    begin
      new.revision := pg_current_xact_id()::text::bigint;
      return new;
    end $body$`.execute(db)
  await sql`
    create trigger webhook_event_changed before insert or update of ${columns} on webhook_event
    for each row execute function webhook_event_changes()`.execute(db)
  await sql`
    create function webhook_event_attempts() returns trigger language plpgsql as $body$
    begin
      insert into webhook_attempt (number, target, id, at_ms, status, answer, message)
      values (
        (select coalesce(max(number), 0) + 1 from webhook_attempt where target = new.target and id = new.id),
        new.target, new.id, new.changed_at_ms,
        case
          when new.answer between 200 and 299 then 'delivered'
          when new.status in ('delivered', 'resolved') then 'failed'
          else new.status
        end,
        new.answer, new.message
      );
      return null;
    end $body$`.execute(db)
  await sql`
    create trigger webhook_event_attempted after update of attempts on webhook_event
    for each row when (new.attempts > old.attempts) execute function webhook_event_attempts()`.execute(db)
  await createBodyFunctions(db)
}

/**
 * Functions that read bodies and numbers, and return null for invalid input, as in SQLite. A cast would fail the query;
 * `IS JSON` needs PostgreSQL 16 and does not cover numbers. PostgreSQL has no NUL in texts.
 */
async function createBodyFunctions(db: UntypedDatabase): Promise<void> {
  await sql`
    create function records_member(body bytea, path text[], texts boolean) returns text
    language plpgsql immutable strict as $body$
    declare
      found json;
      kind text;
      said text;
    begin
      found := replace(convert_from(body, 'UTF8'), '\\u0000', '\\ufffd')::json #> path;
      kind := json_typeof(found);
      said := found #>> '{}';
      if kind = 'boolean' then return case said when 'true' then '1' else '0' end; end if;
      if kind = 'number' and said ~ '[.eE]' then
        return regexp_replace(said::double precision::text, '^(-?[0-9]+)$', '\\1.0');
      end if;
      return case when texts or kind <> 'string' then said end;
    exception when others then
      return null;
    end $body$`.execute(db)
  await sql`
    create function records_number(said text) returns double precision
    language plpgsql immutable strict as $body$
    begin
      if said !~ '^[0-9-]' then return null; end if;
      return coalesce(substring(said from '^-?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][-+]?[0-9]+)?'), '0')::double precision;
    exception when others then
      return null;
    end $body$`.execute(db)
}
