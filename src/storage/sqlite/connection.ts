import process from 'node:process'
import {LruCache} from '../engine/lru-cache.js'

/** Most prepared statements on each connection; without a limit, an `in (…)` of every length would fill memory. */
const CACHED_STATEMENTS = 256

/**
 * SQLite writes a commit to the log, and the write queue syncs the log to disk: `normal` leaves only that to us. A
 * checkpoint every 64 MiB, not every 4: with fewer, fewer pages of random keys are written twice.
 */
const WRITER = 'pragma journal_mode = wal; pragma synchronous = normal; pragma wal_autocheckpoint = 16000'

const READS_ONLY = /^\s*select\b/i

/** Sorts and aggregates beyond the cache use an unnamed file, not memory. */
const MEMORY = 'pragma temp_store = file'

/** Default page cache of a connection. */
const CACHE_MIB = 64

interface ConnectionOptions {
  readOnly: boolean
  /** Page cache, MiB. Default 64. */
  cacheMiB?: number | undefined
  /** How long a statement waits for another process's lock before it fails with SQLITE_BUSY. */
  busyTimeoutMs: number
}

/** One SQLite connection with its prepared statements. Every call is synchronous. */
export class SqliteConnection {
  readonly #handle: SqliteHandle
  readonly #byName = new LruCache<SqliteStatement>(CACHED_STATEMENTS)
  readonly #arrays = new LruCache<SqliteStatement>(CACHED_STATEMENTS)
  /** Statements whose rows are being read: their iterators do not keep them from being garbage-collected. */
  readonly #iterated = new Set<SqliteStatement>()
  #changes = 0

  constructor(
    Sqlite: SqliteConstructor,
    file: string,
    {readOnly, busyTimeoutMs, cacheMiB = CACHE_MIB}: ConnectionOptions,
  ) {
    this.#handle = new Sqlite(file, {readOnly})
    try {
      this.#handle.exec(`pragma busy_timeout = ${Math.trunc(busyTimeoutMs)}`)
      if (!readOnly) this.#handle.exec(WRITER)
      this.#handle.exec(`pragma foreign_keys = on; ${MEMORY}; pragma cache_size = -${cacheMiB * 1024}`)
    } catch (error) {
      this.#handle.close()
      throw error
    }
  }

  /** Number of executed statements that may have changed something. */
  get changes(): number {
    return this.#changes
  }

  /** Runs statements without rows; several may be separated by semicolons. */
  execute(sql: string): void {
    this.#changes += 1
    this.#handle.exec(sql)
  }

  /** Prepares a statement that the caller keeps; it is valid until the connection closes. */
  prepare(sql: string): SqliteStatement {
    return this.#handle.prepare(sql)
  }

  /** Runs a statement from `prepare` that returns no rows. */
  runPrepared(statement: SqliteStatement, parameters: readonly unknown[]): void {
    this.#changes += 1
    // Like `run`, which would also create an object with the number of changes.
    statement.get(...bindSqliteParameters(parameters))
  }

  /** All rows, each an object keyed by column name. */
  readObjects(sql: string, parameters: readonly unknown[]): unknown[] {
    if (!READS_ONLY.test(sql)) this.#changes += 1
    return this.#prepareCached(this.#byName, sql).all(...bindSqliteParameters(parameters))
  }

  run(
    sql: string,
    parameters: readonly unknown[],
  ): {changes: number | bigint; lastInsertRowid: number | bigint} {
    this.#changes += 1
    return this.#prepareCached(this.#byName, sql).run(...bindSqliteParameters(parameters))
  }

  /** Runs one statement once for each list of parameters, all of them of SQLite's types. */
  runEach(sql: string, lists: readonly (readonly unknown[])[]): void {
    this.#changes += 1
    const statement = this.#prepareCached(this.#byName, sql)
    for (const list of lists) statement.run(...(list as SqliteValue[]))
  }

  /** All rows, each an array in the order of the selected columns: half the cost of objects on wide rows. */
  readArrays(sql: string, parameters: readonly unknown[]): unknown[][] {
    const statement = this.#prepareCached(this.#arrays, sql)
    if (statement.setReturnArrays) {
      statement.setReturnArrays(true)
      return statement.all(...bindSqliteParameters(parameters)) as unknown[][]
    }
    return statement.all(...bindSqliteParameters(parameters)).map(row => Object.values(row as object))
  }

  /** Rows one after the other as objects, for results that do not fit in memory. */
  *iterate(sql: string, parameters: readonly unknown[]): Generator<unknown, void, void> {
    const statement = this.#handle.prepare(sql)
    this.#iterated.add(statement)
    try {
      yield* statement.iterate(...bindSqliteParameters(parameters)) as Iterable<unknown>
    } finally {
      this.#iterated.delete(statement)
    }
  }

  close(): void {
    this.#byName.clear()
    this.#arrays.clear()
    this.#handle.close()
  }

  #prepareCached(kept: LruCache<SqliteStatement>, sql: string): SqliteStatement {
    return kept.getOrCreate(sql, () => this.#handle.prepare(sql))
  }
}

/** Most lists can be bound as they are; only those with a boolean or `undefined` are copied. */
export function bindSqliteParameters(parameters: readonly unknown[]): SqliteValue[] {
  return parameters.some(needsConversion) ? parameters.map(convertParameter) : (parameters as SqliteValue[])
}

function needsConversion(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean'
}

function convertParameter(value: unknown): SqliteValue {
  if (value === undefined) return null
  return typeof value === 'boolean' ? Number(value) : (value as SqliteValue)
}

/** A value that SQLite accepts as a parameter. */
type SqliteValue = null | number | bigint | string | Uint8Array

/** The part of the `node:sqlite` statement that the store uses. */
export interface SqliteStatement {
  all(...parameters: SqliteValue[]): unknown[]
  /** The first row; `undefined` where there is none. */
  get(...parameters: SqliteValue[]): unknown
  run(...parameters: SqliteValue[]): {changes: number | bigint; lastInsertRowid: number | bigint}
  iterate(...parameters: SqliteValue[]): Iterable<unknown>
  /** Rows as arrays instead of objects; absent before Node 22.16. */
  setReturnArrays?(asArrays: boolean): void
}

/** The part of the `node:sqlite` connection that the store uses. */
interface SqliteHandle {
  exec(sql: string): void
  prepare(sql: string): SqliteStatement
  close(): void
}

/** The constructor of a connection: the class of `node:sqlite`, or of the package with the same API. */
export type SqliteConstructor = new (file: string, options?: {readOnly?: boolean}) => SqliteHandle

/**
 * The SQLite of the running Node where it has one, else the package with the same API.
 *
 * Node warns on stderr that its own is experimental when it is first loaded; operators cannot act on that, so this one
 * warning is suppressed while the module loads.
 */
export async function loadSqlite(): Promise<SqliteConstructor> {
  const builtIn = loadBuiltIn()
  if (builtIn) return builtIn
  const {DatabaseSync} = await import('@photostructure/sqlite')
  return DatabaseSync as unknown as SqliteConstructor
}

function loadBuiltIn(): SqliteConstructor | undefined {
  const emitWarning = process.emitWarning
  process.emitWarning = ((warning: string | Error, ...rest: never[]) => {
    if (!String(warning).includes('SQLite')) emitWarning.call(process, warning, ...rest)
  }) as typeof process.emitWarning
  try {
    const module = process.getBuiltinModule('node:sqlite' as 'node:fs') as unknown
    return (module as {DatabaseSync?: SqliteConstructor} | undefined)?.DatabaseSync
  } finally {
    process.emitWarning = emitWarning
  }
}
