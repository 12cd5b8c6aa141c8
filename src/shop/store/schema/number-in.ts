import {type RawBuilder, sql} from 'kysely'

/** What a number may begin with, no longer than fits into one. */
const NUMBER = String.raw`^\s*[+-]?(?:\d{1,200}\.?\d{0,50}|\.\d{1,50})(?:[eE][+-]?\d{1,2})?`

/** A cast alone fails where a text is no number. @see SearchEngine */
export function numberIn(text: RawBuilder<unknown>): RawBuilder<number> {
  const found = sql`cast(substring(${text} from ${sql.lit(NUMBER)}) as double precision)`
  return sql<number>`case when ${text} is null then null else coalesce(${found}, 0) end`
}
