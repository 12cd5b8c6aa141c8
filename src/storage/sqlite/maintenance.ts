import {type QueryExecutorProvider, sql} from 'kysely'
import {retryWithBackoff} from '../../platform/backoff.js'
import type {EngineInspector, EraseResult} from '../engine/database.js'
import type {SqliteConnection} from './connection.js'
import {isLockedByOther} from './errors.js'

/** Inspects an SQLite database. */
export const sqliteInspector: EngineInspector = {
  nameVersionTable: () => 'schema_version',
  readVersion: async db => {
    const {rows} = await sql<{version: string}>`select sqlite_version() as version`.execute(db)
    return `SQLite ${rows[0]?.version}`
  },
  listTables: async db => {
    // Without the internal tables of full-text indices, and the table of their progress.
    const {rows} = await sql<{name: string}>`
      select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\'
        and name not like '%\\_trigram\\_%' escape '\\' order by name`.execute(db)
    return rows.map(({name}) => name)
  },
  readPrimaryKey: async (db, table) => {
    const {rows} = await sql<{name: string}>`
      select name from pragma_table_info(${table}) where pk > 0 order by pk`.execute(db)
    return rows.map(({name}) => name)
  },
  readSizeBytes: async db => {
    const {rows} = await sql<{bytes: number}>`
      select page_count * page_size as bytes from pragma_page_count, pragma_page_size`.execute(db)
    return rows[0]?.bytes ?? 0
  },
  readFreeBytes: async db => {
    const {rows} = await sql<{bytes: number}>`
      select freelist_count * page_size as bytes from pragma_freelist_count, pragma_page_size`.execute(db)
    return rows[0]?.bytes ?? 0
  },
  // SQLite has no half-built indices; to find a damaged one, the whole file would have to be read.
  listBrokenIndices: async () => [],
  restartNumbering: async () => {},
}

/**
 * Checks a whole database file, and returns SQLite's findings; `undefined` where it is intact.
 *
 * @see https://www.sqlite.org/pragma.html#pragma_quick_check
 */
export async function checkIntegrity(db: QueryExecutorProvider): Promise<string | undefined> {
  const {rows} = await sql<{quick_check: string}>`pragma quick_check(1)`.execute(db)
  const message = rows[0]?.quick_check
  return message === 'ok' ? undefined : message
}

/** How long to wait for others that lock the file, and how often to retry. */
const TIMEOUT_MS = 10_000
const PAUSES = {firstMs: 100, longestMs: 100}

/**
 * Rewrites a database file without deleted data, and empties its log. Others may continue to read and write; data that
 * they still read stays in the log until they are done.
 *
 * @param connection the writing connection, with nothing else in progress
 */
export async function eraseDeleted(connection: SqliteConnection): Promise<EraseResult> {
  connection.execute('pragma secure_delete = on')
  const isRewritten = await retryUntilDone(() => {
    connection.execute('vacuum')
    return true
  })
  if (!isRewritten) return {kind: 'in-use', why: 'another process has been writing to it for too long'}
  const isEmptied = await retryUntilDone(() => {
    const [row] = connection.readObjects('pragma wal_checkpoint(truncate)', []) as {busy: number}[]
    return row?.busy === 0
  })
  if (isEmptied) return {kind: 'erased'}
  return {kind: 'in-use', why: 'another process has been reading it for too long'}
}

function retryUntilDone(step: () => boolean): Promise<boolean> {
  return retryWithBackoff(
    () => {
      try {
        return step()
      } catch (error) {
        if (!isLockedByOther(error)) throw error
        return false
      }
    },
    {...PAUSES, timeoutMs: TIMEOUT_MS, isUnfinished: isDone => !isDone},
  )
}
