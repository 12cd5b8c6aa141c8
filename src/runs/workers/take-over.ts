import {createUsageError, StorectlError} from '../../errors.js'
import type {Clock} from '../../platform/clock.js'
import {recoverOpenItems, releaseOpenItems} from '../journal/recover-open-items.js'
import type {OpenItem, RunRow, RunStore} from '../journal/run-store.js'
import type {Worker} from '../journal/worker.js'
import {describeWhereabouts, listHolders, suggestRelease} from './lease.js'
import {isLive, isOutOfSight, type Machine} from './liveness.js'

export interface TakeOverDeps {
  readonly store: Pick<RunStore, 'interrupt' | 'declareGone' | 'find'>
  readonly machine: Machine
  readonly clock: Clock
}

/**
 * Ends the part of unresponsive workers, on behalf of their processes; if none is left, that ends the run: its requests
 * in flight are `unknown` from then on, and its lease is free. Should such a process wake up after all, its next write
 * fails and it sends nothing more.
 *
 * @param isForced also workers with a recent heartbeat whose machine cannot be checked from here
 * @returns the run as it is now
 * @throws StorectlError `usage.run_is_over`; `conflict.lease_held` if all workers are active
 */
export async function takeOver(run: RunRow, isForced: boolean, deps: TakeOverDeps): Promise<RunRow> {
  const {store, machine, clock} = deps
  const {id, kind, target} = run
  const now = clock.now()
  if (run.state !== 'running') throw isOver(run)
  const isAtWork = (one: Parameters<typeof isLive>[0]) =>
    isLive(one, machine) && !(isForced && isOutOfSight(one, machine))
  const holders = listHolders(run)
  const left = holders.filter(isAtWork)
  if (left.length > 0 && left.length === holders.length) throw refuseAtWork(run, machine)
  if (left.length === 0) {
    const by = `${machine.who} on ${machine.host}`
    const recover = (open: OpenItem[]) => recoverOpenItems(open, `taken over by ${by}`, now)
    await store.interrupt({id, kind, target}, recover, by)
  } else {
    const isGone = (worker: Worker) => !isAtWork(worker)
    await store.declareGone({id, kind, target}, isGone, (open, worker) => releaseOpenItems(open, worker, now))
  }
  return (await store.find(id))[0] ?? run
}

function isOver({id, state}: RunRow): StorectlError {
  return createUsageError('run_is_over', `Run ${id} ${ENDS[state]}: nothing to take over.`, [
    `storectl run show ${id}`,
    `storectl run resume ${id}`,
  ])
}

const ENDS = {
  running: 'is running',
  completed: 'has completed',
  stopped: 'was stopped',
  interrupted: 'was interrupted and holds no lease',
} as const

function refuseAtWork(run: RunRow, machine: Machine): StorectlError {
  return new StorectlError('conflict.lease_held', `It is running: ${describeWhereabouts(run)}.`, {
    nextSteps: suggestRelease(run, machine),
  })
}
