import {sql} from 'kysely'
import {StorectlError} from '../errors.js'
import type {DatabaseContents} from '../storage/engine/database.js'
import {inspectDatabase, readDatabase} from '../storage/maintenance.js'
import {checkIntegrity} from '../storage/sqlite/maintenance.js'
import type {BackupResult, IntegrityCheck} from './database.js'

/** Reads all of a file. */
export async function checkDatabaseFile(
  file: string,
  {name}: Pick<DatabaseContents, 'name'>,
): Promise<IntegrityCheck> {
  try {
    const why = await readDatabase(file, name, db => checkIntegrity(db))
    return why === undefined ? {kind: 'ok'} : {kind: 'damaged', why}
  } catch (error) {
    if (!(error instanceof StorectlError) || error.code !== 'internal.database_unreadable') throw error
    return {kind: 'damaged', why: error.message}
  }
}

/**
 * Copies a database file into an empty one, as it stands at one moment; others go on writing. What was deleted is not in
 * the copy. The copy is looked at.
 *
 * @throws StorectlError `internal.backup_damaged`, and as `openDatabase` does
 * @see https://www.sqlite.org/lang_vacuum.html#vacuuminto
 */
export async function copyDatabaseFile(
  to: string,
  file: string,
  contents: DatabaseContents,
): Promise<Omit<BackupResult, 'sizeBytes'>> {
  await readDatabase(file, contents.name, async db => {
    await sql`vacuum into ${to}`.execute(db)
  })
  const checked = await checkDatabaseFile(to, contents)
  if (checked.kind === 'damaged') {
    throw new StorectlError('internal.backup_damaged', `The copy could not be read back: ${checked.why}.`, {
      nextSteps: ['storectl database status --check'],
    })
  }
  const {version, counts} = await inspectDatabase(to, contents)
  return {file: to, version: version ?? 0, counts}
}
