import {dirname} from 'node:path'
import {formatCounted} from '../../output/cell.js'
import {escapeControls} from '../../output/escape-controls.js'
import {writeNote} from '../../output/write-note.js'
import {makePrivateFolder} from '../../platform/files/files.js'
import {memoize} from '../../platform/memoize.js'
import {openRecords, type Records} from '../../records/index.js'
import type {Host} from '../host.js'
import {openSeenStore} from '../seen/seen-store.js'
import {type Watched, watchRecords} from '../seen/watch-records.js'
import type {Home} from './home.js'
import {locateDatabase} from './locate-database.js'

/** The records, compared with what this home has seen of them. */
export interface OwnRecords extends Records, Watched {
  /** Notes that they were restored, once in a command that sends. @returns whether they count as restored */
  noteIfRestored(): Promise<boolean>
}

/** Opens inbox, runs and ledger, in their file or in PostgreSQL. */
export async function openOwnRecords(host: Host, {paths, openSettings}: Home): Promise<OwnRecords> {
  const location = await locateDatabase(paths.recordsDatabase, await openSettings(), host)
  if (typeof location === 'string') makePrivateFolder(dirname(location))
  const now = () => host.clock.now()
  const opened = await openRecords(location, now)
  const records = await watchRecords(opened, openSeenStore(paths, location), now)
  const count = await records.takeUnsentCount()
  if (count > 0) await writeNote(host.stderr, describeUnsent(count))
  const {restored} = records
  const note = memoize(async () => {
    if (restored !== undefined) await writeNote(host.stderr, escapeControls(describeRestored(restored)))
  })
  const noteIfRestored = async () => {
    await note()
    return restored !== undefined
  }
  return {...records, noteIfRestored}
}

function describeRestored(why: string): string {
  return `The records were restored from a backup: ${why}. What is open may have been delivered since: it is looked up first, and held where no state shows it. Compare both sides (storectl payment reconcile), then: storectl database restored --checked --reason TEXT`
}

function describeUnsent(count: number): string {
  const events = formatCounted(count, ['event was', 'events were'])
  return `${events} stored by an earlier version, which did not store senders. A replay holds them until it knows who sent them: storectl webhook verify`
}
