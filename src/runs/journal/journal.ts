import type {Clock} from '../../platform/clock.js'
import {appendToChain} from './hash-chain.js'
import type {JournalEntry, NewEntry} from './journal-entry.js'

/** Where a run records what it does. */
export interface Journal {
  /**
   * Resolves once the entry is durable. Entries are stored in the order of the calls: when one is durable, so are all
   * before it.
   *
   * @throws whatever `append` threw; from then on every call does, because the chain would have a gap
   */
  write(entry: NewEntry): Promise<void>
}

export interface JournalOptions {
  readonly runId: string
  readonly worker: string
  readonly clock: Clock
  /** What the chain begins with; read once, for the first entry. @see computeChainOrigin */
  readonly origin: () => string
  /** Stores in one commit what `take` gives, which it calls once, as late as it can. */
  readonly append: (take: () => readonly JournalEntry[]) => Promise<void>
  /** Called for each entry once it is durable, in their order. */
  readonly onDurable?: (entry: JournalEntry) => void
}

/** Entries of one commit at most, so that none waits for long. */
const LARGEST_BATCH = 512

interface Waiting {
  entry: JournalEntry
  resolve(): void
  reject(error: unknown): void
}

/** A journal whose entries share a commit with all that are waiting when the one before has ended. */
export function openJournal(options: JournalOptions): Journal {
  const {runId, worker, clock, origin, append, onDurable} = options
  let sequence = 0
  let previous: string | undefined
  const waiting: Waiting[] = []
  let isFlushing = false
  let failure: unknown

  const flush = async () => {
    isFlushing = true
    while (waiting.length > 0) {
      let batch: Waiting[] = []
      try {
        await append(() => {
          batch = waiting.splice(0, LARGEST_BATCH)
          return batch.map(({entry}) => entry)
        })
        if (onDurable) for (const {entry} of batch) onDurable(entry)
        for (const {resolve} of batch) resolve()
      } catch (error) {
        failure = error
        for (const {reject} of [...batch, ...waiting.splice(0)]) reject(error)
      }
    }
    isFlushing = false
  }

  return {
    write: content =>
      new Promise((resolve, reject) => {
        if (failure !== undefined) return reject(failure)
        sequence++
        const entry = appendToChain(content, {runId, worker, sequence, at: clock.now()}, previous ?? origin())
        previous = entry.hash
        waiting.push({entry, resolve, reject})
        if (!isFlushing) void flush()
      }),
  }
}
