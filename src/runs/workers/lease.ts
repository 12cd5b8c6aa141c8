import {StorectlError} from '../../errors.js'
import type {RunRow} from '../journal/run-store.js'
import type {Worker} from '../journal/worker.js'

/** How often a run gives a sign of life. */
export const HEARTBEAT_MS = 5_000

/** A run that has been silent for so long, and whose process cannot be looked at, has lost its lease. */
export const LEASE_MS = 30_000

/** The machine and process that a run belongs to. */
export interface Machine {
  /** The person, as the machine knows them. */
  readonly who: string
  readonly host: string
  readonly pid: number
  /** When this process began, in the system's own terms. */
  readonly processStart: string
  /**
   * Whether the process of this host that had the id and began then still lives; `undefined` where that cannot be told
   * from here, in another container for instance.
   */
  isAlive(pid: number, processStart: string): boolean | undefined
}

/**
 * Whether a process still holds its place: it is seen to live, or, where nobody can see it, it gave a sign of life
 * lately. A process that is seen may be silent: the machine slept, or its clock was set.
 */
export function isLive(holder: Holder, machine: LocalProcess): boolean {
  return isSeenAlive(holder, machine) ?? holder.heartbeatAgeMs <= LEASE_MS
}

/** What tells whether a process is at work. */
type Holder = Named & Pick<Worker, 'heartbeatAgeMs'>

/** What names a process. */
type Named = Pick<Worker, 'host' | 'pid' | 'processStart'>

/** A machine, without the person. */
export type LocalProcess = Omit<Machine, 'who'>

/** Whether a run still holds its lease, which it does as long as any of its workers lives. */
export function isHeld(holder: RunRow, machine: Machine): boolean {
  return holder.state === 'running' && listHolders(holder).some(one => isLive(one, machine))
}

/** Who of a run is at work by their own word. Older programs name no workers. */
export function listHolders(run: RunRow): readonly Holder[] {
  return run.workers.length === 0 ? [run] : run.workers.filter(({state}) => state === 'working')
}

/** Whether its process lives; `undefined` where nobody can see that from here. */
export function isSeenAlive({host, pid, processStart}: Named, machine: LocalProcess): boolean | undefined {
  return host === machine.host ? machine.isAlive(pid, processStart) : undefined
}

/** Whether only its signs of life can tell if a process is at work. */
export function isOutOfSight(holder: Holder, machine: Machine): boolean {
  return isSeenAlive(holder, machine) === undefined
}

/** The error of the second run: who holds the lease, where, since when, how far, and what to do. */
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

/** How the lease of a run that is at work comes free. */
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
    `storectl run take-over ${id} --force   (if its machine is gone)`,
  ]
}
