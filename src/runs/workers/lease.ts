import {StorectlError} from '../../errors.js'
import type {RunRow} from '../journal/run-store.js'
import {type Holder, isLive, isOutOfSight, LEASE_MS, type Machine} from './liveness.js'

/** Whether a run still holds its lease, which it does while any of its workers lives. */
export function isHeld(holder: RunRow, machine: Machine): boolean {
  return holder.state === 'running' && listHolders(holder).some(one => isLive(one, machine))
}

/** The workers of a run that are stored as working. Older programs name no workers. */
export function listHolders(run: RunRow): readonly Holder[] {
  return run.workers.length === 0 ? [run] : run.workers.filter(({state}) => state === 'working')
}

/** The error of the second run: who holds the lease, where, since when, its progress, and what to do. */
export function describeLeaseConflict(holder: RunRow, machine: Machine): StorectlError {
  const {kind, target} = holder
  return new StorectlError(
    'conflict.lease_held',
    `A ${kind} to ${target} is already running: ${describeWhereabouts(holder)}. Nothing was sent.`,
    {nextSteps: suggestRelease(holder, machine)},
  )
}

/** `run 01… by ada on desk (pid 4711) since 2026-11-21T12:00:00Z, 1 of 40 done` */
export function describeWhereabouts(run: RunRow): string {
  const {id, who, host, pid, counts, total, startedAt, control} = run
  const done = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const far = `${total === null ? `${done} done` : `${done} of ${total} done`}${describePause(control)}`
  return `run ${id} by ${who} on ${host} (pid ${pid}) since ${startedAt.toISOString().slice(0, 19)}Z, ${far}`
}

function describePause(control: RunRow['control']): string {
  return control?.isPaused ? `, paused by ${control.askedBy}` : ''
}

/** How to free the lease of an active run. */
export function suggestRelease(holder: RunRow, machine: Machine): string[] {
  const {id} = holder
  const show = `storectl run show ${id}`
  const live = listHolders(holder).filter(one => isLive(one, machine))
  const here = live.filter(one => !isOutOfSight(one, machine))
  const ways = [show, `storectl run stop ${id}   (finishes requests in flight, then releases the lease)`]
  if (here.length === live.length) return ways
  const silentS = Math.max(0, Math.round(holder.heartbeatAgeMs / 1000))
  return [
    ...ways,
    `wait for it to end; if it is unresponsive, its lease ends ${LEASE_MS / 1000} s after its last heartbeat (${silentS} s ago)`,
    `storectl run resume ${id} --take-over --force   (if its machine is gone)`,
  ]
}
