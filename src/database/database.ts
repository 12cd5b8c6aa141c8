/** Which of the two databases: `records` (inbox, runs, ledger) or `shop` (the bundled shop's own). */
export type DatabaseName = 'records' | 'shop'

/** Where the records are stored: in a file of this home, or in the named PostgreSQL. */
export type DatabaseEngine = 'sqlite' | 'postgres'

/** The state of one database. */
export interface DatabaseState {
  readonly name: DatabaseName
  /** Path of the file, or address of the PostgreSQL, without a password. */
  readonly location: string
  /** Path of the file; `null` where it is none. */
  readonly file: string | null
  readonly exists: boolean
  /** `SQLite 3.51.0`, `PostgreSQL 18.4`; `null` where there is none. */
  readonly engine: string | null
  /** With its indices; 0 where there is none. */
  readonly sizeBytes: number
  /** Size of the log beside a file: commits that are not in the file yet. */
  readonly logBytes: number
  /** Bytes that rewriting a file could free. */
  readonly freeBytes: number
  /** Octal digits of a file's mode: `600`; `null` where there is none, or the system has none. */
  readonly mode: string | null
  /** Newest step of its schema; `null` where there is none. */
  readonly version: number | null
  /** Names of the steps that this program would make. */
  readonly pending: readonly string[]
  /** Names of steps of a newer program that this one is incompatible with. */
  readonly tooNew: readonly string[]
  /** Names of indices that cannot be used. */
  readonly brokenIndices: readonly string[]
  /** Why it could not be read; then nothing else is known. */
  readonly problem: string | null
  /** Counts of rows by kind: `events`, `runs`, … */
  readonly counts: Readonly<Record<string, number>>
  /** Of the records' events and of the shop's orders. */
  readonly oldest: Date | null
  readonly newest: Date | null
}

/** The result of a full check of a database. */
export type IntegrityCheck = {readonly kind: 'ok'} | {readonly kind: 'damaged'; readonly why: string}

/** A verified copy. */
export interface BackupResult {
  readonly file: string
  readonly sizeBytes: number
  readonly version: number
  readonly counts: Readonly<Record<string, number>>
}

/** The result of a migration. */
export interface MigrationResult {
  /** Names of the steps. */
  readonly steps: readonly string[]
  readonly tookMs: number
}

/** A table copied into another database, and read back there. */
export interface CopiedTable {
  readonly database: 'records'
  readonly table: string
  readonly rows: number
  /** Over all values in the order of the keys, the same on both sides. */
  readonly sha256: string
}

/** Receives the progress of a copy. */
export interface DatabaseCopyListener {
  /** Called after each table. */
  readonly onTableCopied: (copied: CopiedTable) => Promise<void>
  /** Called with the rows that were copied so far, of all tables. */
  readonly onProgress: (rows: number) => void
}

/** Receives the progress of a backup. */
export interface BackupListener {
  /** Called with the bytes that are written, and about as many as there will be. */
  readonly onProgress: (bytes: number, total: number) => void
}

/** The databases of this home, or those that are shared. */
export interface Databases {
  /** Reads the state without changing or creating anything. */
  state(): Promise<DatabaseState[]>
  /** Reads all of it. */
  check(state: DatabaseState): Promise<IntegrityCheck>
  /** Makes the steps that are pending. */
  migrate(state: DatabaseState): Promise<MigrationResult>
  /**
   * Copies the records while others continue to write: complete, as of one moment, and verified before the copy gets its
   * name.
   *
   * @throws Stopped if the command is interrupted; then nothing is left. StorectlError `usage.file_exists`,
   *   `usage.no_records`, `usage.own_file`, `usage.not_a_file`, `internal.backup_damaged`, and as files do
   */
  backUp(file: string, replaces: boolean, listener: BackupListener): Promise<BackupResult>
  /**
   * Copies the records from their file into PostgreSQL, or back, into empty tables, in one commit.
   *
   * @throws StorectlError `usage.no_postgres`, `usage.not_empty`, `usage.no_records`, `usage.pending_steps`,
   *   `internal.copy_differs`
   */
  copy(from: DatabaseEngine, to: DatabaseEngine, listener: DatabaseCopyListener): Promise<CopiedTable[]>
}
