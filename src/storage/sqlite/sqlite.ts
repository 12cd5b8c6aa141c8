import {chmodSync, closeSync, existsSync, fdatasync, mkdirSync, openSync, statSync} from 'node:fs'
import {dirname} from 'node:path'
import {type CompiledQuery, sql} from 'kysely'
import type {Database, OpenOptions, WriteQueue} from '../engine/database.js'
import {Recent} from '../engine/lru-cache.js'
import {
  type ExpectedSchema,
  migrate,
  needsMigration,
  readSchemaState,
  refuseUnusable,
} from '../engine/migrations.js'
import {filled} from '../engine/statement.js'
import {SqliteConnection} from './connection.js'
import {kyselyOver} from './dialect.js'
import {loadSqlite} from './driver.js'
import {isBusy, storageError} from './errors.js'
import {erase, sqliteLooks} from './maintenance.js'
import {createWriteQueue} from './write-queue.js'

/** Waiting inside SQLite stops the event loop, so longer waits are made of many short ones. */
const BUSY_TIMEOUT_MS = 50
const READ_BUSY_TIMEOUT_MS = 5_000
const LOCK_TIMEOUT_MS = 10_000

/** Beyond what is folded into the file while it is written, and longer to read than a command should take to start. */
const LARGE_LOG_BYTES = 24 * 1024 * 1024

/** A program asks in a few ways, over and over; a person in some more. */
const KEPT_SHAPES = 200

/**
 * Opens a SQLite database file (made with mode 0600 where there is none) and brings its schema up to date.
 *
 * Any number of processes may have it open. Within one process open it once: SQLite is synchronous, and a second
 * writer would stop the event loop that has to release the first.
 *
 * @throws StorectlError as `storageError` lists them, `usage.database_too_new`, and `usage.database_too_old`
 */
export async function openSqlite<Tables>(file: string, options: OpenOptions): Promise<Database<Tables>> {
  const Sqlite = await loadSqlite()
  const opened: SqliteConnection[] = []
  const log = new LogFile(file)
  const connect = (readOnly: boolean, busyTimeoutMs: number) => {
    const connection = new SqliteConnection(Sqlite, file, {
      readOnly,
      busyTimeoutMs,
      cacheMiB: options.cacheMiB,
    })
    opened.push(connection)
    return connection
  }
  try {
    const writes = options.readOnly
      ? refusedWrites<Tables>(file)
      : await openWriter<Tables>(file, connect, log, options)
    const reader = connect(options.readOnly ?? false, READ_BUSY_TIMEOUT_MS)
    const expected = expectedSchema(file, options)
    if (options.readOnly && expected.migrations.length > 0) {
      refuseUnusable(await readSchemaState(kyselyOver(reader, file), expected), expected)
    }
    return {...openedDatabase(file, reader, writes, log, opened), ...ownWays(options)}
  } catch (error) {
    log.close()
    for (const connection of opened) connection.close()
    throw storageError(error, file)
  }
}

function expectedSchema(file: string, {migrations}: OpenOptions): ExpectedSchema {
  return {migrations, versionTable: sqliteLooks.versionTable('records'), location: file}
}

type Connect = (readOnly: boolean, busyTimeoutMs: number) => SqliteConnection

async function openWriter<Tables>(
  file: string,
  connect: Connect,
  log: LogFile,
  options: OpenOptions,
): Promise<WriteQueue<Tables>> {
  const lockTimeoutMs = options.lockTimeoutMs ?? LOCK_TIMEOUT_MS
  prepareDatabaseFile(file)
  const connection = await retryWhileBusy(() => connect(false, BUSY_TIMEOUT_MS), lockTimeoutMs)
  const db = kyselyOver<Tables>(connection, file)
  const writes = createWriteQueue<Tables>({
    connection,
    db,
    isBusy,
    explain: error => storageError(error, file),
    sync: () => log.sync(),
    lockTimeoutMs,
  })
  const expected = expectedSchema(file, options)
  if (await needsMigration(db, expected)) {
    await writes.run(transaction => migrate(transaction, expected, options.now()))
  }
  return writes
}

/** There is one writer at a time, so rows need no locks; and whoever has the file open is on this machine. */
function ownWays({now}: Pick<OpenOptions, 'now'>) {
  const none = sql``
  return {
    locks: {forShare: none, forUpdate: none, skipLocked: none},
    nowMs: () => sql<number>`${now().getTime()}`,
    readNowMs: async () => now().getTime(),
  }
}

function openedDatabase<Tables>(
  file: string,
  reader: SqliteConnection,
  writes: WriteQueue<Tables>,
  log: LogFile,
  opened: SqliteConnection[],
): Omit<Database<Tables>, keyof ReturnType<typeof ownWays>> {
  const shapes = new Recent<CompiledQuery>(KEPT_SHAPES)
  const readRows = async ({sql, parameters}: Pick<CompiledQuery, 'sql' | 'parameters'>) => {
    try {
      return reader.allArrays(sql, parameters)
    } catch (error) {
      throw storageError(error, file)
    }
  }
  const reads = kyselyOver<Tables>(reader, file)
  return {
    engine: 'sqlite',
    location: file,
    reads,
    writes,
    snapshot: async look => {
      reader.execute('begin')
      try {
        return await look(reads)
      } finally {
        reader.execute('commit')
      }
    },
    readRows,
    readShaped: (shape, compile, values) => {
      const {sql, parameters} = shapes.of(shape, compile)
      return readRows({sql, parameters: filled(parameters, values)})
    },
    erase: async () => {
      await writes.idle()
      try {
        return await erase(opened[0] as SqliteConnection)
      } catch (error) {
        throw storageError(error, file)
      }
    },
    close: async () => {
      await writes.idle()
      log.close()
      foldLog(opened, log.sizeBytes)
      for (const connection of opened.splice(0)) connection.close()
    },
  }
}

/**
 * Brings what stands in the log into the file, so that a copy of the file alone has everything. SQLite does so by itself
 * when the last connection goes, but that of Node 20 stays behind until its statements have been collected. A log that one
 * long write has made large is emptied as well: whoever opens the file next would read all of it. Hardly waits.
 */
function foldLog([first]: readonly SqliteConnection[], sizeBytes: number): void {
  try {
    first?.execute(`pragma wal_checkpoint(${sizeBytes > LARGE_LOG_BYTES ? 'truncate' : 'passive'})`)
  } catch {
    // Read-only, or a full disk: everything stays safe in the log.
  }
}

/** Turning a new file into WAL mode needs it alone for a moment; two processes that start at once take turns. */
async function retryWhileBusy<T>(open: () => T, timeoutMs: number): Promise<T> {
  for (let waitedMs = 0; ; waitedMs += BUSY_TIMEOUT_MS) {
    try {
      return open()
    } catch (error) {
      if (!isBusy(error) || waitedMs >= timeoutMs) throw error
    }
    await new Promise(resolve => setTimeout(resolve, BUSY_TIMEOUT_MS / 2))
  }
}

function refusedWrites<Tables>(file: string): WriteQueue<Tables> {
  const readOnlyCode = 8
  return {
    run: () => Promise.reject(storageError({errcode: readOnlyCode}, file)),
    idle: async () => {},
  }
}

/** Readable and writable by the owner alone: the files hold addresses of customers and secrets. */
const PRIVATE_FILE = 0o600
const PRIVATE_FOLDER = 0o700

/**
 * Makes the folder and an empty file where there is none, for the owner's eyes only. SQLite gives its WAL and
 * shared-memory files the same mode as the database, so the first file decides for all three.
 */
export function prepareDatabaseFile(file: string): void {
  mkdirSync(dirname(file), {recursive: true, mode: PRIVATE_FOLDER})
  if (existsSync(file)) return
  closeSync(openSync(file, 'a', PRIVATE_FILE))
  chmodSync(file, PRIVATE_FILE)
}

/**
 * The write-ahead log beside a database, which commits are appended to. SQLite would bring it to the disk itself and
 * keep the whole process waiting; here a thread of Node's waits, and requests are read meanwhile.
 *
 * @see https://sqlite.org/wal.html
 */
export class LogFile {
  #descriptor: number | undefined

  constructor(private readonly databaseFile: string) {}

  /** Resolves once everything that was committed before is on disk. */
  sync(): Promise<void> {
    // The log is there from the first commit on, and stays while a connection is open.
    this.#descriptor ??= openSync(`${this.databaseFile}-wal`, 'r+')
    const descriptor = this.#descriptor
    return new Promise((resolve, reject) => {
      fdatasync(descriptor, error => (error ? reject(error) : resolve()))
    })
  }

  /** 0 where there is none. */
  get sizeBytes(): number {
    return statSync(`${this.databaseFile}-wal`, {throwIfNoEntry: false})?.size ?? 0
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor)
    this.#descriptor = undefined
  }
}
