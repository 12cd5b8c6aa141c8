import type {Clock} from '../../platform/clock.js'
import {chained} from './hash-chain.js'
import type {Entry, JournalRecord} from './journal-entry.js'

/** Where a run writes down what it does. */
export interface Journal {
  /**
   * Resolves once the entry is durable. Entries are kept in the order of the calls: when one is durable, so are all
   * before it.
   *
   * @throws whatever `append` threw; from then on every call does, because the chain would have a gap
   */
  write(entry: Entry): Promise<void>
}

export interface JournalOptions {
  readonly runId: string
  readonly worker: string
  readonly clock: Clock
  /** What the chain begins with; asked once, for the first entry. @see chainOrigin */
  readonly origin: () => string
  /** Keeps in one commit what `take` gives, which it calls once, as late as it can. */
  readonly append: (take: () => readonly JournalRecord[]) => Promise<void>
}

/** Entries of one commit at most, so that none waits for long. */
const LARGEST_BATCH = 512

interface Waiting {
  record: JournalRecord
  resolve(): void
  reject(error: unknown): void
}

/** A journal whose entries share a commit with all that are waiting when the one before has ended. */
export function openJournal({runId, worker, clock, origin, append}: JournalOptions): Journal {
  let sequence = 0
  let previous: string | undefined
  const waiting: Waiting[] = []
  let flushing = false
  let broken: unknown

  const flush = async () => {
    flushing = true
    while (waiting.length > 0) {
      let batch: Waiting[] = []
      try {
        await append(() => {
          batch = waiting.splice(0, LARGEST_BATCH)
          return batch.map(({record}) => record)
        })
        for (const {resolve} of batch) resolve()
      } catch (error) {
        broken = error
        for (const {reject} of [...batch, ...waiting.splice(0)]) reject(error)
      }
    }
    flushing = false
  }

  return {
    write: entry =>
      new Promise((resolve, reject) => {
        if (broken !== undefined) return reject(broken)
        sequence++
        const record = chainedRecord(entry, {runId, worker, sequence, at: clock.now()}, previous ?? origin())
        previous = record.hash
        waiting.push({record, resolve, reject})
        if (!flushing) void flush()
      }),
  }
}

/** Members by name, not by copying: two copies of an object for each record cost more than its hash. */
function chainedRecord(
  {kind, item, lane, contentHash, attempt, grade, outcome, status, detail, facts}: Entry,
  {runId, worker, sequence, at}: Pick<JournalRecord, 'runId' | 'worker' | 'sequence' | 'at'>,
  previous: string,
): JournalRecord {
  const record = {
    runId,
    worker,
    sequence,
    at,
    kind,
    item,
    lane,
    contentHash,
    attempt,
    grade,
    outcome,
    status,
    detail,
    facts,
    hash: '',
  }
  record.hash = chained(previous, record)
  return record
}
