import type {Worker} from '../journal/worker.js'

/** How often a run sends a heartbeat. */
export const HEARTBEAT_MS = 5_000

/** A run without a heartbeat for this long, whose process cannot be checked, has lost its lease. */
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
   * Whether the process of this host with that id and start still lives; `undefined` if that cannot be seen from here,
   * for instance in another container.
   */
  isAlive(pid: number, processStart: string): boolean | undefined
}

/**
 * Whether a process counts as alive: it is seen to live or, if it cannot be seen, it sent a heartbeat lately. A process
 * that is seen may lack heartbeats: the machine slept, or its clock was changed.
 */
export function isLive(holder: Holder, machine: LocalProcess): boolean {
  return isSeenAlive(holder, machine) ?? holder.heartbeatAgeMs <= LEASE_MS
}

/** What shows whether a process is active. */
export type Holder = Named & Pick<Worker, 'heartbeatAgeMs'>

/** What identifies a process. */
type Named = Pick<Worker, 'host' | 'pid' | 'processStart'>

/** A machine, without the person. */
export type LocalProcess = Omit<Machine, 'who'>

/** Whether its process lives; `undefined` if that cannot be seen from here. */
export function isSeenAlive({host, pid, processStart}: Named, machine: LocalProcess): boolean | undefined {
  return host === machine.host ? machine.isAlive(pid, processStart) : undefined
}

/** Whether only heartbeats can show if a process is active. */
export function isOutOfSight(holder: Holder, machine: Machine): boolean {
  return isSeenAlive(holder, machine) === undefined
}
