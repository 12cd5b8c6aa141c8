import type {ConnectionOptions} from 'node:tls'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type Kysely,
  PostgresAdapter,
  type RawBuilder,
} from 'kysely'

export type EngineName = 'sqlite' | 'postgres'

/** The engine of a connection. @param db any connection, also one inside a transaction */
export function detectEngine<Tables>(db: Kysely<Tables>): EngineName {
  return db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'
}

/** An open database: reads on one connection, writes queued on another. */
export interface Database<Tables> {
  /** The engine, only for code that must differ. */
  readonly engine: EngineName
  /** Its location, for messages. */
  readonly location: string
  /** Sees committed data only. */
  readonly reads: Kysely<Tables>
  readonly writes: WriteQueue<Tables>
  /** The rows of a compiled query as arrays, in the order of its columns: for exporting wide rows. */
  readRows(query: CompiledQuery): Promise<unknown[][]>
  /**
   * As `readRows`, for queries that differ only in their values: each shape is compiled once, with slots in place of
   * values, and the most recently used shapes are cached.
   *
   * @param values by the names of the slots
   */
  readCached(shape: string, compile: () => CompiledQuery, values: object): Promise<unknown[][]>
  /** Reads from one snapshot, while others continue to write. */
  readSnapshot<T>(look: (db: Kysely<Tables>) => Promise<T>): Promise<T>
  readonly rowLocks: RowLocks
  /** Milliseconds since 1970 by the clock that all users of the database share. */
  selectNowMs(): RawBuilder<number>
  /** The same as a value, read within a write. */
  readNowMs(db: Kysely<Tables>): Promise<number>
  /**
   * Milliseconds for leases, since no fixed moment: setting a clock ends no lease early, except the clock of a database
   * server. A lease that ends more than `LONGEST_LEASE_MS` from now is from another boot, and expired.
   */
  selectLeaseMs(): RawBuilder<number>
  /** The same as a value. */
  readLeaseMs(db: Kysely<Tables>): Promise<number>
  /** Rewrites the SQLite file without deleted data. */
  erase(): Promise<EraseResult>
  /** Waits for pending writes, then closes. Idempotent. */
  close(): Promise<void>
}

/** A lease that ends later than this was taken with another clock. */
export const LONGEST_LEASE_MS = 3_600_000

/** The result of erasing deleted data. */
export type EraseResult =
  /** The file contains no deleted data any more. */
  | {readonly kind: 'erased'}
  /** Others use the file, so it may still contain parts of it. */
  | {readonly kind: 'in-use'; readonly why: string}

/**
 * Row locks, for the `modifyEnd` of a select: others must not change the rows until the write has ended. Empty in
 * SQLite, which has one writer at a time.
 */
export interface RowLocks {
  /** Others may read the rows, and also lock them for share. */
  readonly forShare: RawBuilder<unknown>
  readonly forUpdate: RawBuilder<unknown>
  /** As `forUpdate`, without rows that others have locked. */
  readonly skipLocked: RawBuilder<unknown>
}

/** A database whose tables are being created, so that types cannot describe them yet. */
// biome-ignore lint/suspicious/noExplicitAny: kysely's own migrations are typed like this; unknown refuses every table
export type UntypedDatabase = Kysely<any>

/**
 * One step of a database's schema; the first creates all of it. There are no steps back; a released one is never
 * edited.
 */
export interface Migration {
  /** 1 for the initial schema; larger than those before it. */
  version: number
  name: string
  /** Whether programs that do not know this step must not use the database. Not needed for steps that only add. */
  breaksOlder?: boolean
  up(db: UntypedDatabase): Promise<void>
}

/** Which tables a database has; a PostgreSQL database may have both, each with steps of its own. */
export type TableSet = 'records' | 'shop'

export interface OpenOptions {
  /** Default `records`. */
  name?: TableSet
  migrations: readonly Migration[]
  now(): Date
  /** In place of `openLeaseClock`; unused where the database has a clock. */
  readLeaseMs?: (() => number) | undefined
  /** Creates nothing, and refuses writes. Default false. */
  readOnly?: boolean
  /** How long a write waits for another process, milliseconds. Default 10 000. */
  lockTimeoutMs?: number
  /** Page cache of each connection to a file, MiB. Default 64. */
  cacheMiB?: number
}

/** Engine-specific queries about the database itself. */
export interface EngineInspector {
  /** The table with the applied migrations: records and shop have a file each, but may share a PostgreSQL database. */
  nameVersionTable(name: TableSet): string
  /** `SQLite 3.51.0`, `PostgreSQL 18.4` */
  readVersion(db: UntypedDatabase): Promise<string>
  /** Tables with rows, including those of other programs in the same schema. */
  listTables(db: UntypedDatabase): Promise<string[]>
  readPrimaryKey(db: UntypedDatabase, table: string): Promise<string[]>
  /** Size of tables with their indices. */
  readSizeBytes(db: UntypedDatabase, tables: readonly string[]): Promise<number>
  /** Space that could be returned to the system. */
  readFreeBytes(db: UntypedDatabase): Promise<number>
  /** Indices that cannot be used. */
  listBrokenIndices(db: UntypedDatabase, tables: readonly string[]): Promise<string[]>
  /** Makes a table number its next rows after those that were copied with their numbers. */
  restartNumbering(db: UntypedDatabase, table: string): Promise<void>
}

/** A PostgreSQL database, and the user. */
export interface PostgresLocation {
  /** A host name, an IP address, or the folder of a socket. */
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  /** Without one, `PGPASSWORD`, then the file that `PGPASSFILE` names, or `~/.pgpass`. */
  readonly password: string | undefined
  /** `false` for none: a socket, or this machine. */
  readonly tls: ConnectionOptions | false
  /** For messages; contains no secret. */
  readonly label: string
}

/** Location of a database: the path of a SQLite file, or a PostgreSQL database. */
export type DatabaseLocation = string | PostgresLocation

export interface WriteOptions {
  /**
   * Names of exclusive locks: two writes with a common name never run at the same time, in any processes. A write that
   * first reads and then changes needs one, unless a unique key or a row lock decides.
   */
  readonly exclusive?: string | readonly string[]
  /** Whether it has no time limit; for migrations. */
  readonly isUnlimited?: boolean
}

export interface WriteQueue<Tables> {
  /**
   * Runs `write` in a transaction and resolves once it is durable on disk.
   *
   * All waiting writes share one commit, so that one sync serves many; a write that throws undoes only its own changes.
   * `write` may await its own queries and nothing else. It may run again when another write of its group fails, or
   * after a conflict, so its only side effects are in the database; and it must not ignore a failed statement, because
   * PostgreSQL then refuses all further ones. During the sync of a commit, others may already read it, its writers
   * still wait, and new writes queue for the next commit.
   *
   * SQLite has one writer at a time. In PostgreSQL writes of several processes run concurrently, and each statement
   * sees what was committed before it (`read committed`).
   *
   * @throws whatever `write` threw, its changes undone
   * @throws StorectlError `unavailable.database_locked`, `internal.disk_full`: nothing of the group was applied
   * @throws StorectlError `internal.database_io`, `unavailable.database_lost` also where the disk or the connection
   * failed after the commit, which may have been applied
   */
  run<T>(write: (db: Kysely<Tables>) => Promise<T>, options?: WriteOptions): Promise<T>
  /** Resolves when all waiting writes have been committed or have failed. */
  waitUntilIdle(): Promise<void>
}

/** The content of a database, for `storectl database`. */
export interface DatabaseContents {
  readonly name: TableSet
  /** Whether a table belongs to it, in a schema with other tables. */
  ownsTable(table: string): boolean
  readonly migrations: readonly Migration[]
  /** Tables whose rows are counted, by their name in the output. */
  readonly counted: Readonly<Record<string, string>>
  /** The column for the oldest and the newest row: milliseconds since 1970, or text in UTC. */
  readonly aged: {readonly table: string; readonly column: string}
}

/** The content of a database that can be copied from one engine to the other. */
export interface CopiedContents extends DatabaseContents {
  /**
   * Tables and columns that a database fills by itself, so that they are not copied; `begun` are tables with rows from
   * their creation, which the copied rows replace.
   */
  readonly selfMaintained: Readonly<Record<'tables' | 'columns' | 'begun', readonly string[]>>
}

/** A driver over a connection whose opening, closing and transactions are the caller's. */
export class BorrowedDriver implements Driver {
  constructor(private readonly connection: DatabaseConnection) {}

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.connection
  }

  async beginTransaction(): Promise<void> {
    throw new Error('transactions are opened by writes.run, which shares one commit among those who wait')
  }

  async commitTransaction(): Promise<void> {}

  async rollbackTransaction(): Promise<void> {}

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {}
}
