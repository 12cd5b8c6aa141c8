import type {Clock} from '../../platform/clock.js'
import {createContradictionError, OpenAttempts} from './assert-records.js'
import {appendToChain} from './hash-chain.js'
import type {JournalEntry, NewEntry} from './journal-entry.js'
import type {RunStore, WorkerRef} from './run-store.js'
import type {WorkerProgress} from './worker.js'

/** Where a run records what it does. */
export interface Journal {
  /**
   * Resolves once the entry is durable. Entries are stored in the order of the calls: when one is durable, so are all
   * before it.
   *
   * @throws StorectlError `internal.records_contradict` for a result of an attempt without an intent; nothing is stored
   * @throws whatever `store.append` threw; from then on every call does, because the chain would have a gap
   */
  write(entry: NewEntry): Promise<void>
}

export interface JournalOptions {
  readonly writer: WorkerRef
  readonly clock: Clock
  /** What the chain begins with; read once, for the first entry. @see computeChainOrigin */
  readonly origin: () => string
  readonly store: Pick<RunStore, 'append'>
  /** Called with the entries of each commit, in their order. @returns how far the worker has come with them */
  readonly onTaken: (entries: readonly JournalEntry[]) => WorkerProgress
  /** Called for each entry as it is written. @returns what its writer also awaits once the entry is durable */
  readonly onWritten?: (entry: NewEntry) => (() => Promise<void>) | undefined
  /** Called for each entry once it is durable, in their order. */
  readonly onDurable?: (entry: JournalEntry) => void
}

/** Entries of one commit at most, so that none waits for long. */
const LARGEST_BATCH = 512

interface Waiting {
  entry: JournalEntry
  resolve(more: Promise<void> | undefined): void
  reject(error: unknown): void
  more: (() => Promise<void>) | undefined
}

/** A journal whose entries share a commit with all others that wait when the previous commit ends. */
export function openJournal(options: JournalOptions): Journal {
  const {writer, clock, origin, store, onTaken, onWritten, onDurable} = options
  let sequence = 0
  let previous: string | undefined
  const waiting: Waiting[] = []
  const open = new OpenAttempts()
  let isFlushing = false
  let failure: unknown

  const flush = async () => {
    isFlushing = true
    while (waiting.length > 0) {
      let batch: Waiting[] = []
      try {
        await store.append(writer, () => {
          batch = waiting.splice(0, LARGEST_BATCH)
          const entries = batch.map(({entry}) => entry)
          return {entries, progress: onTaken(entries)}
        })
        resolveAll(batch, onDurable)
      } catch (error) {
        failure = error
        rejectAll([...batch, ...waiting.splice(0)], error)
      }
    }
    isFlushing = false
  }

  return {
    write: content =>
      new Promise((resolve, reject) => {
        if (failure !== undefined) return reject(failure)
        if (!open.takes(content)) return reject(createMissingIntentError(writer.id, content))
        const more = onWritten?.(content)
        sequence++
        const {id: runId, worker} = writer
        const entry = appendToChain(content, {runId, worker, sequence, at: clock.now()}, previous ?? origin())
        previous = entry.hash
        waiting.push({entry, resolve, reject, more})
        if (!isFlushing) void flush()
      }),
  }
}

function createMissingIntentError(run: string, {kind, item, attempt}: NewEntry) {
  return createContradictionError(
    `run ${run} has ${kind === 'result' ? 'a result' : 'an answer'} of attempt ${attempt} of ${item} without an intent`,
  )
}

function resolveAll(batch: readonly Waiting[], onDurable: JournalOptions['onDurable']): void {
  if (onDurable) for (const {entry} of batch) onDurable(entry)
  for (const {resolve, more} of batch) resolve(more?.())
}

function rejectAll(batch: readonly Waiting[], error: unknown): void {
  for (const {reject} of batch) reject(error)
}
