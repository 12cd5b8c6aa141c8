import type {Kysely} from 'kysely'
import type {JournalEntry} from '../../runs/journal/journal-entry.js'
import type {RunStore} from '../../runs/journal/run-store.js'
import type {Database} from '../../storage/engine/database.js'
import type {RecordsTables} from '../schema/schema.js'
import {
  endUnresponsive,
  findLeaseHolder,
  findRunById,
  nameLease,
  type StoreRecords,
  takeLease,
} from './leases.js'
import {
  findEndedItems,
  findLedgerEntries,
  findRuns,
  listRuns,
  readItemRecords,
  readPlannedItems,
  readRecords,
  readResults,
} from './run-reads.js'
import {buildPlanRow, buildRunRow} from './run-rows.js'
import {prepareRunWrites} from './run-writes.js'
import {createWorkSharing} from './work-sharing.js'
import {addWorker, prepareWorkerLock} from './workers.js'

type Db = Kysely<RecordsTables>

/** Told of the results of a kind of run inside the commit that keeps them. */
export type OnResults = (
  db: Db,
  run: {kind: string; target: string},
  results: JournalEntry[],
) => Promise<void>

/** Runs, journals, leases and ledger. */
export function createRunStore(database: Database<RecordsTables>, onResults: OnResults): RunStore {
  const {reads, writes} = database
  const {insertRecords, insertPlan, upsertLedger} = prepareRunWrites()
  const lockWorker = prepareWorkerLock(database)
  const storeRecords: StoreRecords = async (db, run, written) => {
    const results = written.filter(isFinalResult)
    const inserted = insertRecords(db, written)
    if (results.length === 0) return inserted
    // None waits for the answer to the one before it.
    await Promise.all([inserted, upsertLedger(db, run, results), onResults(db, run, results)])
  }
  return {
    ...createWorkSharing(database, {storeRecords, append: insertRecords}),
    begin: (run, stillHeld, recover) =>
      writes.run(
        async db => {
          const holder = await findLeaseHolder(db, run, database)
          if (holder && stillHeld(holder)) return {begun: false as const, holder}
          if (holder) await endUnresponsive(db, holder, recover, storeRecords)
          const beat = {heartbeat_at_ms: database.selectNowMs()}
          await db
            .insertInto('run')
            .values({...buildRunRow(run), ...beat})
            .execute()
          await addWorker(db, run.id, run, database)
          await takeLease(db, run)
          return {begun: true as const, crashed: holder?.state === 'running' ? holder : undefined}
        },
        {exclusive: nameLease(run)},
      ),
    append: (at, take) => {
      // The write may be run again, when another of its group has failed; what was taken is given once.
      let taken: readonly JournalEntry[] | undefined
      return writes.run(async db => {
        taken ??= take()
        // Whoever has lost its place takes all of it back.
        await Promise.all([lockWorker(db, at), storeRecords(db, at, taken)])
      })
    },
    interrupt: (run, recover) =>
      writes.run(
        async db => {
          const now = await findRunById(db, run.id, database)
          if (now?.state === 'running') await endUnresponsive(db, now, recover, storeRecords)
        },
        {exclusive: nameLease(run)},
      ),
    discard: id =>
      writes.run(async db => {
        await db.deleteFrom('run_lease').where('run_id', '=', id).execute()
        await db.deleteFrom('run_plan').where('run_id', '=', id).execute()
        await db.deleteFrom('run_block').where('run_id', '=', id).execute()
        await db.deleteFrom('run_worker').where('run_id', '=', id).execute()
        await db.deleteFrom('run').where('id', '=', id).execute()
      }),
    listPlanned: id => readPlannedItems(reads, id),
    findEndedItems: (id, keys) => findEndedItems(reads, id, keys),
    addPlanned: (id, from, items) =>
      writes.run(db =>
        insertPlan(
          db,
          items.map((planned, index) => buildPlanRow(planned, id, from + index)),
        ),
      ),
    setTotal: (id, total, options) =>
      writes.run(async db => {
        const changes = options === undefined ? {total} : {total, options: JSON.stringify(options)}
        await db.updateTable('run').set(changes).where('id', '=', id).execute()
      }),
    findLedgerEntries: (kind, target, keys) => findLedgerEntries(reads, kind, target, keys),
    find: id => findRuns(database, id),
    list: query => listRuns(database, query),
    listRecords: id => readRecords(reads, id),
    listResults: (id, after) => readResults(reads, id, after),
    listItemRecords: (kind, target, key) => readItemRecords(reads, kind, target, key),
  }
}

function isFinalResult({kind, resultClass}: JournalEntry): boolean {
  return (
    kind === 'result' && (resultClass === 'done' || resultClass === 'failed' || resultClass === 'unknown')
  )
}
