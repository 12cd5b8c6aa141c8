import {StorectlError} from '../errors.js'
import type {RunRow} from './store.js'

/** How often a run gives a sign of life. */
export const HEARTBEAT_MS = 5_000

/** A run that has been silent for so long has lost its lease. */
export const LEASE_MS = 30_000

/** The machine and process that a run belongs to. */
export interface Machine {
  /** The person, as the machine knows them. */
  readonly who: string
  readonly host: string
  readonly pid: number
  /** When this process began, in the system's own terms. */
  readonly processStart: string
  /** Whether the process of this host that had the id and began then still lives. */
  isAlive(pid: number, processStart: string): boolean
}

/** Whether a run still holds its lease: it gave a sign of life lately, and its process was not seen to be gone. */
export function isHeld(holder: RunRow, now: Date, machine: Machine): boolean {
  if (holder.state !== 'running') return false
  if (now.getTime() - holder.heartbeatAt.getTime() > LEASE_MS) return false
  return holder.host !== machine.host || machine.isAlive(holder.pid, holder.processStart)
}

/** The error of the second run: who holds the lease, where, since when, how far, and what to do. */
export function leaseConflict(holder: RunRow, now: Date): StorectlError {
  const {id, who, host, pid, target, kind} = holder
  const done = Object.values(holder.counts).reduce((sum, count) => sum + count, 0)
  const far = holder.total === null ? `${done} done` : `${done} of ${holder.total} done`
  const since = `${holder.startedAt.toISOString().slice(0, 19)}Z`
  const silentS = Math.round((now.getTime() - holder.heartbeatAt.getTime()) / 1000)
  return new StorectlError(
    'conflict.lease_held',
    `Another ${kind} to ${target} is under way: run ${id} by ${who} on ${host} (pid ${pid}) since ${since}, ${far}. Nothing was sent.`,
    {
      nextSteps: [
        `storectl run show ${id}`,
        `wait for it to end; if it goes silent, its lease ends ${LEASE_MS / 1000} s after its last sign of life (${silentS} s ago)`,
      ],
    },
  )
}
