import type {CompiledQuery, Kysely} from 'kysely'
import {type Kind, manyTimes} from '../../storage/engine/many-times.js'

/**
 * A statement over many rows: compiled once, and run for one row after the other, or by an engine that would rather have
 * it so for all of them at once.
 *
 * @param columns in the order of the statement's parameters
 * @param compile builds the statement for the rows of a sample; its parameters must be a row's values in order, none of
 *   them `undefined` or a truth value
 * @returns `mayMeet` says that two of the rows may be about the same
 */
export function bulk<Tables, Row extends object>(
  columns: Readonly<Record<keyof Row & string, Kind>>,
  compile: (db: Kysely<Tables>, sample: Row[]) => CompiledQuery,
): (db: Kysely<Tables>, rows: readonly Row[], mayMeet?: boolean) => Promise<void> {
  const names = Object.keys(columns) as (keyof Row & string)[]
  const kinds = names.map(name => columns[name])
  const sample = Object.fromEntries(names.map(name => [name, 0])) as Row
  let compiled: CompiledQuery | undefined
  return async (db, rows, mayMeet = false) => {
    if (rows.length === 0) return
    compiled ??= compile(db, [sample])
    const lists = rows.map(row => names.map(name => row[name]))
    await db.executeQuery(manyTimes(compiled.sql, lists, mayMeet ? undefined : kinds))
  }
}
