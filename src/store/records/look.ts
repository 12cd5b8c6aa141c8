import {readSchemaState, refuseUnusable} from '../migrations.js'
import {complaintOf} from '../sqlite/complaint.js'
import {sqliteLooks} from '../sqlite/upkeep.js'
import {reading} from '../upkeep.js'
import {recordsMigrations} from './initial-schema.js'

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
