import {type RawBuilder, sql} from 'kysely'

/**
 * Combines parts in pairs, as a tree whose halves are even: SQLite lets an expression nest 1000 deep, and a chain nests at every
 * link.
 *
 * @param parts at least one
 */
export function combineInPairs<T>(parts: readonly T[], combine: (left: T, right: T) => T): T {
  if (parts.length === 1) return parts[0] as T
  const half = Math.ceil(parts.length / 2)
  return combine(combineInPairs(parts.slice(0, half), combine), combineInPairs(parts.slice(half), combine))
}

/** For `like … escape '\'`: the text itself, wherever it has characters that mean something there. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, character => `\\${character}`)
}

/**
 * A member of JSON, as text; null where there is none.
 *
 * Plain names are part of the statement, because only then can an index on them be used; others are parameters.
 *
 * @param json text that holds JSON
 * @param names from the outermost in
 */
export function selectMember(json: RawBuilder<unknown>, names: readonly string[]): RawBuilder<string | null> {
  const path = `$${names.map(name => `.${JSON.stringify(name)}`).join('')}`
  return sql<string | null>`${json} ->> ${names.every(isPlainName) ? sql.lit(path) : path}`
}

/** Whether a name can stand in a statement as it is. */
function isPlainName(name: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(name)
}
