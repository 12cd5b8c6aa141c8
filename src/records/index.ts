import type {DatabaseLocation} from '../storage/engine/database.js'
import type {Records} from './records.js'

export type {Records} from './records.js'

/**
 * Opens the records, a file `records.db` or a PostgreSQL database, and creates them where missing. Any number of
 * processes may have them open at once.
 *
 * @throws StorectlError as `openDatabase` does
 */
export async function openRecords(location: DatabaseLocation, now: () => Date): Promise<Records> {
  return (await import('./records.js')).openRecordsDatabase(location, now)
}

/**
 * Checks an existing `records.db`, and returns SQLite's findings; `undefined` where it is intact. Reads all of it and
 * changes nothing, not even an older schema.
 *
 * @throws StorectlError as `openDatabase` does
 */
export async function findRecordsProblem(file: string): Promise<string | undefined> {
  return (await import('./check-file.js')).checkRecordsFile(file)
}
