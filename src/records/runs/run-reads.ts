import {type Kysely, sql} from 'kysely'
import type {ResultClass} from '../../runs/journal/item.js'
import type {JournalEntry, LedgerEntry} from '../../runs/journal/journal-entry.js'
import type {RunReads, RunRow, RunStore} from '../../runs/journal/run-store.js'
import type {Database} from '../../storage/engine/database.js'
import type {RecordsTables} from '../schema/schema.js'
import {readByKeyset, splitKeys} from '../schema/sql.js'
import {listWriters} from './chain-ends.js'
import {findRunLedgerRow, readRunLedger, readRunLedgerHead} from './run-ledger-reads.js'
import {lacksResult, parseLedgerRow, parseRecordRow, parseRunRow} from './run-rows.js'
import {attachWorkers} from './workers.js'

type Db = Kysely<RecordsTables>

/** The parts of a database for reading runs: the age of a heartbeat is measured by the database's clock. */
type RunReader = Pick<Database<RecordsTables>, 'reads' | 'selectNowMs'>

/** Reads of runs and of the ledger. */
export function createRunReads(from: RunReader): RunReads {
  const {reads} = from
  return {
    listPlanned: id => readPlannedItems(reads, id),
    listUnsent: id => readUnsentItems(reads, id),
    findEndedItems: (id, keys) => findEndedItems(reads, id, keys),
    findLedgerEntries: (kind, target, keys) => findLedgerEntries(reads, kind, target, keys),
    findHeldDetails: (where, keys) => findHeldDetails(reads, where, keys),
    find: id => findRuns(from, id),
    list: query => listRuns(from, query),
    count: query => countRuns(reads, query),
    listRunLedger: runId => readRunLedger(reads, runId),
    findRunLedgerRow: number => findRunLedgerRow(reads, number),
    readRunLedgerHead: () => readRunLedgerHead(reads),
    listRecords: id => readRecords(reads, id),
    listResults: (id, after, classes) => readResults(reads, id, after, classes),
    listItemRecords: (kind, target, key) => readItemRecords(reads, kind, target, key),
  }
}

async function findLedgerEntries(
  db: Db,
  kind: string,
  target: string,
  keys: readonly string[],
): Promise<Map<string, LedgerEntry>> {
  const found = new Map<string, LedgerEntry>()
  for (const some of splitKeys(keys)) {
    const rows = await db
      .selectFrom('ledger')
      .selectAll()
      .where('kind', '=', kind)
      .where('target', '=', target)
      .where('key', 'in', some)
      .execute()
    for (const row of rows) found.set(row.key, parseLedgerRow(row))
  }
  return found
}

/** Details of the items whose newest result in other runs is that they were held; by item. */
async function findHeldDetails(
  db: Db,
  {kind, target, run}: Parameters<RunStore['findHeldDetails']>[0],
  keys: readonly string[],
): Promise<Map<string, string>> {
  const newest = new Map<string, {held: boolean; detail: string}>()
  for (const some of splitKeys(keys)) {
    const rows = await db
      .selectFrom('run_record')
      .innerJoin('run', 'run.id', 'run_record.run_id')
      .select(['run_record.item', 'run_record.result_class', 'run_record.detail'])
      .where('run_record.item', 'in', some)
      .where(sql<boolean>`run_record.kind <> 'intent'`)
      .where('run_record.kind', '=', 'result')
      .where('run.kind', '=', kind)
      .where('run.target', '=', target)
      .where('run.id', '<>', run ?? '')
      .orderBy('run_record.at_ms')
      .orderBy('run_record.sequence')
      .execute()
    for (const {item, result_class, detail} of rows)
      newest.set(item, {held: result_class === 'held', detail: detail ?? ''})
  }
  return new Map([...newest].filter(([, {held}]) => held).map(([item, {detail}]) => [item, detail]))
}

function selectRuns({reads, selectNowMs}: RunReader) {
  return reads.selectFrom('run').selectAll().select(selectNowMs().as('now_ms'))
}

async function countRuns(
  db: Db,
  {kind, target, state, watchId}: Parameters<RunStore['count']>[0],
): Promise<number> {
  const {count} = await db
    .selectFrom('run')
    .select(({fn}) => fn.countAll().as('count'))
    .$if(kind !== undefined, query => query.where('kind', '=', kind as string))
    .$if(target !== undefined, query => query.where('target', '=', target as string))
    .$if(state !== undefined, query => query.where('state', '=', state as string))
    .$if(watchId !== undefined, query => query.where(matchWatch(watchId)))
    .executeTakeFirstOrThrow()
  return Number(count)
}

function listRuns(
  from: RunReader,
  {kind, target, state, watchId, limit}: Parameters<RunStore['list']>[0],
): AsyncIterable<RunRow> {
  return readByKeyset(limit, async (after: RunRow | undefined, size) => {
    const rows = await selectRuns(from)
      .$if(kind !== undefined, query => query.where('kind', '=', kind as string))
      .$if(target !== undefined, query => query.where('target', '=', target as string))
      .$if(state !== undefined, query => query.where('state', '=', state as string))
      .$if(watchId !== undefined, query => query.where(matchWatch(watchId)))
      .$if(after !== undefined, query => query.where('id', '<', (after as RunRow).id))
      .orderBy('id', 'desc')
      .limit(size)
      .execute()
    return attachWorkers(from.reads, rows.map(parseRunRow), from)
  })
}

/** @param watchId `null` for runs without a watch */
function matchWatch(watchId: string | null | undefined) {
  return watchId === null ? sql<boolean>`watch_id is null` : sql<boolean>`watch_id = ${watchId}`
}

type Planned = Pick<RecordsTables['run_plan'], 'position' | 'item'>

function readPlannedItems(db: Db, id: string): AsyncGenerator<string, void, void> {
  return readPlan(db, id, false)
}

/** Planned items without a result in the run. */
function readUnsentItems(db: Db, id: string): AsyncGenerator<string, void, void> {
  return readPlan(db, id, true)
}

async function* readPlan(db: Db, id: string, isUnsent: boolean): AsyncGenerator<string, void, void> {
  const rows = readByKeyset(undefined, (after: Planned | undefined, size) =>
    db
      .selectFrom('run_plan')
      .select(['position', 'item'])
      .where('run_id', '=', id)
      .where('position', '>', after?.position ?? -1)
      .$if(isUnsent, query => query.where(lacksResult('run_plan', id)))
      .orderBy('position')
      .limit(size)
      .execute(),
  )
  for await (const {item} of rows) yield item
}

async function findEndedItems(db: Db, id: string, keys: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (const some of splitKeys(keys)) {
    const rows = await db
      .selectFrom('run_record')
      .select('item')
      .where('item', 'in', some)
      .where('run_id', '=', id)
      .where(sql<boolean>`kind <> 'intent'`)
      .where('kind', '=', 'result')
      .where('result_class', '<>', 'unknown')
      .execute()
    for (const {item} of rows) found.add(item)
  }
  return found
}

/** All records of a run, worker by worker. */
async function* readRecords(db: Db, id: string): AsyncGenerator<JournalEntry, void, void> {
  for (const worker of await listWriters(db, id)) yield* readWorkerRecords(db, id, worker, {after: 0})
}

/** The results of a run, worker by worker; for each, those after a position in its chain. */
async function* readResults(
  db: Db,
  id: string,
  after: ReadonlyMap<string, number> = new Map(),
  classes?: readonly ResultClass[],
): AsyncGenerator<JournalEntry, void, void> {
  for (const worker of await listWriters(db, id))
    yield* readWorkerRecords(db, id, worker, {kind: 'result', classes, after: after.get(worker) ?? 0})
}

interface RecordsQuery {
  readonly kind?: string
  readonly classes?: readonly ResultClass[] | undefined
  /** A position in the worker's chain. */
  readonly after: number
}

function readWorkerRecords(
  db: Db,
  id: string,
  worker: string,
  {kind, classes, after}: RecordsQuery,
): AsyncIterable<JournalEntry> {
  return readByKeyset(undefined, async (last: JournalEntry | undefined, size) => {
    const rows = await db
      .selectFrom('run_record')
      .selectAll()
      .where('run_id', '=', id)
      .where('worker', '=', worker)
      .where('sequence', '>', last?.sequence ?? after)
      .$if(kind !== undefined, query => query.where('kind', '=', kind as string))
      .$if(classes !== undefined, query => query.where('result_class', 'in', classes as string[]))
      .orderBy('sequence')
      .limit(size)
      .execute()
    return rows.map(parseRecordRow)
  })
}

/** The runs whose id begins with `id`, at most two. */
async function findRuns(from: RunReader, id: string): Promise<RunRow[]> {
  const rows = await selectRuns(from).where('id', '>=', id).where('id', '<', `${id}~`).limit(10).execute()
  return attachWorkers(from.reads, rows.map(parseRunRow), from)
}

/** All records of any run about an item, the oldest first, without intents. */
async function readItemRecords(
  reads: Db,
  kind: string,
  target: string,
  key: string,
): Promise<JournalEntry[]> {
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
  return rows.map(parseRecordRow)
}
