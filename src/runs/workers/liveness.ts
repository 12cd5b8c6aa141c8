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
export type Holder = Named & Pick<Worker, 'heartbeatAgeMs'>

/** What names a process. */
type Named = Pick<Worker, 'host' | 'pid' | 'processStart'>

/** A machine, without the person. */
export type LocalProcess = Omit<Machine, 'who'>

/** Whether its process lives; `undefined` where nobody can see that from here. */
export function isSeenAlive({host, pid, processStart}: Named, machine: LocalProcess): boolean | undefined {
  return host === machine.host ? machine.isAlive(pid, processStart) : undefined
}

/** Whether only its signs of life can tell if a process is at work. */
export function isOutOfSight(holder: Holder, machine: Machine): boolean {
  return isSeenAlive(holder, machine) === undefined
}
