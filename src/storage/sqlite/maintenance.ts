import {type QueryExecutorProvider, sql} from 'kysely'
import type {EngineLooks, EraseResult} from '../engine/database.js'
import type {SqliteConnection} from './connection.js'
import {isBusy} from './errors.js'

/** What SQLite says of itself. */
export const sqliteLooks: EngineLooks = {
  versionTable: () => 'schema_version',
  version: async db => {
    const {rows} = await sql<{version: string}>`select sqlite_version() as version`.execute(db)
    return `SQLite ${rows[0]?.version}`
  },
  tables: async db => {
    // What an index of texts keeps its own things in, and what remembers how far it has come, are no tables of rows.
    const {rows} = await sql<{name: string}>`
      select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\'
        and name not like '%\\_trigram\\_%' escape '\\' order by name`.execute(db)
    return rows.map(({name}) => name)
  },
  primaryKey: async (db, table) => {
    const {rows} = await sql<{name: string}>`
      select name from pragma_table_info(${table}) where pk > 0 order by pk`.execute(db)
    return rows.map(({name}) => name)
  },
  sizeBytes: async db => {
    const {rows} = await sql<{bytes: number}>`
      select page_count * page_size as bytes from pragma_page_count, pragma_page_size`.execute(db)
    return rows[0]?.bytes ?? 0
  },
  freeBytes: async db => {
    const {rows} = await sql<{bytes: number}>`
      select freelist_count * page_size as bytes from pragma_freelist_count, pragma_page_size`.execute(db)
    return rows[0]?.bytes ?? 0
  },
  // Its indices are never half made; whether one is damaged takes a look at all of the file.
  brokenIndices: async () => [],
  afterCopying: async () => {},
}

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

/** How long others may keep the file to themselves, and how often it is tried. */
const PATIENCE_MS = 10_000
const PAUSE_MS = 100

/**
 * Rewrites a database file without what was deleted from it, now or ever, and empties its log. Others may go on reading and
 * writing; what they still look at stays in the log until they are done.
 *
 * @param connection the one that writes; nothing else may be under way on it
 */
export async function erase(connection: SqliteConnection): Promise<EraseResult> {
  connection.execute('pragma secure_delete = on')
  const isRewritten = await patiently(() => {
    connection.execute('vacuum')
    return true
  })
  if (!isRewritten) return {kind: 'in-use', why: 'another process has been writing to it for too long'}
  const isEmptied = await patiently(() => {
    const [row] = connection.all('pragma wal_checkpoint(truncate)', []) as {busy: number}[]
    return row?.busy === 0
  })
  if (isEmptied) return {kind: 'erased'}
  return {kind: 'in-use', why: 'another process has been reading it for too long'}
}

async function patiently(step: () => boolean): Promise<boolean> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      if (step()) return true
    } catch (error) {
      if (!isBusy(error)) throw error
    }
    if (performance.now() >= deadline) return false
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
  }
}
