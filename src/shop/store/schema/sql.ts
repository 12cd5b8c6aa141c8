import {type RawBuilder, sql} from 'kysely'
import type {UntypedDatabase} from '../../../storage/engine/database.js'
import type {Statement} from '../../../storage/engine/statement.js'
import type {ShopTables} from './schema.js'

/**
 * Combines parts as a balanced binary tree: SQLite allows a nesting depth of 1000, and a chain nests at every link.
 *
 * @param parts at least one
 */
export function combineInPairs<T>(parts: readonly T[], combine: (left: T, right: T) => T): T {
  if (parts.length === 1) return parts[0] as T
  const half = Math.ceil(parts.length / 2)
  return combine(combineInPairs(parts.slice(0, half), combine), combineInPairs(parts.slice(half), combine))
}

/** Splits a list into chunks, for statements with a limit. @param size of all but the last chunk */
export function cutList<Item>(list: readonly Item[], size: number): Item[][] {
  const pieces = Math.ceil(list.length / size)
  return Array.from({length: pieces}, (_, at) => list.slice(at * size, (at + 1) * size))
}

/** For `like … escape '\'`: escapes a text's special characters. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, character => `\\${character}`)
}

/**
 * A member of JSON as text; null where there is none.
 *
 * Plain names are part of the statement, because only then can an index on them be used; others are parameters.
 *
 * @param json JSON text
 * @param names from the outermost in
 */
export function selectMember(json: RawBuilder<unknown>, names: readonly string[]): RawBuilder<string | null> {
  const path = `$${names.map(name => `.${JSON.stringify(name)}`).join('')}`
  return sql<string | null>`${json} ->> ${names.every(isPlainName) ? sql.lit(path) : path}`
}

/** Whether a name can be part of a statement without quoting. */
function isPlainName(name: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(name)
}

/**
 * Prepares a statement that adds a row.
 *
 * @param columns all columns of the row
 * @param options whether a row with an existing id is ignored; otherwise it is an error
 */
export function prepareRowInsert<Name extends keyof ShopTables>(
  table: Name,
  columns: readonly (keyof ShopTables[Name] & string)[],
  {isKnownLeft = false} = {},
): Statement<ShopTables, ShopTables[Name], unknown> {
  return (db, row) =>
    (db as unknown as UntypedDatabase)
      .insertInto(table)
      .values(Object.fromEntries(columns.map(name => [name, row[name]])))
      .$if(isKnownLeft, query => query.onConflict(conflict => conflict.column('id').doNothing()))
      .compile()
}
