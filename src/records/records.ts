import {describeProcess} from '../platform/processes.js'
import type {RunStore} from '../runs/journal/run-store.js'
import type {Database, DatabaseLocation, EraseResult} from '../storage/engine/database.js'
import {openDatabase} from '../storage/index.js'
import type {CaptureInbox, Turns} from '../webhook/inbox/capture-inbox.js'
import type {Inbox} from '../webhook/inbox/inbox.js'
import {createCaptureHeartbeats} from './capture-heartbeats.js'
import {createCaptureInbox} from './inbox/capture-writes.js'
import {createInbox} from './inbox/inbox.js'
import {prepareReplayUpdate} from './inbox/inbox-writes.js'
import {createSignatureStore} from './inbox/signatures.js'
import {createTokenStore, type TokenStore, takeUnsentCount} from './inbox/tokens.js'
import {createTurns} from './inbox/turns.js'
import {createIncidentStore} from './incidents.js'
import {createRunStore} from './runs/runs.js'
import {createWatchStore} from './runs/watches.js'
import {recordsMigrations} from './schema/contents.js'
import type {RecordsTables} from './schema/schema.js'

/** The records of storectl: runs with their journals, the ledger, the inbox. */
export interface Records {
  readonly runs: RunStore
  /** Processes that replay events whenever their shop accepts them. */
  readonly watches: ReturnType<typeof createWatchStore>
  /** Problems with alerts. */
  readonly incidents: ReturnType<typeof createIncidentStore>
  readonly inbox: Inbox
  /** The same inbox, for a capture. */
  readonly captures: CaptureInbox
  /** Checks of the provider's signatures, and the webhook ids for them. */
  readonly signatures: ReturnType<typeof createSignatureStore>
  /** Webhook tokens of shops, present and former, as digests. */
  readonly tokens: TokenStore
  /** How many events an earlier version stored without a sender; reported once, and 0 afterwards. */
  takeUnsentCount(): Promise<number>
  /** Turns of captures that share the inbox; `undefined` where the inbox is a file, with one capture for a shop. */
  readonly turns: Turns | undefined
  /** How far the clock of the records is ahead of this machine's, milliseconds, measured once; 0 for a file. */
  measureClockOffset(now: () => Date): Promise<number>
  /** Rewrites the file without deleted data. */
  erase(): Promise<EraseResult>
  close(): Promise<void>
}

/** Records are read from end to end, or looked up; a larger cache would help neither. */
const CACHE_MIB = 4

/**
 * Opens the records, made where there are none: a file `records.db`, or a PostgreSQL. Any number of processes may have
 * them open at once.
 *
 * @throws StorectlError as `openDatabase` does
 */
export async function openRecordsDatabase(location: DatabaseLocation, now: () => Date): Promise<Records> {
  const options = {migrations: recordsMigrations, now, cacheMiB: CACHE_MIB}
  return createRecords(await openDatabase<RecordsTables>(location, options))
}

/** The repositories of an open database. @param local this process */
export function createRecords(
  database: Database<RecordsTables>,
  local: ReturnType<typeof describeProcess> = describeProcess(),
): Records {
  return {
    inbox: createInbox(database, local),
    captures: {...createCaptureInbox(database, local), ...createCaptureHeartbeats(database, local)},
    signatures: createSignatureStore(database),
    tokens: createTokenStore(database),
    takeUnsentCount: () => takeUnsentCount(database),
    turns: database.engine === 'sqlite' ? undefined : createTurns(database, local),
    watches: createWatchStore(database),
    incidents: createIncidentStore(database),
    runs: createRunStore(database, prepareReplayUpdate(database)),
    measureClockOffset: now => measureClockOffset(database, now),
    erase: () => database.erase(),
    close: () => database.close(),
  }
}

async function measureClockOffset(
  {engine, reads, readNowMs}: Database<RecordsTables>,
  now: () => Date,
): Promise<number> {
  if (engine === 'sqlite') return 0
  const askedMs = now().getTime()
  const theirMs = await readNowMs(reads)
  return Math.round(theirMs - (askedMs + now().getTime()) / 2)
}
