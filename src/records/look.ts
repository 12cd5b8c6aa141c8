import {readSchemaState, refuseUnusable} from '../storage/engine/migrations.js'
import {reading} from '../storage/maintenance.js'
import {complaintOf} from '../storage/sqlite/complaint.js'
import {sqliteLooks} from '../storage/sqlite/maintenance.js'
import {recordsMigrations} from '../store/records/initial-schema.js'

/**
 * What is wrong with a `records.db` that is there, as SQLite says it; `undefined` when nothing is. Reads all of it and
 * changes nothing: an older one stays as old as it is.
 *
 * @throws StorectlError as `openDatabase` does
 */
export function findRecordsProblem(file: string): Promise<string | undefined> {
  return reading(file, 'records', async db => {
    const problem = await complaintOf(db)
    if (problem !== undefined) return problem
    const versionTable = sqliteLooks.versionTable('records')
    const expected = {migrations: recordsMigrations, versionTable, location: file}
    refuseUnusable(await readSchemaState(db, expected), expected)
    return undefined
  })
}
