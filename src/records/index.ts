import type {DatabaseLocation} from '../storage/engine/database.js'
import type {Records} from './records.js'

export type {Records} from './records.js'

/**
 * Opens the records, made where there are none: a file `records.db`, or a PostgreSQL. Any number of processes may have
 * them open at once.
 *
 * @throws StorectlError as `openDatabase` does
 */
export async function openRecords(location: DatabaseLocation, now: () => Date): Promise<Records> {
  return (await import('./records.js')).openRecordsDatabase(location, now)
}

/**
 * What is wrong with a `records.db` that is there, as SQLite says it; `undefined` when nothing is. Reads all of it and
 * changes nothing: an older one stays as old as it is.
 *
 * @throws StorectlError as `openDatabase` does
 */
export async function findRecordsProblem(file: string): Promise<string | undefined> {
  return (await import('./check-file.js')).checkRecordsFile(file)
}
