import type {Database} from './database.js'
import type {Migration} from './migrations.js'
import type {DatabasePlace} from './place.js'

/** Which tables a database holds; in PostgreSQL both kinds lie side by side, each with steps of its own. */
export type DatabaseName = 'records' | 'shop'

export interface OpenOptions {
  /** Default `records`. */
  name?: DatabaseName
  migrations: readonly Migration[]
  now(): Date
  /** Opens only what is there, and refuses writes. Default false. */
  readOnly?: boolean
  /** How long a write waits for another process, milliseconds. Default 10 000. */
  lockTimeoutMs?: number
  /** Pages that each connection to a file keeps, MiB. Default 64. */
  cacheMiB?: number
}

/**
 * Opens a database and brings its schema up to date. Any number of processes may have it open.
 *
 * @throws StorectlError as `openSqlite` and `openPostgres` list them, and `usage.database_too_new`
 */
export async function openDatabase<Tables>(
  place: DatabasePlace,
  options: OpenOptions,
): Promise<Database<Tables>> {
  if (typeof place === 'string') return (await import('./sqlite/open.js')).openSqlite(place, options)
  return (await import('./postgres/open.js')).openPostgres(place, options)
}
