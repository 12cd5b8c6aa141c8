import type {StorectlError} from '../errors.js'
import type {Clock} from '../platform/clock.js'
import {batches} from './batches.js'
import {chainOrigin} from './chain.js'
import {type Journal, openJournal} from './journal.js'
import {HEARTBEAT_MS, isHeld, leaseConflict, type Machine} from './lease.js'
import {runId} from './run-id.js'
import {settled} from './settle.js'
import type {Counts, NewRun, RunRow, RunStore} from './store.js'

export interface OpenRunDeps {
  readonly store: RunStore
  readonly machine: Machine
  readonly clock: Clock
  /** From 0 up to 1. */
  readonly random: () => number
}

/** What a noun says of the run it begins. */
export type RunIntent = Pick<NewRun, 'kind' | 'target' | 'profile' | 'reason' | 'options' | 'total'> & {
  readonly continues?: string | null
}

/** A run that holds the lease of its target. */
export interface OpenRun {
  readonly id: string
  readonly journal: Journal
  /** The silent run whose lease was taken over; its open items are now `unknown`. */
  readonly crashed: RunRow | undefined
  /** How many results of each outcome are durable. */
  readonly counts: Counts
  /** Keys of the items that are sent or about to be, and have no answer that is clear; in the order they were begun. */
  readonly inFlight: ReadonlySet<string>
  /**
   * Writes down which items are to be sent, so that `run resume` can carry on with them, and how many items there are
   * in all. As long as there is no total, the plan is not whole. Called before anything is written to the journal,
   * whose chain begins with it.
   *
   * @param plan the hash of the plan that was written down, where one was; goes into the run's options
   */
  expect(total: number, keys: AsyncIterable<string>, plan?: string): Promise<void>
  /** Takes the run back before anything was written: it was only looked at, or not agreed to. */
  abandon(): Promise<void>
  /**
   * Ends the run after something that should not happen: what is in flight becomes `unknown`. Where even that cannot be
   * written, the lease stays, and whoever begins the next run settles this one.
   */
  fail(): Promise<void>
  /** Ends the run and gives the lease back; called once, when every item that was begun has its result. */
  end(how: {readonly isComplete: boolean; readonly halt?: StorectlError | undefined}): Promise<void>
}

/**
 * Begins a run: takes the lease of its kind and target, ends a silent run that held it, and gives signs of life
 * until `end`.
 *
 * @throws StorectlError `conflict.lease_held` when another run is under way; nothing was written
 */
export async function openRun(intent: RunIntent, deps: OpenRunDeps): Promise<OpenRun> {
  const {store, machine, clock, random} = deps
  const now = clock.now()
  const id = runId(now, random)
  const {who, host, pid, processStart} = machine
  const run: NewRun = {
    ...intent,
    continues: intent.continues ?? null,
    id,
    who,
    host,
    pid,
    processStart,
    startedAt: now,
  }
  const lease = await store.begin(
    run,
    holder => isHeld(holder, now, machine),
    open => settled(open, id, now),
  )
  if (!lease.begun) throw leaseConflict(lease.holder, now, machine)
  return opened(run, lease.crashed, deps)
}

/** Keys of one commit. */
const PLANNED_AT_ONCE = 2000

function opened(run: NewRun, crashed: RunRow | undefined, {store, clock}: OpenRunDeps): OpenRun {
  const {id} = run
  let heading = run
  const counts: Record<string, number> = {}
  const inFlight = new Set<string>()
  // A beat that fails is not an error: the next append finds out whether the lease is lost.
  const beat = () => store.beat(id, clock.now(), {...counts}).catch(() => undefined)
  const timer = setInterval(beat, HEARTBEAT_MS)
  timer.unref()
  return {
    id,
    crashed,
    counts,
    inFlight,
    journal: watched(
      openJournal({
        ...{runId: id, worker: id, clock},
        origin: () => chainOrigin(heading),
        append: take => store.append(run, take),
      }),
      counts,
      inFlight,
    ),
    expect: async (total, keys, plan) => {
      let from = 0
      for await (const some of batches(keys, PLANNED_AT_ONCE)) {
        await store.addPlanned(id, from, some)
        from += some.length
      }
      const options = plan === undefined ? run.options : {...run.options, plan}
      await store.setTotal(id, total, options)
      heading = {...run, total, options}
    },
    abandon: async () => {
      clearInterval(timer)
      await store.discard(id)
    },
    fail: async () => {
      clearInterval(timer)
      await store.crash(id, open => settled(open, `${id}-end`, clock.now())).catch(() => undefined)
    },
    end: async ({isComplete, halt}) => {
      clearInterval(timer)
      const state = isComplete && !halt ? 'ended' : 'stopped'
      await store.end(id, {state, counts: {...counts}, stoppedBy: halt?.code ?? null, endedAt: clock.now()})
    },
  }
}

/** Counts results once they are durable, whether or not anybody reads them afterwards, and knows what is in flight. */
function watched({write}: Journal, counts: Record<string, number>, inFlight: Set<string>): Journal {
  return {
    write: async entry => {
      const {kind, item, grade, outcome} = entry
      if (kind === 'intent') inFlight.add(item)
      await write(entry)
      if (kind !== 'intent' && (kind === 'result' || grade !== 'unknown')) inFlight.delete(item)
      if (kind === 'result' && outcome !== undefined) counts[outcome] = (counts[outcome] ?? 0) + 1
    },
  }
}
