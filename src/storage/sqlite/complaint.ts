import {type QueryExecutorProvider, sql} from 'kysely'

/**
 * What SQLite finds wrong with a database file when it reads all of it; `undefined` when nothing is.
 *
 * @see https://www.sqlite.org/pragma.html#pragma_quick_check
 */
export async function complaintOf(db: QueryExecutorProvider): Promise<string | undefined> {
  const {rows} = await sql<{quick_check: string}>`pragma quick_check(1)`.execute(db)
  const said = rows[0]?.quick_check
  return said === 'ok' ? undefined : said
}
