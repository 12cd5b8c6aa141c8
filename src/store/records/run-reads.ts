import {type Kysely, sql} from 'kysely'
import type {JournalRecord, LedgerEntry} from '../../run/record.js'
import type {RunRow, RunStore} from '../../run/store.js'
import {chunks} from './chunks.js'
import {keyset} from './keyset.js'
import {ledgerEntryOf, recordOf, runOf} from './run-rows.js'
import type {RecordsTables} from './tables.js'

type Db = Kysely<RecordsTables>

export async function ledger(
  db: Db,
  kind: string,
  target: string,
  keys: readonly string[],
): Promise<Map<string, LedgerEntry>> {
  const found = new Map<string, LedgerEntry>()
  for (const some of chunks(keys)) {
    const rows = await db
      .selectFrom('ledger')
      .selectAll()
      .where('kind', '=', kind)
      .where('target', '=', target)
      .where('key', 'in', some)
      .execute()
    for (const row of rows) found.set(row.key, ledgerEntryOf(row))
  }
  return found
}

export function list(
  db: Db,
  {kind, target, state, limit}: Parameters<RunStore['list']>[0],
): AsyncIterable<RunRow> {
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

export async function* planned(db: Db, id: string): AsyncGenerator<string, void, void> {
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

export async function settledIn(db: Db, id: string, keys: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (const some of chunks(keys)) {
    const rows = await db
      .selectFrom('run_record')
      .select('item')
      .where('item', 'in', some)
      .where('run_id', '=', id)
      .where(sql<boolean>`kind <> 'intent'`)
      .where('kind', '=', 'result')
      .where('grade', '<>', 'unknown')
      .execute()
    for (const {item} of rows) found.add(item)
  }
  return found
}

interface RecordsQuery {
  readonly kind?: string
  readonly after?: JournalRecord | undefined
}

export function records(
  db: Db,
  id: string,
  {kind, after: begin}: RecordsQuery = {},
): AsyncIterable<JournalRecord> {
  return keyset(undefined, async (last: JournalRecord | undefined, size) => {
    const after = last ?? begin
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

/** The runs whose id begins with `id`, at most two. */
export async function find(reads: Db, id: string): Promise<RunRow[]> {
  const rows = await reads
    .selectFrom('run')
    .selectAll()
    .where('id', '>=', id)
    .where('id', '<', `${id}~`)
    .limit(2)
    .execute()
  return rows.map(runOf)
}

/** Everything that any run wrote about an item, the oldest first; intents left out. */
export async function recordsOf(
  reads: Db,
  kind: string,
  target: string,
  key: string,
): Promise<JournalRecord[]> {
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
}
