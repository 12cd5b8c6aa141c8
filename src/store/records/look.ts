import {refuseTooNew} from '../migrations.js'
import {openDatabase} from '../open.js'
import {complaintOf} from '../sqlite/complaint.js'
import {recordsMigrations} from './migrations/index.js'
import type {RecordsTables} from './tables.js'

/**
 * What is wrong with a `records.db` that is there, in the database's words; `undefined` when nothing is. Reads all of it
 * and changes nothing: an older one stays as old as it is.
 *
 * @throws StorectlError as `openDatabase` does
 */
export async function lookThroughRecords(file: string, now: () => Date): Promise<string | undefined> {
  const options = {migrations: recordsMigrations, now, readOnly: true}
  const database = await openDatabase<RecordsTables>(file, options)
  try {
    const complaint = await complaintOf(database.reads)
    if (complaint === undefined) await refuseTooNew(database.reads, recordsMigrations)
    return complaint
  } finally {
    await database.close()
  }
}
