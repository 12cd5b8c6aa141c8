import type {StorectlError} from '../../errors.js'
import type {Clock} from '../../platform/clock.js'
import {type Journal, type JournalOptions, openJournal} from '../journal/journal.js'
import type {JournalEntry} from '../journal/journal-entry.js'
import {recoverOpenItems, releaseOpenItems} from '../journal/recover-open-items.js'
import type {ClassCounts, Counts, RunKind, RunStore} from '../journal/run-store.js'
import {HEARTBEAT_MS} from './lease.js'

/** A worker's place in a run: as long as it holds, what it writes is kept. */
export interface Place {
  readonly id: string
  readonly kind: RunKind
  readonly target: string
  readonly worker: string
}

export interface Ending {
  /** Whether every item was brought to its end; of a run that is cut into blocks these tell. */
  readonly isComplete: boolean
  readonly halt?: StorectlError | undefined
  /** Blocks that are through and not yet noted as such. */
  readonly finished?: readonly number[]
}

/** What is left of a run when a worker has ended its part. */
export interface Ended {
  /** Whether it was the last to leave. */
  readonly isOver: boolean
  /** What all workers have ended. */
  readonly counts: Counts
}

/** A worker of a run that is under way. */
export interface Participant {
  readonly id: string
  readonly worker: string
  readonly at: Place
  readonly journal: Journal
  /** How many results of each outcome of this worker are durable. */
  readonly counts: Counts
  /** Keys of the items that are sent or about to be, and have no answer that is clear; in the order they were begun. */
  readonly inFlight: ReadonlySet<string>
  /** A sign of life. One that fails is not an error: the next append finds out whether the place is lost. */
  beat(): Promise<void>
  /** No more signs of life. */
  rest(): void
  /**
   * Ends this worker's part after something that should not happen: what is in flight is looked up by the others, or is
   * `unknown` where there are none. Where even that cannot be written, the next run settles it.
   */
  fail(): Promise<void>
  /** Ends this worker's part; the last to leave ends the run. Called once, when all that was begun has its result. */
  end(how: Ending): Promise<Ended>
}

export interface ParticipantDeps {
  readonly store: Pick<RunStore, 'append' | 'beat' | 'leave' | 'giveUp'>
  readonly clock: Clock
}

/**
 * Takes part in a run, and gives signs of life until `end`.
 *
 * @param origin what this worker's chain begins with; asked once, for the first entry
 */
export function participant(at: Place, origin: () => string, {store, clock}: ParticipantDeps): Participant {
  const {id, worker} = at
  const counts: Record<string, number> = {}
  const graded = {done: 0, failed: 0}
  const inFlight = new Set<string>()
  const beat = () => store.beat(at, {...graded, counts: {...counts}}).catch(() => undefined)
  const timer = setInterval(beat, HEARTBEAT_MS)
  timer.unref()
  const seen = {counts, graded, inFlight}
  const append = counted(take => store.append(at, take), seen)
  const {write} = openJournal({runId: id, worker, clock, origin, append})
  return {
    ...{id, worker, at, counts, inFlight, beat},
    rest: () => clearInterval(timer),
    journal: {
      write: entry => {
        if (entry.kind === 'intent') inFlight.add(entry.item)
        return write(entry)
      },
    },
    fail: async () => {
      clearInterval(timer)
      const now = clock.now()
      const recover = {
        alone: (open: Parameters<typeof recoverOpenItems>[0]) => recoverOpenItems(open, `${id}-end`, now),
        shared: (open: Parameters<typeof recoverOpenItems>[0]) => releaseOpenItems(open, worker, now),
      }
      await store.giveUp(at, recover).catch(() => undefined)
    },
    end: ({isComplete, halt, finished = []}) => {
      clearInterval(timer)
      const progress = {...graded, counts: {...counts}}
      const end = {...progress, isComplete, finished, stoppedBy: halt?.code ?? null, endedAt: clock.now()}
      return store.leave(at, end, open => recoverOpenItems(open, `${id}-end`, clock.now()))
    },
  }
}

interface Seen {
  readonly counts: Record<string, number>
  readonly graded: {-readonly [Key in keyof ClassCounts]: ClassCounts[Key]}
  readonly inFlight: Set<string>
}

/** Counts results once they are durable, whether or not anybody reads them afterwards, and knows what is in flight. */
function counted(append: JournalOptions['append'], seen: Seen): JournalOptions['append'] {
  return async take => {
    let taken: readonly JournalEntry[] = []
    await append(() => {
      taken = take()
      return taken
    })
    for (const record of taken) count(record, seen)
  }
}

function count({kind, item, resultClass, outcome}: JournalEntry, {counts, graded, inFlight}: Seen): void {
  if (kind !== 'intent' && (kind === 'result' || resultClass !== 'unknown')) inFlight.delete(item)
  if (kind !== 'result') return
  if (outcome !== undefined) counts[outcome] = (counts[outcome] ?? 0) + 1
  if (resultClass === 'done') graded.done++
  if (resultClass === 'failed' || resultClass === 'unknown') graded.failed++
}
