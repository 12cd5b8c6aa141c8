import {CompiledQuery} from 'kysely'

/**
 * One statement that is run once for each of its lists of parameters, one after the other: rows by the thousand go in
 * fastest through a statement that stays ready, and a row a statement is no slower than many.
 */
export interface ManyTimes extends CompiledQuery {
  readonly lists: readonly (readonly unknown[])[]
}

/** @param sql gives no rows */
export function manyTimes(sql: string, lists: ManyTimes['lists']): ManyTimes {
  return {...CompiledQuery.raw(sql), lists}
}

export function isManyTimes(query: CompiledQuery): query is ManyTimes {
  return 'lists' in query
}
