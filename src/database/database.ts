/** One database file as it stands. */
export interface DatabaseState {
  /** `records` (inbox, runs, ledger) or `shop` (the bundled shop's own). */
  readonly name: 'records' | 'shop'
  readonly file: string
  readonly exists: boolean
  /** Of the file; 0 where there is none. */
  readonly sizeBytes: number
  /** Of the log beside it: what was committed and is not in the file yet. */
  readonly logBytes: number
  /** What could be given back by rewriting it. */
  readonly freeBytes: number
  /** Octal digits of its mode: `600`; `null` where there is none, or the system has none. */
  readonly mode: string | null
  /** Newest step of its schema; `null` where there is none. */
  readonly version: number | null
  /** Names of the steps that this program would make. */
  readonly pending: readonly string[]
  /** Names of steps that a newer program made, and that this one cannot live with. */
  readonly tooNew: readonly string[]
  /** Why it could not be looked into; nothing else is known then. */
  readonly problem: string | null
  /** Rows by what they are: `events`, `runs`, … */
  readonly counts: Readonly<Record<string, number>>
}

/** What a look at all of a file said. */
export type Checked = {readonly kind: 'ok'} | {readonly kind: 'damaged'; readonly why: string}

/** A copy that was made and looked at. */
export interface BackedUp {
  readonly file: string
  readonly sizeBytes: number
  readonly version: number
  readonly counts: Readonly<Record<string, number>>
}

/** The databases of this home. */
export interface Databases {
  /** Looks without changing anything, and without making what is not there. */
  state(): Promise<DatabaseState[]>
  /** Reads all of the file. */
  check(state: DatabaseState): Promise<Checked>
  /** Makes the steps that are pending. @returns their names */
  migrate(state: DatabaseState): Promise<readonly string[]>
  /**
   * Copies the records while others go on writing: whole, as they stand at one moment, and looked at before the copy gets
   * its name.
   *
   * @throws StorectlError `usage.file_exists`, `usage.no_records`, `usage.own_file`, `internal.backup_damaged`, and as files do
   */
  backup(file: string, replaces: boolean): Promise<BackedUp>
}
