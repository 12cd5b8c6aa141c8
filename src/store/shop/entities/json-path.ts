import {type RawBuilder, sql} from 'kysely'

/** Names that can stand in a statement as they are. */
const PLAIN_NAME = /^[A-Za-z0-9_-]{1,64}$/

/**
 * A custom field as text, taken out of the folded copy, in which every scalar is text.
 *
 * A plain path is part of the statement, because only then can an index on it be used; any other is a parameter.
 *
 * @param column the folded column
 * @param names from the outermost in
 */
export function customFieldText(
  column: RawBuilder<unknown>,
  names: readonly string[],
): RawBuilder<string | null> {
  const path = `$${names.map(name => `.${JSON.stringify(name)}`).join('')}`
  const isPlain = names.every(name => PLAIN_NAME.test(name))
  return sql<string | null>`${column} ->> ${isPlain ? sql.lit(path) : path}`
}
