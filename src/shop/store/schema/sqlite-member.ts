import {type RawBuilder, sql} from 'kysely'
import {isPlainName} from './plain-name.js'

/** @see SearchEngine */
export function member(json: RawBuilder<unknown>, names: readonly string[]): RawBuilder<string | null> {
  const path = `$${names.map(name => `.${JSON.stringify(name)}`).join('')}`
  return sql<string | null>`${json} ->> ${names.every(isPlainName) ? sql.lit(path) : path}`
}
