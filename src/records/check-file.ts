import {readSchemaState, refuseUnusable} from '../storage/engine/migrations.js'
import {readDatabase} from '../storage/maintenance/maintenance.js'
import {checkIntegrity, sqliteInspector} from '../storage/sqlite/maintenance.js'
import {recordsMigrations} from './schema/contents.js'

/**
 * Checks an existing `records.db`, and returns SQLite's findings; `undefined` where it is intact. Reads all of it and
 * changes nothing, not even an older schema.
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
