import {StorectlError} from '../../errors.js'

/** SQLite's primary result codes that a person can do something about. @see https://sqlite.org/rescode.html */
const BUSY = 5
const LOCKED = 6
const READ_ONLY = 8
const IO_ERROR = 10
const CORRUPT = 11
const FULL = 13
const CANNOT_OPEN = 14
const NOT_A_DATABASE = 26

/**
 * Turns an error of the database into one that a person can act on; our own bugs are returned unchanged.
 *
 * Codes: `internal.disk_full`, `unavailable.database_locked`, `internal.database_read_only`,
 * `internal.database_unreadable` (not a database, or damaged), `internal.database_not_opened`, `internal.database_io`,
 * `usage.query_too_large` (more than a statement can hold).
 */
export function explainSqliteError(error: unknown, file: string): unknown {
  if (error instanceof StorectlError) return error
  const system = (error as NodeJS.ErrnoException | undefined)?.code
  if (system && system in BY_SYSTEM_CODE) return BY_SYSTEM_CODE[system]?.(file, error)
  if (isBeyondLimits(error)) {
    return new StorectlError('usage.query_too_large', `The query is too large: ${readErrorMessage(error)}.`, {
      cause: error,
    })
  }
  const code = readResultCode(error)
  return code === undefined ? error : (BY_RESULT_CODE[code]?.(file, error) ?? error)
}

/** SQLite's messages for a statement beyond one of its own limits. @see https://sqlite.org/limits.html */
const BEYOND_LIMITS =
  /^(?:too many |at most \d+ tables|Expression tree is too large|Recursion limit|parser stack overflow|LIKE or GLOB pattern too complex|string or blob too big)/

function isBeyondLimits(error: unknown): boolean {
  return (
    (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_SQLITE_ERROR' &&
    BEYOND_LIMITS.test(readErrorMessage(error))
  )
}

function readErrorMessage(error: unknown): string {
  return String((error as {message?: unknown} | undefined)?.message ?? '')
}

/** Whether another connection held the lock longer than our timeout. */
export function isLockedByOther(error: unknown): boolean {
  const code = readResultCode(error)
  return code === BUSY || code === LOCKED
}

function readResultCode(error: unknown): number | undefined {
  const extended = (error as {errcode?: unknown} | undefined)?.errcode
  return typeof extended === 'number' ? extended & 0xff : BY_MESSAGE[readErrorMessage(error)]
}

/** Codes by SQLite's message: Node omits the code where rows are read one by one. */
const BY_MESSAGE: Readonly<Record<string, number>> = {
  'database is locked': BUSY,
  'disk I/O error': IO_ERROR,
  'database disk image is malformed': CORRUPT,
  'database or disk is full': FULL,
  'file is not a database': NOT_A_DATABASE,
}

type Explain = (file: string, cause: unknown) => StorectlError

const createDiskFullError: Explain = (file, cause) =>
  new StorectlError(
    'internal.disk_full',
    `The disk that holds ${file} is full; the last write was not stored.`,
    {
      nextSteps: ['free some space, then run the command again'],
      cause,
    },
  )

const createLockedError: Explain = (file, cause) =>
  new StorectlError('unavailable.database_locked', `Another process locks ${file}; nothing was written.`, {
    nextSteps: ['wait for the other command to finish, then run this one again'],
    cause,
  })

const createReadOnlyError: Explain = (file, cause) =>
  new StorectlError('internal.database_read_only', `${file} or its folder cannot be written to.`, {
    nextSteps: [`make the folder of ${file} writable for you`, 'or set STORECTL_HOME to a folder that is'],
    cause,
  })

const createUnreadableError: Explain = (file, cause) =>
  new StorectlError('internal.database_unreadable', `${file} is not a database, or is damaged.`, {
    nextSteps: listRestoreSteps(file),
    cause,
  })

/** The error for an empty database file, which storectl never creates. */
export function createEmptyFileError(file: string): StorectlError {
  return new StorectlError(
    'internal.database_unreadable',
    `${file} is empty: something truncated or replaced it. Nothing was read or written.`,
    {nextSteps: listRestoreSteps(file)},
  )
}

function listRestoreSteps(file: string): readonly string[] {
  return [
    `mv ${file} ${file}.damaged   # then restore it from a backup; without one, storectl creates a new one`,
    'storectl doctor   # what is damaged',
    'export STORECTL_HOME=/some/other/folder',
  ]
}

const createNotOpenedError: Explain = (file, cause) =>
  new StorectlError('internal.database_not_opened', `${file} could not be opened.`, {
    nextSteps: ['check that its folder exists and belongs to you'],
    cause,
  })

const createIoError: Explain = (file, cause) =>
  new StorectlError('internal.database_io', `The disk failed while ${file} was read or written.`, {cause})

const BY_RESULT_CODE: Record<number, Explain> = {
  [BUSY]: createLockedError,
  [LOCKED]: createLockedError,
  [READ_ONLY]: createReadOnlyError,
  [IO_ERROR]: createIoError,
  [CORRUPT]: createUnreadableError,
  [FULL]: createDiskFullError,
  [CANNOT_OPEN]: createNotOpenedError,
  [NOT_A_DATABASE]: createUnreadableError,
}

const BY_SYSTEM_CODE: Record<string, Explain> = {
  ENOSPC: createDiskFullError,
  EDQUOT: createDiskFullError,
  EIO: createIoError,
  EROFS: createReadOnlyError,
  EACCES: createReadOnlyError,
  EPERM: createReadOnlyError,
  ENOTDIR: createNotOpenedError,
  EEXIST: createNotOpenedError,
  EISDIR: createNotOpenedError,
}
