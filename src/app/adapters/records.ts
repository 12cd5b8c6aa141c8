import {dirname} from 'node:path'
import {formatCounted} from '../../output/cell.js'
import {writeNote} from '../../output/write-note.js'
import {makePrivateFolder} from '../../platform/files/files.js'
import {openRecords} from '../../records/index.js'
import type {Host} from '../host.js'
import {openSeenStore} from '../seen/seen-store.js'
import {type WatchedRecords, watchRecords} from '../seen/watch-records.js'
import type {Home} from './home.js'
import {locateDatabase} from './locate-database.js'

/** Opens inbox, runs and ledger, in their file or in PostgreSQL. */
export async function openOwnRecords(host: Host, {paths, openSettings}: Home): Promise<WatchedRecords> {
  const location = await locateDatabase(paths.recordsDatabase, await openSettings(), host)
  if (typeof location === 'string') makePrivateFolder(dirname(location))
  const now = () => host.clock.now()
  const opened = await openRecords(location, now)
  const records = await watchRecords(opened, openSeenStore(paths, location), now)
  const count = await records.takeUnsentCount()
  if (count > 0) await writeNote(host.stderr, describeUnsent(count))
  return records
}

function describeUnsent(count: number): string {
  const events = formatCounted(count, ['event was', 'events were'])
  return `${events} stored by an earlier version, which did not store senders. A replay holds them until it knows who sent them: storectl webhook verify`
}
