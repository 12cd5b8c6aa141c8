/** Which of the two databases: `records` (inbox, runs, ledger) or `shop` (the bundled shop's own). */
export type DatabaseName = 'records' | 'shop'

/** Where the records lie: in a file of this home, or in the PostgreSQL that is named. */
export type DatabaseEngine = 'sqlite' | 'postgres'

/** One database as it stands. */
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
  /** Of the log beside a file: what was committed and is not in the file yet. */
  readonly logBytes: number
  /** What could be given back by rewriting a file. */
  readonly freeBytes: number
  /** Octal digits of a file's mode: `600`; `null` where there is none, or the system has none. */
  readonly mode: string | null
  /** Newest step of its schema; `null` where there is none. */
  readonly version: number | null
  /** Names of the steps that this program would make. */
  readonly pending: readonly string[]
  /** Names of steps that a newer program made, and that this one cannot live with. */
  readonly tooNew: readonly string[]
  /** Names of indices that cannot be used. */
  readonly brokenIndices: readonly string[]
  /** Why it could not be looked into; nothing else is known then. */
  readonly problem: string | null
  /** Rows by what they are: `events`, `runs`, … */
  readonly counts: Readonly<Record<string, number>>
  /** Of the records' events and of the shop's orders. */
  readonly oldest: Date | null
  readonly newest: Date | null
}

/** What a look at all of a database said. */
export type IntegrityCheck = {readonly kind: 'ok'} | {readonly kind: 'damaged'; readonly why: string}

/** A copy that was made and looked at. */
export interface BackupResult {
  readonly file: string
  readonly sizeBytes: number
  readonly version: number
  readonly counts: Readonly<Record<string, number>>
}

/** What bringing a schema up to date did. */
export interface MigrationResult {
  /** Names of the steps. */
  readonly steps: readonly string[]
  readonly tookMs: number
}

/** A table that was copied into another database, and read back there. */
export interface CopiedTable {
  readonly database: 'records'
  readonly table: string
  readonly rows: number
  /** Over all values in the order of the keys, the same on both sides. */
  readonly sha256: string
}

/** Told of how far a copy is. */
export interface DatabaseCopyListener {
  /** Called after each table. */
  readonly onTableCopied: (copied: CopiedTable) => Promise<void>
  /** Called with the rows that were copied so far, of all tables. */
  readonly onProgress: (rows: number) => void
}

/** Told of how far a backup is. */
export interface BackupListener {
  /** Called with the bytes that are written, and about as many as there will be. */
  readonly onProgress: (bytes: number, total: number) => void
}

/** The databases of this home, or those that are shared. */
export interface Databases {
  /** Looks without changing anything, and without making what is not there. */
  state(): Promise<DatabaseState[]>
  /** Reads all of it. */
  check(state: DatabaseState): Promise<IntegrityCheck>
  /** Makes the steps that are pending. */
  migrate(state: DatabaseState): Promise<MigrationResult>
  /**
   * Copies the records while others go on writing: whole, as they stand at one moment, and looked at before the copy gets
   * its name.
   *
   * @throws Stopped when the command is interrupted; nothing is left then. StorectlError `usage.file_exists`, `usage.no_records`, `usage.own_file`, `usage.not_a_file`,
   * `internal.backup_damaged`, and as files do
   */
  backUp(file: string, replaces: boolean, listener: BackupListener): Promise<BackupResult>
  /**
   * Copies the records from their file into PostgreSQL, or back, into tables that hold nothing yet, in one commit.
   *
   * @throws StorectlError `usage.no_postgres`, `usage.not_empty`, `usage.no_records`, `usage.pending_steps`,
   * `internal.copy_differs`
   */
  copy(from: DatabaseEngine, to: DatabaseEngine, listener: DatabaseCopyListener): Promise<CopiedTable[]>
}
