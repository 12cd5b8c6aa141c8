import type {Clock} from '../platform/clock.js'
import {Blocks} from './blocks.js'
import {chainOrigin} from './journal/hash-chain.js'
import {settled} from './journal/recover-open-items.js'
import {runId} from './journal/run-id.js'
import type {NewRun, RunRow, RunStore} from './journal/run-store.js'
import type {PlannedItem} from './journal/worker.js'
import {batches} from './pool/batches.js'
import {isHeld, leaseConflict, type Machine} from './workers/lease.js'
import {type Participant, participant} from './workers/worker-session.js'

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

/** A run that holds the lease of its target, in the hands of the worker that began it. */
export interface OpenRun extends Participant {
  /** The silent run whose lease was taken over; its open items are now `unknown`. */
  readonly crashed: RunRow | undefined
  /**
   * Writes down which items are to be sent, so that other workers can share them and `run resume` can carry on with them,
   * and how many items there are in all. As long as there is no total, the plan is not whole. Called before anything is
   * written to the journal, whose chain begins with it.
   *
   * @param plan the hash of the plan that was written down, where one was; goes into the run's options
   */
  expect(total: number, sends: number, items: AsyncIterable<PlannedItem>, plan?: string): Promise<void>
  /** Takes the run back before anything was written: it was only looked at, or not agreed to. */
  abandon(): Promise<void>
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
    holder => isHeld(holder, machine),
    open => settled(open, id, now),
  )
  if (!lease.begun) throw leaseConflict(lease.holder, machine)
  return opened(run, lease.crashed, deps)
}

/** Items of one commit. */
const PLANNED_AT_ONCE = 2000

function opened(run: NewRun, crashed: RunRow | undefined, deps: OpenRunDeps): OpenRun {
  const {store} = deps
  const {id, kind, target} = run
  let heading = run
  const own = participant({id, kind, target, worker: id}, () => chainOrigin(heading), deps)
  return {
    ...own,
    crashed,
    expect: async (total, sends, items, plan) => {
      const blocks = new Blocks(sends)
      let from = 0
      for await (const some of batches(items, PLANNED_AT_ONCE)) {
        const cut = some.map(item => ({...item, block: blocks.of(item.lane)}))
        await store.addPlanned(id, from, cut)
        from += some.length
      }
      const options = plan === undefined ? run.options : {...run.options, plan}
      await store.addBlocks(id, blocks.count, id)
      await store.setTotal(id, total, options)
      heading = {...run, total, options}
    },
    abandon: async () => {
      own.rest()
      await store.discard(id)
    },
  }
}
