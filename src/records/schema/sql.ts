import type {CompiledQuery, Kysely} from 'kysely'
import {detectEngine, type EngineName} from '../../storage/engine/database.js'
import {createBatchStatement, type ParameterType, runBatch} from '../../storage/engine/statement.js'

/** Keys in one query: an `in` list of this length still uses the index. */
const AT_ONCE = 500

/** Keys in lists short enough for one query. */
export function* splitKeys<V>(values: readonly V[]): Generator<V[]> {
  for (let from = 0; from < values.length; from += AT_ONCE) yield values.slice(from, from + AT_ONCE)
}

/**
 * A statement for many rows: compiled once for each engine, and run for one row after the other, or for all at once
 * where the engine prefers that.
 *
 * @param columns in the order of the statement's parameters
 * @param compile builds the statement for sample rows; its parameters must be a row's values in order, none of them
 * `undefined` or a boolean
 * @returns `mayMeet`: whether two of the rows may have the same key
 */
export function prepareBulkWrite<Tables, Row extends object>(
  columns: Readonly<Record<keyof Row & string, ParameterType>>,
  compile: (db: Kysely<Tables>, sample: Row[]) => CompiledQuery,
): (db: Kysely<Tables>, rows: readonly Row[], mayMeet?: boolean) => Promise<void> {
  const names = Object.keys(columns) as (keyof Row & string)[]
  const kinds = names.map(name => columns[name])
  const sample = Object.fromEntries(names.map(name => [name, 0])) as Row
  const texts = new Map<EngineName, string>()
  return async (db, rows, mayMeet = false) => {
    if (rows.length === 0) return
    const engine = detectEngine(db)
    const text = texts.get(engine) ?? compile(db, [sample]).sql
    texts.set(engine, text)
    const lists = rows.map(row => names.map(name => row[name]))
    await runBatch(db, createBatchStatement(text, lists, mayMeet ? undefined : kinds))
  }
}

/** Rows fetched at a time: few enough for memory, many enough to spread the query's own cost. */
const PAGE = 500

/**
 * All rows of a query, page by page, each page starting after the last row of the one before; memory stays flat, and no
 * row is skipped when others are added or removed meanwhile.
 *
 * @param limit rows at most, `undefined` for all
 * @param page the rows after `after` in the query's order, at most `size`
 */
export async function* readByKeyset<Row>(
  limit: number | undefined,
  page: (after: Row | undefined, size: number) => Promise<Row[]>,
): AsyncGenerator<Row, void, void> {
  let left = limit ?? Number.POSITIVE_INFINITY
  for (let after: Row | undefined; left > 0; ) {
    const size = Math.min(PAGE, left)
    const rows = await page(after, size)
    yield* rows
    if (rows.length < size) return
    after = rows.at(-1)
    left -= rows.length
  }
}
