import {hash} from 'node:crypto'
import type {JournalRecord} from './journal-entry.js'
import type {NewRun, NewWorker} from './run-store.js'

type Unchained = Omit<JournalRecord, 'hash'>

/**
 * The hash that chains a record to the one before it in its worker's chain.
 *
 * It shows damage and later edits; it does not stop an owner of the database who writes the whole chain anew.
 *
 * @param previous hash of the record before it, the empty string for a chain's first
 */
export function chained(previous: string, record: Unchained): string {
  const {runId, worker, sequence, kind, item, lane, contentHash, attempt, at} = record
  const {grade, outcome, status, detail, facts} = record
  const text = JSON.stringify([
    previous,
    runId,
    worker,
    sequence,
    kind,
    item,
    lane,
    contentHash,
    attempt,
    at.toISOString(),
    grade ?? null,
    outcome ?? null,
    status ?? null,
    detail ?? null,
    facts ?? null,
  ])
  return hash('sha256', text)
}

/**
 * What a run's own chain begins with: who did what, where, when and why, by which plan and with which limits. So these
 * cannot be changed either without the chain showing it. What a run changes as it goes (state, counts, signs of life)
 * is no part of it.
 *
 * @returns takes the place of the hash before the first record
 */
export function chainOrigin(run: NewRun): string {
  const {id, kind, target, profile, who, host, pid, processStart} = run
  const {reason, startedAt, options, total, continues} = run
  const where = [id, kind, target, profile, who, host, pid, processStart]
  const what = [reason, startedAt.toISOString(), options, total, continues]
  return hash('sha256', JSON.stringify([...where, ...what]))
}

/** What the chain of a worker that joined a run begins with: the run, and who works on it where. */
export function workerOrigin(run: NewRun, {id, who, host, pid, processStart}: NewWorker): string {
  return hash('sha256', JSON.stringify([chainOrigin(run), id, who, host, pid, processStart]))
}

/** Where a chain breaks. */
export interface Damage {
  readonly worker: string
  /** Sequence of the first record that does not fit. */
  readonly sequence: number
  readonly what: 'missing' | 'changed'
}

/** The last record of a worker's chain: whoever knows it can tell whether anything before it was changed. */
export interface ChainEnd {
  readonly worker: string
  readonly sequence: number
  readonly hash: string
}

/** What came of walking the chains of a run. */
export interface Walked {
  /** Records that were read. */
  readonly checked: number
  /** The first break of each worker's chain. */
  readonly damage: readonly Damage[]
  readonly ends: readonly ChainEnd[]
}

/**
 * Walks the chains of a run and names the first break of each.
 *
 * @param records of one run, each worker's in ascending sequence; workers may be mixed
 * @param run whose records they are; its own chain begins with what it says of itself, in runs of 0.1 with nothing, as
 *   do the chains of those who settle another's run; that of a worker that joined it with what it says of itself too
 */
export async function brokenChains(
  records: AsyncIterable<JournalRecord> | Iterable<JournalRecord>,
  run: NewRun & {readonly workers?: readonly NewWorker[]},
): Promise<Walked> {
  const ends = new Map<string, ChainEnd>()
  const damage = new Map<string, Damage>()
  const origin = chainOrigin(run)
  const joined = (run.workers ?? []).filter(({id}) => id !== run.id)
  const origins = new Map(joined.map(worker => [worker.id, workerOrigin(run, worker)]))
  const fits = (end: Pick<ChainEnd, 'sequence' | 'hash'>, record: JournalRecord) => {
    const own = origins.get(record.worker)
    if (end.sequence === 0 && own !== undefined) return chained(own, record) === record.hash
    const isNext = chained(end.hash, record) === record.hash
    return isNext || (end.sequence === 0 && chained(origin, record) === record.hash)
  }
  let checked = 0
  for await (const record of records) {
    checked++
    const {worker, sequence} = record
    const end = ends.get(worker) ?? {sequence: 0, hash: ''}
    ends.set(worker, {worker, sequence, hash: record.hash})
    if (damage.has(worker)) continue
    if (sequence !== end.sequence + 1)
      damage.set(worker, {worker, sequence: end.sequence + 1, what: 'missing'})
    else if (!fits(end, record)) damage.set(worker, {worker, sequence, what: 'changed'})
  }
  return {checked, damage: [...damage.values()], ends: [...ends.values()]}
}
