import {CompiledQuery} from 'kysely'

/** What a parameter holds. */
export type Kind = 'text' | 'integer' | 'blob'

/**
 * One statement that is run once for each of its lists of parameters, one after the other: rows by the thousand go in
 * fastest through a statement that stays ready, and in SQLite a row a statement is no slower than many.
 */
export interface ManyTimes extends CompiledQuery {
  readonly lists: readonly (readonly unknown[])[]
  /**
   * What the parameters hold, of a statement that does nothing with them but insert them as `values ($1, …)`, no row twice:
   * an engine may then take all lists at once.
   */
  readonly kinds: readonly Kind[] | undefined
}

/** @param sql gives no rows */
export function manyTimes(sql: string, lists: ManyTimes['lists'], kinds?: readonly Kind[]): ManyTimes {
  return {...CompiledQuery.raw(sql), lists, kinds}
}

export function isManyTimes(query: CompiledQuery): query is ManyTimes {
  return 'lists' in query
}
