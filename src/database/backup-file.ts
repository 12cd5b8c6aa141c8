import {sql} from 'kysely'
import {StorectlError} from '../errors.js'
import type {DatabaseContents} from '../storage/engine/database.js'
import {lookAt, reading} from '../storage/maintenance.js'
import {complaintOf} from '../storage/sqlite/maintenance.js'
import type {BackedUp, Checked} from './database.js'

/** Reads all of a file. */
export async function checkFile(file: string, {name}: Pick<DatabaseContents, 'name'>): Promise<Checked> {
  try {
    const why = await reading(file, name, db => complaintOf(db))
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
export async function copyInto(
  to: string,
  file: string,
  contents: DatabaseContents,
): Promise<Omit<BackedUp, 'sizeBytes'>> {
  await reading(file, contents.name, async db => {
    await sql`vacuum into ${to}`.execute(db)
  })
  const checked = await checkFile(to, contents)
  if (checked.kind === 'damaged') {
    throw new StorectlError('internal.backup_damaged', `The copy could not be read back: ${checked.why}.`, {
      nextSteps: ['storectl database status --check'],
    })
  }
  const {version, counts} = await lookAt(to, contents)
  return {file: to, version: version ?? 0, counts}
}
