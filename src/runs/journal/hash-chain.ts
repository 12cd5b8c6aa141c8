import {hash} from 'node:crypto'
import type {JournalEntry, NewEntry} from './journal-entry.js'
import type {NewRun} from './run-store.js'
import type {ChainEnd, NewWorker} from './worker.js'

/** What the journal adds to an entry: who wrote it when, and its number in the chain. */
type ChainPosition = Pick<JournalEntry, 'runId' | 'worker' | 'sequence' | 'at'>

/**
 * The entry with its hash, which covers the hash of the entry before it.
 *
 * The chain shows damage and later edits; it does not stop an owner of the database who rebuilds the whole chain.
 *
 * @param previous hash of the entry before it in its worker's chain, or what the chain begins with
 */
export function appendToChain(
  {kind, item, orderingKey, contentHash, attempt, resultClass, result, status, detail, facts}: NewEntry,
  {runId, worker, sequence, at}: ChainPosition,
  previous: string,
): JournalEntry {
  // Members are listed by name, not spread: two copies of an object for each entry cost more than its hash.
  const entry = {
    runId,
    worker,
    sequence,
    at,
    kind,
    item,
    orderingKey,
    contentHash,
    attempt,
    resultClass,
    result,
    status,
    detail,
    facts,
    hash: '',
  }
  entry.hash = hashEntry(previous, entry)
  return entry
}

function hashEntry(previous: string, entry: Omit<JournalEntry, 'hash'>): string {
  const {runId, worker, sequence, kind, item, orderingKey, contentHash, attempt, at} = entry
  const {resultClass, result, status, detail, facts} = entry
  const text = JSON.stringify([
    previous,
    runId,
    worker,
    sequence,
    kind,
    item,
    orderingKey,
    contentHash,
    attempt,
    at.toISOString(),
    resultClass ?? null,
    result ?? null,
    status ?? null,
    detail ?? null,
    facts ?? null,
  ])
  return hash('sha256', text)
}

/**
 * What a run's own chain begins with: who did what, where, when and why, by which plan and with which limits. So the
 * chain shows changes of these too. What a run changes as it goes (state, counts, heartbeats) is not part of it.
 *
 * @returns takes the place of the hash before the first entry
 */
export function computeChainOrigin(run: NewRun): string {
  const {id, kind, target, profile, who, host, pid, processStart} = run
  const {reason, startedAt, options, total, continues, watchId} = run
  const where = [id, kind, target, profile, who, host, pid, processStart]
  // Older runs have no watch, and keep their origin.
  const by = watchId == null ? [] : [watchId]
  const what = [reason, startedAt.toISOString(), options, total, continues, ...by]
  return hash('sha256', JSON.stringify([...where, ...what]))
}

/** The origin of the chain of a worker that joined a run: the run, the user and the machine. */
export function computeWorkerOrigin(run: NewRun, {id, who, host, pid, processStart}: NewWorker): string {
  return hash('sha256', JSON.stringify([computeChainOrigin(run), id, who, host, pid, processStart]))
}

/** Where a chain breaks. */
export interface ChainDamage {
  readonly worker: string
  /** Sequence of the first entry that does not fit. */
  readonly sequence: number
  readonly what: 'missing' | 'changed'
}

/** What the chains of a run show. */
export interface ChainReport {
  /** Entries that were read. */
  readonly checked: number
  /** The first break of each worker's chain. */
  readonly damage: readonly ChainDamage[]
  readonly ends: readonly ChainEnd[]
}

/**
 * Checks the chains of a run and names the first break of each.
 *
 * @param entries of one run, each worker's in ascending sequence; workers may be mixed
 * @param run whose entries they are; its own chain and those of workers that joined begin with their origins, and one
 *   of recovered items with nothing
 */
export async function verifyChain(
  entries: AsyncIterable<JournalEntry> | Iterable<JournalEntry>,
  run: NewRun & {readonly workers?: readonly NewWorker[]},
): Promise<ChainReport> {
  const ends = new Map<string, ChainEnd>()
  const damage = new Map<string, ChainDamage>()
  const fits = checkAgainstOrigins(run)
  let checked = 0
  for await (const entry of entries) {
    checked++
    const {worker, sequence} = entry
    const end = ends.get(worker) ?? {worker, sequence: 0, hash: ''}
    ends.set(worker, {worker, sequence, hash: entry.hash})
    if (damage.has(worker)) continue
    if (sequence !== end.sequence + 1)
      damage.set(worker, {worker, sequence: end.sequence + 1, what: 'missing'})
    else if (!fits(end, entry)) damage.set(worker, {worker, sequence, what: 'changed'})
  }
  return {checked, damage: [...damage.values()], ends: [...ends.values()]}
}

/** @returns whether an entry follows the end of its chain, which has sequence 0 before the first entry */
function checkAgainstOrigins(run: NewRun & {readonly workers?: readonly NewWorker[]}) {
  const joined = (run.workers ?? []).filter(({id}) => id !== run.id)
  const origins = new Map(joined.map(worker => [worker.id, computeWorkerOrigin(run, worker)]))
  origins.set(run.id, computeChainOrigin(run))
  return (end: ChainEnd, entry: JournalEntry): boolean => {
    const previous = end.sequence === 0 ? (origins.get(entry.worker) ?? '') : end.hash
    return hashEntry(previous, entry) === entry.hash
  }
}
