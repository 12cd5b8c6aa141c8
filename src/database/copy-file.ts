import {StorectlError} from '../errors.js'
import {readSizeIfThere, removeIfThere} from '../platform/files/files.js'
import {runSideProgram} from '../platform/side-program.js'
import type {DatabaseContents} from '../storage/engine/database.js'
import {inspectDatabase, readDatabase} from '../storage/maintenance/maintenance.js'
import {explainSqliteError} from '../storage/sqlite/errors.js'
import {sqliteInspector} from '../storage/sqlite/maintenance.js'
import type {BackupListener, BackupResult} from './database.js'

export interface CopyFileDeps {
  /** What copies, `bin/backup.js`. */
  readonly program: string
  /** Ends it, with its reason. */
  readonly signal: AbortSignal
  readonly listener: BackupListener
}

/** What the program that copies says at its end. */
type Answer =
  | {readonly damage: string | null}
  | {readonly error: {readonly message: string; readonly code?: string; readonly errcode?: number}}

const LOOK_EVERY_MS = 200

/**
 * Copies a database file into an empty one, as it stands at one moment; others go on writing. What was deleted is not in
 * the copy. The copy is looked at.
 *
 * @throws the reason of `signal`; StorectlError `internal.backup_damaged`, and as `explainSqliteError` does
 * @see https://www.sqlite.org/lang_vacuum.html#vacuuminto
 */
export async function copyDatabaseFile(
  to: string,
  file: string,
  contents: DatabaseContents,
  {program, signal, listener}: CopyFileDeps,
): Promise<Omit<BackupResult, 'sizeBytes'> & {readonly isCurrent: boolean}> {
  const total = await readDatabase(
    file,
    contents.name,
    async db => (await sqliteInspector.readSizeBytes(db, [])) - (await sqliteInspector.readFreeBytes(db)),
  )
  const tell = () => listener.onProgress(readSizeIfThere(to), total)
  const timer = setInterval(tell, LOOK_EVERY_MS)
  try {
    const answer: Answer = JSON.parse(await runSideProgram({program, args: [file, to], signal}))
    if ('error' in answer)
      throw explainSqliteError(Object.assign(new Error(answer.error.message), answer.error), file)
    if (answer.damage !== null) throw createDamagedError(answer.damage)
  } finally {
    clearInterval(timer)
    // SQLite's own of the copy; it stays when the program is ended.
    removeIfThere(`${to}-journal`)
  }
  const {version, counts, pending, tooNew} = await inspectDatabase(to, contents)
  return {file: to, version: version ?? 0, counts, isCurrent: pending.length + tooNew.length === 0}
}

function createDamagedError(why: string): StorectlError {
  return new StorectlError('internal.backup_damaged', `The copy could not be read back: ${why}.`, {
    nextSteps: ['storectl database status --check'],
  })
}
