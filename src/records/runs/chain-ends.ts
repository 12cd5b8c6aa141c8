import {type Kysely, sql} from 'kysely'
import type {ChainEnd, Worker} from '../../runs/journal/worker.js'
import {readAllRows, readFirstRow, type Statement} from '../../storage/engine/statement.js'
import type {RecordsTables} from '../schema/schema.js'

type Db = Kysely<RecordsTables>

/** The last entry of each chain: for workers as stored by them, for recovered items as read. */
export async function readChainEnds(db: Db, id: string, workers: readonly Worker[]): Promise<ChainEnd[]> {
  const ends = new Map<string, ChainEnd>()
  for (const {id: worker, sequence, hash} of workers)
    if (sequence > 0) ends.set(worker, {worker, sequence, hash})
  for (const worker of await listWriters(db, id)) {
    const last = ends.has(worker) ? undefined : await readFirstRow(db, selectLastEntry, {id, worker})
    if (last) ends.set(worker, last)
  }
  return [...ends.values()].sort((a, b) => (a.worker < b.worker ? -1 : 1))
}

const selectLastEntry: Statement<RecordsTables, {id: string; worker: string}, ChainEnd> = (
  db,
  {id, worker},
) =>
  db
    .selectFrom('run_record')
    .select(['worker', 'sequence', 'hash'])
    .where('run_id', '=', id)
    .where('worker', '=', worker)
    .orderBy('sequence', 'desc')
    .limit(1)
    .compile()

/** The writers of a run's records: the index finds the next one without reading the records of the one before. */
export async function listWriters(db: Db, id: string): Promise<string[]> {
  return (await readAllRows(db, selectWriters, {id})).map(({worker}) => worker)
}

const selectWriters: Statement<RecordsTables, {id: string}, {worker: string}> = (db, {id}) =>
  sql<{worker: string}>`
    with recursive writer (worker) as (
      select min(worker) from run_record where run_id = ${id}
      union all
      select (select min(worker) from run_record where run_id = ${id} and worker > writer.worker)
      from writer where writer.worker is not null)
    select worker from writer where worker is not null`.compile(db)
