import type {CompiledQuery, Kysely} from 'kysely'

/** Rows of one statement at most: SQLite takes 32766 parameters, PostgreSQL 65535. */
const LARGEST = 64

/**
 * A statement over many rows that is compiled once for each number of rows, which are powers of two: building the
 * SQL anew each time costs more than running it.
 *
 * @param compile builds the statement for that many rows; its parameters must be the rows' values in order
 */
export function bulk<Tables, Row extends object>(
  columns: readonly (keyof Row & string)[],
  compile: (db: Kysely<Tables>, sample: Row[]) => CompiledQuery,
): (db: Kysely<Tables>, rows: readonly Row[]) => Promise<void> {
  const compiled = new Map<number, CompiledQuery>()
  const sample = Object.fromEntries(columns.map(column => [column, 0])) as Row
  return async (db, rows) => {
    for (let from = 0; from < rows.length; ) {
      const size = Math.min(LARGEST, 2 ** Math.floor(Math.log2(rows.length - from)))
      let query = compiled.get(size)
      if (!query) {
        query = compile(
          db,
          Array.from({length: size}, () => sample),
        )
        compiled.set(size, query)
      }
      const parameters: unknown[] = []
      for (const row of rows.slice(from, from + size))
        for (const column of columns) parameters.push(row[column])
      await db.executeQuery({...query, parameters})
      from += size
    }
  }
}
