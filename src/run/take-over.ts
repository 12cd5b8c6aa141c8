import {StorectlError, usageError} from '../errors.js'
import type {Clock} from '../platform/clock.js'
import {isHeld, isOutOfSight, type Machine, waysToFree, whereabouts} from './lease.js'
import {settled} from './settle.js'
import type {RunRow, RunStore} from './store.js'

export interface TakeOverDeps {
  readonly store: Pick<RunStore, 'crash' | 'find'>
  readonly machine: Machine
  readonly clock: Clock
}

/**
 * Ends a run that gave no sign of life, in the name of its process: what it had in flight is `unknown` from then on,
 * and its lease is free. Should its process wake up after all, its next write fails and it sends nothing more.
 *
 * @param isForced also where it gave a sign of life lately and its machine cannot be looked at from here
 * @returns the run as it stands now
 * @throws StorectlError `usage.run_is_over`; `conflict.lease_held` when it is at work
 */
export async function takeOver(run: RunRow, isForced: boolean, deps: TakeOverDeps): Promise<RunRow> {
  const {store, machine, clock} = deps
  const now = clock.now()
  if (run.state !== 'running') throw isOver(run)
  if (isHeld(run, now, machine) && !(isForced && isOutOfSight(run, machine))) throw atWork(run, now, machine)
  const worker = `taken over by ${machine.who} on ${machine.host}`
  await store.crash(run.id, open => settled(open, worker, now))
  return (await store.find(run.id))[0] ?? run
}

function isOver({id, state}: RunRow): StorectlError {
  return usageError('run_is_over', `Run ${id} ${ENDS[state]}: there is nothing to take over.`, [
    `storectl run show ${id}`,
    `storectl run resume ${id}`,
  ])
}

const ENDS = {
  running: 'is running',
  ended: 'has ended',
  stopped: 'was stopped',
  crashed: 'has crashed and holds no lease',
} as const

function atWork(run: RunRow, now: Date, machine: Machine): StorectlError {
  return new StorectlError('conflict.lease_held', `It is at work: ${whereabouts(run)}.`, {
    nextSteps: waysToFree(run, now, machine),
  })
}
