import {type Kysely, sql} from 'kysely'
import {StorectlError} from '../../errors.js'
import type {JournalRecord, LedgerEntry} from '../../run/record.js'
import type {NewRun, OpenItem, RunRow, RunStore} from '../../run/store.js'
import type {Database} from '../database.js'
import {keyset} from './keyset.js'
import {ledgerEntryOf, recordOf, runOf, runRow} from './run-rows.js'
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
  const keep = async (db: Db, run: {kind: string; target: string}, records: readonly JournalRecord[]) => {
    await insertRecords(db, records)
    const results = records.filter(isWord)
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
    append: (run, take) =>
      writes.run(async db => {
        await holdLease(db, run)
        await keep(db, run, take())
      }),
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
    setTotal: (id, total) =>
      writes.run(async db => {
        await db.updateTable('run').set({total}).where('id', '=', id).execute()
      }),
    ledger: (kind, target, keys) => ledger(reads, kind, target, keys),
    find: async id => {
      const rows = await reads
        .selectFrom('run')
        .selectAll()
        .where('id', '>=', id)
        .where('id', '<', `${id}~`)
        .limit(2)
        .execute()
      return rows.map(runOf)
    },
    list: query => list(reads, query),
    records: id => records(reads, id),
    results: id => records(reads, id, 'result'),
    recordsOf: async (kind, target, key) => {
      const rows = await reads
        .selectFrom('run_record')
        .innerJoin('run', 'run.id', 'run_record.run_id')
        .selectAll('run_record')
        .where('run_record.item', '=', key)
        .where(sql<boolean>`run_record.kind <> 'intent'`)
        .where('run.kind', '=', kind)
        .where('run.target', '=', target)
        .orderBy('run_record.at_ms')
        .orderBy('run_record.sequence')
        .execute()
      return rows.map(recordOf)
    },
  }
}

function isWord({kind, grade}: JournalRecord): boolean {
  return kind === 'result' && (grade === 'done' || grade === 'failed' || grade === 'unknown')
}

async function holderOf(
  db: Db,
  {kind, target}: Pick<NewRun, 'kind' | 'target'>,
): Promise<RunRow | undefined> {
  const row = await db
    .selectFrom('run_lease')
    .innerJoin('run', 'run.id', 'run_lease.run_id')
    .selectAll('run')
    .where('run_lease.kind', '=', kind)
    .where('run_lease.target', '=', target)
    .executeTakeFirst()
  return row && runOf(row)
}

async function takeLease(db: Db, {kind, target, id}: Pick<NewRun, 'kind' | 'target' | 'id'>): Promise<void> {
  await db
    .insertInto('run_lease')
    .values({kind, target, run_id: id})
    .onConflict(conflict => conflict.columns(['kind', 'target']).doUpdateSet({run_id: id}))
    .execute()
}

async function holdLease(db: Db, {kind, target, id}: Pick<NewRun, 'kind' | 'target' | 'id'>): Promise<void> {
  const {rows} = await sql<{run_id: string}>`
    select run_id from run_lease where kind = ${kind} and target = ${target}`.execute(db)
  if (rows[0]?.run_id === id) return
  throw new StorectlError(
    'conflict.lease_lost',
    `Run ${id} was silent for too long and another has taken its place; it stopped, and what it had in flight is unknown.`,
    {nextSteps: [`storectl run show ${rows[0]?.run_id ?? id}`]},
  )
}

type Keep = (db: Db, run: {kind: string; target: string}, records: readonly JournalRecord[]) => Promise<void>

/** A run that went away: its open items get their last word, then it is over. */
async function endSilent(
  db: Db,
  run: RunRow,
  settle: (open: OpenItem[]) => JournalRecord[],
  keep: Keep,
): Promise<void> {
  await keep(db, run, settle(await openItems(db, run.id)))
  await db
    .updateTable('run')
    .set({state: 'crashed', ended_at_ms: run.heartbeatAt.getTime()})
    .where('id', '=', run.id)
    .where('state', '=', 'running')
    .execute()
}

async function openItems(db: Db, id: string): Promise<OpenItem[]> {
  const rows = await db
    .selectFrom('run_record')
    .selectAll()
    .where('run_id', '=', id)
    .where(({not, exists, selectFrom}) =>
      not(
        exists(
          selectFrom('run_record as word')
            .select('word.item')
            .whereRef('word.item', '=', 'run_record.item')
            .where('word.run_id', '=', id)
            .where(sql<boolean>`word.kind <> 'intent'`)
            .where('word.kind', '=', 'result'),
        ),
      ),
    )
    .orderBy('worker')
    .orderBy('sequence')
    .execute()
  const last = new Map(rows.map(row => [row.item, row]))
  return [...last.values()].map(row => ({runId: id, last: recordOf(row)}))
}

/** Keys of one query: an `in` list of this length is still found by the index. */
const KEYS_AT_ONCE = 500

async function ledger(
  db: Db,
  kind: string,
  target: string,
  keys: readonly string[],
): Promise<Map<string, LedgerEntry>> {
  const found = new Map<string, LedgerEntry>()
  for (let from = 0; from < keys.length; from += KEYS_AT_ONCE) {
    const rows = await db
      .selectFrom('ledger')
      .selectAll()
      .where('kind', '=', kind)
      .where('target', '=', target)
      .where('key', 'in', keys.slice(from, from + KEYS_AT_ONCE))
      .execute()
    for (const row of rows) found.set(row.key, ledgerEntryOf(row))
  }
  return found
}

function list(db: Db, {kind, target, state, limit}: Parameters<RunStore['list']>[0]): AsyncIterable<RunRow> {
  return keyset(limit, async (after: RunRow | undefined, size) => {
    const rows = await db
      .selectFrom('run')
      .selectAll()
      .$if(kind !== undefined, query => query.where('kind', '=', kind as string))
      .$if(target !== undefined, query => query.where('target', '=', target as string))
      .$if(state !== undefined, query => query.where('state', '=', state as string))
      .$if(after !== undefined, query => query.where('id', '<', (after as RunRow).id))
      .orderBy('id', 'desc')
      .limit(size)
      .execute()
    return rows.map(runOf)
  })
}

type Planned = Pick<RecordsTables['run_plan'], 'position' | 'item'>

async function* planned(db: Db, id: string): AsyncGenerator<string, void, void> {
  const rows = keyset(undefined, (after: Planned | undefined, size) =>
    db
      .selectFrom('run_plan')
      .select(['position', 'item'])
      .where('run_id', '=', id)
      .where('position', '>', after?.position ?? -1)
      .orderBy('position')
      .limit(size)
      .execute(),
  )
  for await (const {item} of rows) yield item
}

async function settledIn(db: Db, id: string, keys: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (let from = 0; from < keys.length; from += KEYS_AT_ONCE) {
    const rows = await db
      .selectFrom('run_record')
      .select('item')
      .where('item', 'in', keys.slice(from, from + KEYS_AT_ONCE))
      .where('run_id', '=', id)
      .where(sql<boolean>`kind <> 'intent'`)
      .where('kind', '=', 'result')
      .where('grade', '<>', 'unknown')
      .execute()
    for (const {item} of rows) found.add(item)
  }
  return found
}

function records(db: Db, id: string, kind?: string): AsyncIterable<JournalRecord> {
  return keyset(undefined, async (after: JournalRecord | undefined, size) => {
    const rows = await db
      .selectFrom('run_record')
      .selectAll()
      .where('run_id', '=', id)
      .$if(kind !== undefined, query => query.where('kind', '=', kind as string))
      .$if(after !== undefined, query =>
        query.where(({eb, refTuple, tuple}) =>
          eb(
            refTuple('worker', 'sequence'),
            '>',
            tuple((after as JournalRecord).worker, (after as JournalRecord).sequence),
          ),
        ),
      )
      .orderBy('worker')
      .orderBy('sequence')
      .limit(size)
      .execute()
    return rows.map(recordOf)
  })
}
