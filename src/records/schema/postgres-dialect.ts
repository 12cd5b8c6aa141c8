import {type RawBuilder, sql} from 'kysely'
import type {RecordsDialect} from './dialect.js'
import {postgresChanges} from './event-changes.js'

/**
 * The records in the words of PostgreSQL. A revision is the number of the transaction that changed the event, and counts
 * once no transaction with a lower one is under way: transactions end in another order than they began.
 */
export const postgresRecords: RecordsDialect = {
  trackChanges: postgresChanges,
  folded: text => sql`lower(cast(${text} as text) collate "C")`,
  foldedValue: value => sql`${value.replace(/[A-Z]/g, letter => letter.toLowerCase())}`,
  like: (text, pattern) => sql<boolean>`cast(${text} as text) collate "C" ilike ${pattern} escape '\\'`,
  numberValue: value => sql`cast(${value} as double precision)`,
  member: {
    text: path => member(path, sql`true`),
    number: path => sql`records_number(${member(path, sql`true`)})`,
    truth: path => sql`records_number(${member(path, sql`false`)})`,
  },
  amount: text => sql`coalesce(records_number(${text}), case when ${text} is not null then 0 end)`,
  finalCapture: sql`(case cast(traits as json) ->> 'finalCapture' when 'true' then 1 when 'false' then 0 end)`,
  isSettled: sql<boolean>`revision < ${first()}`,
  lastSettled: sql<number>`${first()} - 1`,
  // Its pages are freed by `vacuum`; what lies in them goes when they are written anew.
  overwriteDeleted: async () => {},
}

/** The lowest number of a transaction that is under way, as the statement sees it. */
function first(): RawBuilder<number> {
  return sql<number>`cast(cast(pg_snapshot_xmin(pg_current_snapshot()) as text) as bigint)`
}

function member(path: readonly string[], isText: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select records_member(body, cast(${`{${path.map(quoted).join(',')}}`} as text[]), ${isText})
    from webhook_body where webhook_body.target = webhook_event.target and webhook_body.id = webhook_event.id)`
}

/** @see https://www.postgresql.org/docs/current/arrays.html#ARRAYS-INPUT */
function quoted(name: string): string {
  return `"${name.replace(/[\\"]/g, '\\$&')}"`
}
