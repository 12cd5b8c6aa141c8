import type {CompiledQuery, Kysely} from 'kysely'
import {manyTimes} from '../many-times.js'

/**
 * A statement over many rows: compiled once, and run for one row after the other. Rows by the dozen in one statement
 * took longer, with their values by the hundred.
 *
 * @param compile builds the statement for the rows of a sample; its parameters must be a row's values in order, none of
 *   them `undefined` or a truth value
 */
export function bulk<Tables, Row extends object>(
  columns: readonly (keyof Row & string)[],
  compile: (db: Kysely<Tables>, sample: Row[]) => CompiledQuery,
): (db: Kysely<Tables>, rows: readonly Row[]) => Promise<void> {
  const sample = Object.fromEntries(columns.map(column => [column, 0])) as Row
  let compiled: CompiledQuery | undefined
  return async (db, rows) => {
    if (rows.length === 0) return
    compiled ??= compile(db, [sample])
    const lists = rows.map(row => columns.map(column => row[column]))
    await db.executeQuery(manyTimes(compiled.sql, lists))
  }
}
