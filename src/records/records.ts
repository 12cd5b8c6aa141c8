import type {RunStore} from '../runs/journal/run-store.js'
import type {EraseResult} from '../storage/engine/database.js'
import type {DatabasePlace} from '../storage/engine/place.js'
import {openDatabase} from '../storage/storage.js'
import {recordsMigrations} from '../store/records/initial-schema.js'
import type {CaptureInbox} from '../webhook/inbox/capture-inbox.js'
import type {Inbox} from '../webhook/inbox/inbox.js'
import type {Turns} from '../webhook/inbox/turns.js'
import {capturesOf} from './inbox/capture-writes.js'
import {inboxOf} from './inbox/inbox.js'
import {noteReplayed} from './inbox/inbox-results.js'
import {turnsOf} from './inbox/turns.js'
import {runStore} from './runs/runs.js'
import type {RecordsTables} from './schema/schema.js'

/** What storectl keeps for itself: runs with their journals, the ledger, the inbox. */
export interface Records {
  readonly runs: RunStore
  readonly inbox: Inbox
  /** The same inbox, as a capture fills it. */
  readonly captures: CaptureInbox
  /** Whose turn it is among captures; `undefined` where the inbox is a file, which has one capture in front of a shop. */
  readonly turns: Turns | undefined
  /** Gives back what was deleted: rewrites a file without it. */
  erase(): Promise<EraseResult>
  close(): Promise<void>
}

/** Records are gone through from end to end, or looked up: neither finds twice what a larger cache would keep. */
const CACHE_MIB = 4

/**
 * Opens the records, made where there are none: a file `records.db`, or a PostgreSQL. Any number of processes may have
 * them open at once.
 *
 * @throws StorectlError as `openDatabase` does
 */
export async function openRecords(place: DatabasePlace, now: () => Date): Promise<Records> {
  const database = await openDatabase<RecordsTables>(place, {
    migrations: recordsMigrations,
    now,
    cacheMiB: CACHE_MIB,
  })
  return {
    inbox: inboxOf(database),
    captures: capturesOf(database),
    turns: database.engine === 'sqlite' ? undefined : turnsOf(database),
    runs: runStore(database, noteReplayed()),
    erase: () => database.erase(),
    close: () => database.close(),
  }
}
