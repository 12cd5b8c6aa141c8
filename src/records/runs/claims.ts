import {type Kysely, sql} from 'kysely'
import {assertOneOf, createContradictionError} from '../../runs/journal/assert-records.js'
import type {Claim, EarlierAttempts, Opening, PlannedItem} from '../../runs/journal/claim.js'
import type {WorkerRef} from '../../runs/journal/run-store.js'
import type {Database} from '../../storage/engine/database.js'
import {keepByEngine, readAllRows, readFirstRow, type Statement} from '../../storage/engine/statement.js'
import type {RecordsTables, RunBlockTable, RunPlanTable} from '../schema/schema.js'
import {splitKeys} from '../schema/sql.js'
import {lacksResult} from './run-rows.js'

type Db = Kysely<RecordsTables>
type ClaimDatabase = Pick<Database<RecordsTables>, 'engine' | 'rowLocks'>

const OPENING: Opening = -1

/** Splits a run's plan into blocks for workers. `worker` opens the run: no other may begin before. */
export async function addBlocks(db: Db, id: string, count: number, worker: string): Promise<void> {
  const block = (number: number) => ({run_id: id, block: number, state: 'open', worker: null, claims: 0})
  await db
    .insertInto('run_block')
    .values({...block(OPENING), state: 'taken', worker, claims: 1})
    .execute()
  for (const numbers of splitKeys(Array.from({length: count}, (_, number) => number)))
    await db.insertInto('run_block').values(numbers.map(block)).execute()
}

/**
 * Marks blocks whose items all have results as done.
 *
 * @returns those that the worker holds: all of them, unless it was declared gone
 */
export async function finishBlocks(
  db: Db,
  {id, worker}: Pick<WorkerRef, 'id' | 'worker'>,
  finished: readonly number[],
): Promise<readonly number[]> {
  if (finished.length === 0) return []
  const rows = await db
    .updateTable('run_block')
    .set({state: 'done'})
    .where('run_id', '=', id)
    .where('block', 'in', finished)
    .where('worker', '=', worker)
    .returning('block')
    .execute()
  return rows.map(({block}) => block)
}

/**
 * Checks the finished blocks of an active worker: they are its own, and each of their items has a result.
 *
 * @param finished the blocks that it reports
 * @param own the result of `finishBlocks`
 * @throws StorectlError `internal.records_contradict`
 */
export async function assertFinished(
  db: Db,
  {id, worker}: Pick<WorkerRef, 'id' | 'worker'>,
  finished: readonly number[],
  own: readonly number[],
): Promise<void> {
  if (finished.length === 0) return
  const foreign = finished.find(block => !own.includes(block))
  if (foreign !== undefined)
    throw createContradictionError(
      `block ${foreign} of run ${id} is not that of worker ${worker}, which sent it`,
    )
  const open = await db
    .selectFrom('run_plan')
    .select('item')
    .where('run_id', '=', id)
    .where('block', 'in', finished)
    .where(lacksResult('run_plan', id))
    .limit(1)
    .executeTakeFirst()
  if (open) throw createContradictionError(`run ${id} has no result of ${open.item}, whose block is done`)
}

/** Claims the first free block for a worker; none while another worker opens the run. */
export async function claimBlock(
  db: Db,
  at: Pick<WorkerRef, 'id' | 'worker'>,
  database: ClaimDatabase,
): Promise<Claim> {
  const {id, worker} = at
  const {selectOpening, selectFirstOpen} = prepareBlockSelects(database)
  const opening = await readFirstRow(db, selectOpening, {id})
  if (opening && opening.worker !== null && opening.worker !== worker) return {others: 1}
  const open = opening?.worker === null ? OPENING : (await readFirstRow(db, selectFirstOpen, {id}))?.block
  if (open === undefined) return {others: await countHeldByOthers(db, at)}
  const taken = await readFirstRow(db, takeBlock, {id, worker, block: open})
  if (!taken) throw createContradictionError(`block ${open} of run ${id} is open, yet claimed`)
  return {block: {number: open, isAgain: taken.claims > 1}, others: 0}
}

const takeBlock: Statement<
  RecordsTables,
  {id: string; worker: string; block: number},
  Pick<RunBlockTable, 'claims'>
> = (db, {id, worker, block}) =>
  db
    .updateTable('run_block')
    .set(({eb}) => ({state: 'taken', worker, claims: eb('claims', '+', 1)}))
    .where('run_id', '=', id)
    .where('block', '=', block)
    .where('worker', 'is', null)
    .returning('claims')
    .compile()

interface BlockSelects {
  readonly selectOpening: Statement<RecordsTables, {id: string}, Pick<RunBlockTable, 'worker'>>
  readonly selectFirstOpen: Statement<RecordsTables, {id: string}, Pick<RunBlockTable, 'block'>>
}

const prepareBlockSelects = keepByEngine(
  ({rowLocks}: ClaimDatabase): BlockSelects => ({
    selectOpening: (db, {id}) =>
      selectBlocksLeft(db, id)
        .select('worker')
        .where('block', '=', OPENING)
        .modifyEnd(rowLocks.forUpdate)
        .compile(),
    selectFirstOpen: (db, {id}) =>
      selectBlocksLeft(db, id)
        .select('block')
        .where('state', '=', 'open')
        .orderBy('block')
        .limit(1)
        .modifyEnd(rowLocks.skipLocked)
        .compile(),
  }),
)

/** Blocks that are not done; the condition is that of the index, so that finished blocks are not read. */
export function selectBlocksLeft(db: Db, id: string) {
  return db.selectFrom('run_block').where('run_id', '=', id).where(sql<boolean>`state <> 'done'`)
}

/** Includes blocks that are just being claimed. */
async function countHeldByOthers(db: Db, {id, worker}: Pick<WorkerRef, 'id' | 'worker'>): Promise<number> {
  const {count} = await selectBlocksLeft(db, id)
    .select(({fn}) => fn.countAll<number>().as('count'))
    .where(({eb, or}) => or([eb('worker', 'is', null), eb('worker', '<>', worker)]))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The items of a block, in order of the plan. */
export async function readBlock(reads: Db, id: string, block: number): Promise<PlannedItem[]> {
  const rows = await readAllRows(reads, selectBlockItems, {id, block})
  return rows.map(({item, ordering_key, unsure, metadata}) => ({
    ...{item, orderingKey: ordering_key, metadata},
    isUnsure: unsure === 1,
  }))
}

const selectBlockItems: Statement<
  RecordsTables,
  {id: string; block: number},
  Pick<RunPlanTable, 'item' | 'ordering_key' | 'unsure' | 'metadata'>
> = (db, {id, block}) =>
  db
    .selectFrom('run_plan')
    .select(['item', 'ordering_key', 'unsure', 'metadata'])
    .where('run_id', '=', id)
    .where('block', '=', block)
    .orderBy('position')
    .compile()

/** Records with the outcome of an attempt. */
const ANSWERED = ['answer', 'result'] as const

/** Earlier records of a run about items of another worker; items without any are left out. */
export async function findEarlierAttempts(
  reads: Db,
  id: string,
  items: readonly string[],
): Promise<Map<string, EarlierAttempts>> {
  const found = new Map<string, EarlierAttempts>()
  for (const some of splitKeys(items)) {
    const rows = await reads
      .selectFrom('run_record')
      .select(['item', 'kind', 'result_class', 'facts'])
      .where('item', 'in', some)
      .where('run_id', '=', id)
      .where(sql<boolean>`kind <> 'intent'`)
      .execute()
    for (const {item, kind, result_class, facts} of rows) {
      const before: EarlierAttempts = found.get(item) ?? {isOver: false, isUnsure: false, hasFailed: false}
      const isOver = assertOneOf(kind, ANSWERED, `the kind of an entry of ${item}`) === 'result'
      found.set(item, {
        isOver: before.isOver || isOver,
        isUnsure: before.isUnsure || result_class === 'unknown',
        facts: result_class === 'unknown' && facts !== null ? JSON.parse(facts) : before.facts,
        hasFailed: before.hasFailed || (isOver && (result_class === 'failed' || result_class === 'unknown')),
      })
    }
  }
  return found
}
