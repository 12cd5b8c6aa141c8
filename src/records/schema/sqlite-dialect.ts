import {sql} from 'kysely'
import type {RecordsDialect} from './dialect.js'
import {sqliteChanges} from './sqlite-event-changes.js'

/** The records in the words of SQLite. Whoever writes is alone, so that a revision that is seen has none missing before it. */
export const sqliteRecords: RecordsDialect = {
  trackChanges: sqliteChanges,
  folded: text => sql`cast(${text} as text) collate nocase`,
  foldedValue: value => sql`${value}`,
  like: (text, pattern) => sql<boolean>`${text} like ${pattern} escape '\\'`,
  numberValue: value => sql`${value}`,
  member: {
    text: member,
    number: path => {
      const found = member(path)
      return sql`(case when typeof(${found}) = 'text' and ${found} not glob '[0-9-]*' then null else cast(${found} as real) end)`
    },
    truth: member,
  },
  amount: text => sql`cast(${text} as real)`,
  finalCapture: sql`json_extract(traits, '$.finalCapture')`,
  isSettled: sql<boolean>`true`,
  lastSettled: sql<number>`(select last from webhook_revision)`,
  overwriteDeleted: async db => {
    await sql`pragma secure_delete = on`.execute(db)
  },
}

/** What SQLite cannot read as JSON, though it was once read, has no members. */
function member(path: readonly string[]) {
  const place = `$${path.map(name => (/^\d+$/.test(name) ? `[${name}]` : `."${name}"`)).join('')}`
  return sql`(
    select case when json_valid(cast(body as text)) then json_extract(cast(body as text), ${place}) end
    from webhook_body where webhook_body.target = webhook_event.target and webhook_body.id = webhook_event.id)`
}
