import {StorectlError} from '../errors.js'
import type {Database, DatabaseLocation, OpenOptions} from './engine/database.js'

/**
 * Opens a database and brings its schema up to date. Any number of processes may have it open.
 *
 * @throws StorectlError as `openSqlite` and `openPostgres` list them, and `usage.database_too_new`
 */
export async function openDatabase<Tables>(
  location: DatabaseLocation,
  options: OpenOptions,
): Promise<Database<Tables>> {
  if (typeof location === 'string') return (await import('./sqlite/sqlite.js')).openSqlite(location, options)
  return (await import('./postgres/postgres.js')).openPostgres(location, options)
}

/** For `catch`: returns `undefined` for a database that does not exist or has no tables yet. */
export function ignoreMissing(error: unknown): undefined {
  if (error instanceof StorectlError && error.code === 'internal.database_not_opened') return undefined
  throw error
}
