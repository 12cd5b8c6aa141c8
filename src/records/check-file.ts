import {readSchemaState, refuseUnusable} from '../storage/engine/migrations.js'
import {readDatabase} from '../storage/maintenance/maintenance.js'
import {checkIntegrity, sqliteInspector} from '../storage/sqlite/maintenance.js'
import {recordsMigrations} from './schema/contents.js'

/**
 * What is wrong with a `records.db` that is there, as SQLite says it; `undefined` when nothing is. Reads all of it and
 * changes nothing: an older one stays as old as it is.
 *
 * @throws StorectlError as `openDatabase` does
 */
export function checkRecordsFile(file: string): Promise<string | undefined> {
  return readDatabase(file, 'records', async db => {
    const problem = await checkIntegrity(db)
    if (problem !== undefined) return problem
    const versionTable = sqliteInspector.nameVersionTable('records')
    const expected = {migrations: recordsMigrations, versionTable, location: file}
    refuseUnusable(await readSchemaState(db, expected), expected)
    return undefined
  })
}
