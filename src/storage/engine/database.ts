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

/** Which engine a connection belongs to. @param db any connection, also one inside a transaction */
export function detectEngine<Tables>(db: Kysely<Tables>): EngineName {
  return db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'
}

/** An open database: reads on one connection, writes queued on another. */
export interface Database<Tables> {
  /** Which engine answers; for what must differ, and nothing else. */
  readonly engine: EngineName
  /** Where it lies, for messages. */
  readonly location: string
  /** Sees what was committed, never a write that is under way. */
  readonly reads: Kysely<Tables>
  readonly writes: WriteQueue<Tables>
  /** The rows of a compiled query as arrays, in the order of its columns: for wide rows on their way out. */
  readRows(query: CompiledQuery): Promise<unknown[][]>
  /**
   * As `readRows`, for queries that differ in nothing but values: each shape is compiled once, with slots in place of the
   * values, and those that were asked for last are kept.
   *
   * @param values by the names of the slots
   */
  readCached(shape: string, compile: () => CompiledQuery, values: object): Promise<unknown[][]>
  /** Looks at everything as it stood at one moment, while others go on writing. */
  readSnapshot<T>(look: (db: Kysely<Tables>) => Promise<T>): Promise<T>
  readonly rowLocks: RowLocks
  /** Milliseconds since 1970 by the clock that all who share the database go by. */
  selectNowMs(): RawBuilder<number>
  /** The same as a value, read within a write. */
  readNowMs(db: Kysely<Tables>): Promise<number>
  /**
   * Milliseconds for leases, from no fixed moment on: nobody who sets a clock ends one early, but for that of a database
   * server. A lease that ends more than `LONGEST_LEASE_MS` from now is of another time, and over.
   */
  selectLeaseMs(): RawBuilder<number>
  /** The same as a value. */
  readLeaseMs(db: Kysely<Tables>): Promise<number>
  /** Gives back what was deleted: rewrites the file of SQLite without it. */
  erase(): Promise<EraseResult>
  /** Waits for the writes that were begun, then closes. Closing twice does no harm. */
  close(): Promise<void>
}

/** A lease that ends later than that was taken by another clock. */
export const LONGEST_LEASE_MS = 3_600_000

/** What a file looks like once things were deleted from it. */
export type EraseResult =
  /** Nothing of what was deleted is in the file any more. */
  | {readonly kind: 'erased'}
  /** Others have the file in use, so that pieces may still be in it. */
  | {readonly kind: 'in-use'; readonly why: string}

/**
 * What stands at the end of a select whose rows others must leave as they are until the write is over, for `modifyEnd`.
 * Nothing in SQLite, where nobody else writes meanwhile.
 */
export interface RowLocks {
  /** Others may read them, and share them likewise. */
  readonly forShare: RawBuilder<unknown>
  readonly forUpdate: RawBuilder<unknown>
  /** As `forUpdate`, without the rows that others hold. */
  readonly skipLocked: RawBuilder<unknown>
}

/** A database whose tables are just being made, so that their types say nothing yet. */
// biome-ignore lint/suspicious/noExplicitAny: kysely's own migrations are typed like this; unknown refuses every table
export type UntypedDatabase = Kysely<any>

/** One step of a database's schema; the first makes all of it. Steps only ever go forward and are never edited once released. */
export interface Migration {
  /** 1 for the initial schema; larger than those before it. */
  version: number
  name: string
  /** Whether programs that do not know this step must keep off. Steps that only add need not say so. */
  breaksOlder?: boolean
  up(db: UntypedDatabase): Promise<void>
}

/** Which tables a database holds; in PostgreSQL both kinds lie side by side, each with steps of its own. */
export type TableSet = 'records' | 'shop'

export interface OpenOptions {
  /** Default `records`. */
  name?: TableSet
  migrations: readonly Migration[]
  now(): Date
  /** In place of `openLeaseClock`; not asked where the database has a clock. */
  readLeaseMs?: (() => number) | undefined
  /** Opens only what is there, and refuses writes. Default false. */
  readOnly?: boolean
  /** How long a write waits for another process, milliseconds. Default 10 000. */
  lockTimeoutMs?: number
  /** Pages that each connection to a file keeps, MiB. Default 64. */
  cacheMiB?: number
}

/** What engines tell of themselves, each in a way of its own. */
export interface EngineInspector {
  /** The table that notes the steps of a schema: records and shop have a file each, but may share a PostgreSQL. */
  nameVersionTable(name: TableSet): string
  /** `SQLite 3.51.0`, `PostgreSQL 18.4` */
  readVersion(db: UntypedDatabase): Promise<string>
  /** Tables that hold rows of ours, or of others where they share the place. */
  listTables(db: UntypedDatabase): Promise<string[]>
  readPrimaryKey(db: UntypedDatabase, table: string): Promise<string[]>
  /** What tables take with their indices. */
  readSizeBytes(db: UntypedDatabase, tables: readonly string[]): Promise<number>
  /** What could be given back to the system. */
  readFreeBytes(db: UntypedDatabase): Promise<number>
  /** Indices that cannot be used. */
  listBrokenIndices(db: UntypedDatabase, tables: readonly string[]): Promise<string[]>
  /** Lets a table number its next rows behind those that came with numbers. */
  restartNumbering(db: UntypedDatabase, table: string): Promise<void>
}

/** A PostgreSQL database, and who asks. */
export interface PostgresLocation {
  /** A name, an address, or the folder of a socket. */
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  /** Without one, `PGPASSWORD`, then the file that `PGPASSFILE` names, or `~/.pgpass`. */
  readonly password: string | undefined
  /** `false` for none: a socket, or this machine. */
  readonly tls: ConnectionOptions | false
  /** For messages: never holds a secret. */
  readonly label: string
}

/** Where a database lies: the path of a SQLite file, or a PostgreSQL database. */
export type DatabaseLocation = string | PostgresLocation

export interface WriteOptions {
  /**
   * Names what nobody else may be changing while this write runs: two writes that share a name never run side by side,
   * whichever processes they belong to. A write that looks first and then changes needs one, unless a unique key or a
   * row's lock decides.
   */
  readonly exclusive?: string | readonly string[]
  /** Whether it may take as long as it likes: steps of a schema. */
  readonly isUnlimited?: boolean
}

export interface WriteQueue<Tables> {
  /**
   * Runs `write` inside a transaction and resolves once that is durable on disk.
   *
   * All writes that wait share one commit, so that the cost of the disk is paid once for many; one that throws takes only
   * its own changes back. `write` may await its own queries and nothing else. It may be run again when another of its
   * group fails, or when somebody else got in its way, so it leaves nothing behind but in the database; and it lets no
   * failed statement pass, after which PostgreSQL takes no other. While a commit is on its way to the disk, others may
   * read it already, its writers are not told yet, and what comes gathers for the next.
   *
   * In SQLite there is one writer at a time. In PostgreSQL writes of several processes run side by side, and each
   * statement sees what was committed before it (`read committed`).
   *
   * @throws whatever `write` threw, its changes undone
   * @throws StorectlError `unavailable.database_locked`, `internal.disk_full`: nothing of the group was kept
   * @throws StorectlError `internal.database_io`, `unavailable.database_lost` also where the disk or the connection failed
   *   after the commit: it may have been kept
   */
  run<T>(write: (db: Kysely<Tables>) => Promise<T>, options?: WriteOptions): Promise<T>
  /** Resolves when every write that waits has been committed or refused. */
  waitUntilIdle(): Promise<void>
}

/** What a database holds that people ask about. */
export interface DatabaseContents {
  readonly name: TableSet
  /** Whether a table belongs to it, where others lie beside it. */
  ownsTable(table: string): boolean
  readonly migrations: readonly Migration[]
  /** Tables whose rows are counted, by what they are called then. */
  readonly counted: Readonly<Record<string, string>>
  /** Where the oldest and the newest are found; the column holds milliseconds since 1970, or text in UTC. */
  readonly aged: {readonly table: string; readonly column: string}
}

/** Of a database that can be copied from one engine into another. */
export interface CopiedContents extends DatabaseContents {
  /**
   * What a database fills in by itself, so that another one's is none of its business; `begun` are tables that have rows
   * as soon as they are made, which give way to those of another.
   */
  readonly selfMaintained: Readonly<Record<'tables' | 'columns' | 'begun', readonly string[]>>
}

/** A driver over one connection that somebody else opened, closes, and begins transactions on. */
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
