import {type RawBuilder, sql} from 'kysely'
import {isPlainName} from './plain-name.js'

/** `json` gives lists and objects as they were written; `jsonb` would spell them anew. @see SearchEngine */
export function member(json: RawBuilder<unknown>, names: readonly string[]): RawBuilder<string | null> {
  const path = names.every(isPlainName)
    ? sql.lit(`{${names.map(name => `"${name}"`).join(',')}}`)
    : sql`${[...names]}::text[]`
  return sql<string | null>`((${json}::json #>> ${path}) collate "C")`
}
