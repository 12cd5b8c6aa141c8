import type {Kysely} from 'kysely'
import type {JournalRecord} from '../../run/record.js'
import type {RunStore} from '../../run/store.js'
import type {Database} from '../database.js'
import {endSilent, holderOf, holdLease, type Keep, takeLease} from './leases.js'
import {find, ledger, list, planned, records, recordsOf, settledIn} from './run-reads.js'
import {runOf, runRow} from './run-rows.js'
import {runWrites} from './run-writes.js'
import type {RecordsTables} from './tables.js'

type Db = Kysely<RecordsTables>

/** Told of the results of a kind of run inside the commit that keeps them. */
export type OnResults = (
  db: Db,
  run: {kind: string; target: string},
  results: JournalRecord[],
) => Promise<void>

/** Runs, journals, leases and ledger in `records.db`. */
export function runStore(database: Database<RecordsTables>, onResults: OnResults): RunStore {
  const {reads, writes} = database
  const {insertRecords, insertPlan, upsertLedger} = runWrites()
  const keep: Keep = async (db, run, written) => {
    await insertRecords(db, written)
    const results = written.filter(isWord)
    if (results.length === 0) return
    await upsertLedger(db, run, results)
    await onResults(db, run, results)
  }
  return {
    begin: (run, stillHeld, settle) =>
      writes.run(async db => {
        const holder = await holderOf(db, run)
        if (holder && stillHeld(holder)) return {begun: false as const, holder}
        if (holder) await endSilent(db, holder, settle, keep)
        await db.insertInto('run').values(runRow(run)).execute()
        await takeLease(db, run)
        return {begun: true as const, crashed: holder?.state === 'running' ? holder : undefined}
      }),
    append: (run, take) => {
      // The write may be run again, when another of its group has failed; what was taken is given once.
      let taken: readonly JournalRecord[] | undefined
      return writes.run(async db => {
        await holdLease(db, run)
        taken ??= take()
        await keep(db, run, taken)
      })
    },
    beat: (id, at, counts) =>
      writes.run(async db => {
        await db
          .updateTable('run')
          .set({heartbeat_at_ms: at.getTime(), counts: JSON.stringify(counts)})
          .where('id', '=', id)
          .where('state', '=', 'running')
          .execute()
      }),
    end: (id, {state, counts, stoppedBy, endedAt}) =>
      writes.run(async db => {
        const at = endedAt.getTime()
        await db
          .updateTable('run')
          .set({
            state,
            counts: JSON.stringify(counts),
            stopped_by: stoppedBy,
            ended_at_ms: at,
            heartbeat_at_ms: at,
          })
          .where('id', '=', id)
          .where('state', '=', 'running')
          .execute()
        await db.deleteFrom('run_lease').where('run_id', '=', id).execute()
      }),
    crash: (id, settle) =>
      writes.run(async db => {
        const row = await db.selectFrom('run').selectAll().where('id', '=', id).executeTakeFirst()
        if (row?.state === 'running') await endSilent(db, runOf(row), settle, keep)
        await db.deleteFrom('run_lease').where('run_id', '=', id).execute()
      }),
    discard: id =>
      writes.run(async db => {
        await db.deleteFrom('run_lease').where('run_id', '=', id).execute()
        await db.deleteFrom('run_plan').where('run_id', '=', id).execute()
        await db.deleteFrom('run').where('id', '=', id).execute()
      }),
    planned: id => planned(reads, id),
    settledIn: (id, keys) => settledIn(reads, id, keys),
    addPlanned: (id, from, keys) =>
      writes.run(db =>
        insertPlan(
          db,
          keys.map((item, index) => ({run_id: id, position: from + index, item})),
        ),
      ),
    setTotal: (id, total, options) =>
      writes.run(async db => {
        const changes = options === undefined ? {total} : {total, options: JSON.stringify(options)}
        await db.updateTable('run').set(changes).where('id', '=', id).execute()
      }),
    ledger: (kind, target, keys) => ledger(reads, kind, target, keys),
    find: id => find(reads, id),
    list: query => list(reads, query),
    records: id => records(reads, id),
    results: (id, after) => records(reads, id, {kind: 'result', after}),
    recordsOf: (kind, target, key) => recordsOf(reads, kind, target, key),
  }
}

function isWord({kind, grade}: JournalRecord): boolean {
  return kind === 'result' && (grade === 'done' || grade === 'failed' || grade === 'unknown')
}
