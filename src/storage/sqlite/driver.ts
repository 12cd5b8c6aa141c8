import process from 'node:process'

/** A value that SQLite takes as a parameter. */
export type SqliteValue = null | number | bigint | string | Uint8Array

/** The part of the `node:sqlite` statement that the store uses. */
export interface SqliteStatement {
  all(...parameters: SqliteValue[]): unknown[]
  run(...parameters: SqliteValue[]): {changes: number | bigint; lastInsertRowid: number | bigint}
  iterate(...parameters: SqliteValue[]): Iterable<unknown>
  /** Rows as arrays instead of objects; absent before Node 22.16. */
  setReturnArrays?(asArrays: boolean): void
}

/** The part of the `node:sqlite` connection that the store uses. */
export interface SqliteHandle {
  exec(sql: string): void
  prepare(sql: string): SqliteStatement
  close(): void
}

/** How a connection is made: the class of `node:sqlite`, or of the package with the same API. */
export type SqliteConstructor = new (file: string, options?: {readOnly?: boolean}) => SqliteHandle

/**
 * The SQLite of the running Node where it has one, else the package with the same API.
 *
 * Node announces its own as experimental on stderr when it is first loaded; operators cannot act on that, so
 * that one warning is held back while the module loads.
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
