import type {Kysely} from 'kysely'
import {computeChainOrigin} from '../../runs/journal/hash-chain.js'
import type {JournalEntry} from '../../runs/journal/journal-entry.js'
import type {NewRun} from '../../runs/journal/run-store.js'
import type {Worker} from '../../runs/journal/worker.js'
import {ResultTotaler} from '../../runs/ledger/result-totals.js'
import {
  type ClosingContent,
  describeOpening,
  hashRunLedgerRow,
  type NewRunLedgerRow,
} from '../../runs/ledger/run-ledger-row.js'
import type {Database} from '../../storage/engine/database.js'
import type {RecordsTables} from '../schema/schema.js'
import {readChainEnds} from './chain-ends.js'

type Db = Kysely<RecordsTables>
type Clock = Pick<Database<RecordsTables>, 'readNowMs'>

/**
 * Appends a row to the ledger of runs. Called last in its write: from here until the commit nobody else can append, so
 * numbers have no gaps and each row has the hash of the one before. An advisory lock at the beginning would block all
 * others while one waits for a worker's row.
 */
export async function appendRunLedgerRow(
  db: Db,
  {kind, runId, content}: NewRunLedgerRow,
  clock: Clock,
): Promise<void> {
  const atMs = await clock.readNowMs(db)
  const head = await db
    .updateTable('run_ledger_head')
    .set(({eb}) => ({number: eb('number', '+', 1)}))
    .returning(['number', 'hash'])
    .executeTakeFirstOrThrow()
  const row = {kind, runId, number: head.number, at: new Date(atMs), content: JSON.stringify(content)}
  const rowHash = hashRunLedgerRow(head.hash, row)
  const {number, content: text} = row
  await db
    .insertInto('run_ledger')
    .values({number, kind, at_ms: atMs, run_id: runId, content: text, hash: rowHash})
    .execute()
  await db.updateTable('run_ledger_head').set({hash: rowHash}).execute()
}

/** Records that a run has opened: its plan is stored, and the beginning of its chain is final. */
export function noteOpening(db: Db, run: NewRun, clock: Clock): Promise<void> {
  const kind = run.continues === null ? 'opened' : 'resumed'
  const content = describeOpening(run, computeChainOrigin(run))
  return appendRunLedgerRow(db, {kind, runId: run.id, content}, clock)
}

/** Records that an opened run is discarded. */
export async function noteDiscarded(db: Db, runId: string, clock: Clock): Promise<void> {
  const opened = await db
    .selectFrom('run_ledger')
    .select('number')
    .where('run_id', '=', runId)
    .executeTakeFirst()
  if (opened) await appendRunLedgerRow(db, {kind: 'discarded', runId, content: {}}, clock)
}

/** The record of a run's end. */
export interface Closing extends Omit<ClosingContent, 'ends'> {
  readonly kind: 'closed' | 'taken-over' | 'found-dead'
  readonly runId: string
  /** Workers of the run, with their progress. */
  readonly workers: readonly Worker[]
}

/** Records that a run has ended. */
export async function noteClosing(
  db: Db,
  {kind, runId, workers, ...closing}: Closing,
  clock: Clock,
): Promise<void> {
  const content: ClosingContent = {...closing, ends: await readChainEnds(db, runId, workers)}
  await appendRunLedgerRow(db, {kind, runId, content}, clock)
}

/**
 * The totals of a run.
 *
 * @param workers with their own stored counts
 * @param recovered entries that others appended for them
 */
export function sumTotals(workers: readonly Worker[], recovered: readonly JournalEntry[]): ResultTotaler {
  const totals = new ResultTotaler()
  for (const worker of workers) totals.addTotals(worker)
  for (const entry of recovered) totals.addEntry(entry)
  return totals
}
