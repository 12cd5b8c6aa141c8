import {closeSync, fdatasync, openSync} from 'node:fs'
import {dirname} from 'node:path'
import {type CompiledQuery, type Kysely, sql} from 'kysely'
import {retryWithBackoff} from '../../platform/backoff.js'
import {syncFolder} from '../../platform/files/files.js'
import {openLeaseClock} from '../../platform/lease-clock.js'
import type {Database, EraseResult, OpenOptions, WriteQueue} from '../engine/database.js'
import {LruCache} from '../engine/lru-cache.js'
import {
  type ExpectedSchema,
  migrate,
  needsMigration,
  readSchemaState,
  refuseUnusable,
} from '../engine/migrations.js'
import {fillSlots} from '../engine/statement.js'
import {loadSqlite, SqliteConnection, type SqliteConstructor} from './connection.js'
import {prepareDatabaseFile, refuseEmptyFile} from './database-file.js'
import {createSqliteKysely} from './dialect.js'
import {explainSqliteError, isLockedByOther} from './errors.js'
import {eraseDeleted, sqliteInspector} from './maintenance.js'
import {createSqliteWriteQueue} from './write-queue.js'

/** Waiting inside SQLite blocks the event loop, so a longer wait is split into many short ones. */
const BUSY_TIMEOUT_MS = 50
const READ_BUSY_TIMEOUT_MS = 5_000
const LOCK_TIMEOUT_MS = 10_000
const OPENING_PAUSES = {firstMs: 25, longestMs: 25}

/** A program repeats few queries; a person adds some more. */
const CACHED_QUERIES = 200

/**
 * Opens an SQLite database file (created with mode 0600 where missing) and migrates its schema.
 *
 * Any number of processes may have it open. Open it only once in a process: SQLite is synchronous, and a second writer
 * would block the event loop that has to release the first.
 *
 * @throws StorectlError as `explainSqliteError` lists them, `usage.database_too_new`, and `usage.database_too_old`
 */
export async function openSqlite<Tables>(file: string, options: OpenOptions): Promise<Database<Tables>> {
  return openDatabaseFiles(new OpenFile(file, await loadSqlite(), options), options)
}

/** The files of an open database; in memory where tests simulate faults. */
export interface DatabaseFiles {
  /** Path, for messages. */
  readonly path: string
  /** Creates the file, if missing, before the first writing connection. */
  create(): void
  connect(readOnly: boolean, busyTimeoutMs: number): SqliteConnection
  /** Resolves once all earlier commits are durable. */
  sync(): Promise<void>
  /** Checkpoints the whole log into the file, and restarts the log. @throws where that is not possible */
  foldLog(): void
  erase(): Promise<EraseResult>
  closeWithCheckpoint(): void
  close(): void
}

/**
 * Opens a database on its files and migrates its schema.
 *
 * @throws StorectlError as `openSqlite` does
 */
export async function openDatabaseFiles<Tables>(
  files: DatabaseFiles,
  options: OpenOptions,
): Promise<Database<Tables>> {
  const {path: file} = files
  try {
    refuseEmptyFile(file)
    const writes = options.readOnly ? refuseWrites<Tables>(file) : await openWriter<Tables>(files, options)
    const reader = files.connect(options.readOnly ?? false, READ_BUSY_TIMEOUT_MS)
    const reads = createSqliteKysely<Tables>(reader, file)
    const expected = buildExpectedSchema(file, options)
    if (options.readOnly && expected.migrations.length > 0) {
      refuseUnusable(await readSchemaState(reads, expected), expected)
    }
    return {
      engine: 'sqlite',
      ...{location: file, reads, writes},
      ...createReaders(reader, reads, file),
      ...createLocksAndClock(options),
      erase: () => writes.waitUntilIdle().then(() => files.erase()),
      close: () => writes.waitUntilIdle().then(() => files.closeWithCheckpoint()),
    }
  } catch (error) {
    files.close()
    throw explainSqliteError(error, file)
  }
}

/** A database file with its log and the connections to it. */
class OpenFile implements DatabaseFiles {
  private readonly log: WriteAheadLog
  readonly #connections: SqliteConnection[] = []

  constructor(
    readonly path: string,
    private readonly Sqlite: SqliteConstructor,
    private readonly options: Pick<OpenOptions, 'cacheMiB'>,
  ) {
    this.log = new WriteAheadLog(path)
  }

  create(): void {
    prepareDatabaseFile(this.path)
  }

  sync(): Promise<void> {
    return this.log.sync()
  }

  foldLog(): void {
    foldLog(this.#connections[0] as SqliteConnection)
  }

  connect(readOnly: boolean, busyTimeoutMs: number): SqliteConnection {
    const {cacheMiB} = this.options
    const connection = new SqliteConnection(this.Sqlite, this.path, {readOnly, busyTimeoutMs, cacheMiB})
    this.#connections.push(connection)
    return connection
  }

  /** Uses the first connection, which is the writing one. */
  async erase(): Promise<EraseResult> {
    try {
      return await eraseDeleted(this.#connections[0] as SqliteConnection)
    } catch (error) {
      throw explainSqliteError(error, this.path)
    }
  }

  /**
   * Checkpoints the log first, so that a copy of the file alone is complete. SQLite does so itself when the last
   * connection closes, but in Node 20 that one stays open until its statements are garbage-collected. Also empties the
   * log, which the next command would read and checkpoint again. Waits for nobody: others may be using the log.
   */
  closeWithCheckpoint(): void {
    this.log.close()
    try {
      this.#connections[0]?.execute('pragma busy_timeout = 0; pragma wal_checkpoint(truncate)')
    } catch {
      // Read-only, or a full disk: all data is safe in the log.
    }
    this.close()
  }

  close(): void {
    this.log.close()
    for (const connection of this.#connections.splice(0)) connection.close()
  }
}

function buildExpectedSchema(file: string, {migrations}: OpenOptions): ExpectedSchema {
  return {migrations, versionTable: sqliteInspector.nameVersionTable('records'), location: file}
}

async function openWriter<Tables>(files: DatabaseFiles, options: OpenOptions): Promise<WriteQueue<Tables>> {
  const {path: file} = files
  const lockTimeoutMs = options.lockTimeoutMs ?? LOCK_TIMEOUT_MS
  files.create()
  // Switching a new file to WAL mode needs exclusive access for a moment; two processes that start at once take turns.
  const connection = await retryWithBackoff(() => files.connect(false, BUSY_TIMEOUT_MS), {
    ...OPENING_PAUSES,
    timeoutMs: lockTimeoutMs,
    isPassing: isLockedByOther,
  })
  const db = createSqliteKysely<Tables>(connection, file)
  const writes = createSqliteWriteQueue<Tables>({
    ...{connection, db, isLockedByOther, lockTimeoutMs},
    explain: error => explainSqliteError(error, file),
    sync: () => files.sync(),
    foldLog: () => files.foldLog(),
  })
  const expected = buildExpectedSchema(file, options)
  if (await needsMigration(db, expected)) {
    await writes.run(transaction => migrate(transaction, expected, options.now()))
  }
  return writes
}

const SQLITE_BUSY = 5

/** @throws SQLite's error; a lock error while a reader needs pages that are only in the log */
export function foldLog(connection: SqliteConnection): void {
  const [row] = connection.readObjects('pragma wal_checkpoint(restart)', []) as {readonly busy: number}[]
  if (row?.busy !== 0) throw Object.assign(new Error('the log is being read'), {errcode: SQLITE_BUSY})
}

/** With one writer at a time, rows need no locks; and all processes that have the file open are on this machine. */
function createLocksAndClock({
  now,
  readLeaseMs = openLeaseClock(),
}: Pick<OpenOptions, 'now' | 'readLeaseMs'>) {
  const none = sql``
  return {
    rowLocks: {forShare: none, forUpdate: none, skipLocked: none},
    selectNowMs: () => sql<number>`${now().getTime()}`,
    readNowMs: async () => now().getTime(),
    selectLeaseMs: () => sql<number>`${readLeaseMs()}`,
    readLeaseMs: async () => readLeaseMs(),
  }
}

function createReaders<Tables>(
  reader: SqliteConnection,
  reads: Kysely<Tables>,
  file: string,
): Pick<Database<Tables>, 'readRows' | 'readCached' | 'readSnapshot'> {
  const queries = new LruCache<CompiledQuery>(CACHED_QUERIES)
  const readRows = async ({sql, parameters}: Pick<CompiledQuery, 'sql' | 'parameters'>) => {
    try {
      return reader.readArrays(sql, parameters)
    } catch (error) {
      throw explainSqliteError(error, file)
    }
  }
  return {
    readRows,
    readCached: (fingerprint, compile, values) => {
      const {sql, parameters} = queries.getOrCreate(fingerprint, compile)
      return readRows({sql, parameters: fillSlots(parameters, values)})
    },
    readSnapshot: async read => {
      reader.execute('begin')
      try {
        return await read(reads)
      } finally {
        reader.execute('commit')
      }
    },
  }
}

function refuseWrites<Tables>(file: string): WriteQueue<Tables> {
  const readOnlyCode = 8
  return {
    run: () => Promise.reject(explainSqliteError({errcode: readOnlyCode}, file)),
    waitUntilIdle: async () => {},
  }
}

/**
 * The write-ahead log of a database. SQLite would sync it itself and block the whole process; here a thread of Node
 * waits for the sync, and requests are read meanwhile.
 *
 * @see https://sqlite.org/wal.html
 */
class WriteAheadLog {
  #descriptor: number | undefined

  constructor(private readonly databaseFile: string) {}

  /** Resolves once all earlier commits are on disk. */
  sync(): Promise<void> {
    // The log exists from the first commit on, while a connection is open.
    const isNew = this.#descriptor === undefined
    this.#descriptor ??= openSync(`${this.databaseFile}-wal`, 'r+')
    const descriptor = this.#descriptor
    return new Promise((resolve, reject) => {
      fdatasync(descriptor, error => {
        if (error) return reject(error)
        // The directory entries of database and log are new, too; SQLite itself would sync the folder later.
        if (isNew) syncFolder(dirname(this.databaseFile))
        resolve()
      })
    })
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }
}
