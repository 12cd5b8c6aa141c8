import {readFileSync, readlinkSync} from 'node:fs'
import {hostname, userInfo} from 'node:os'
import type {Clock} from './clock.js'

/**
 * When a process started, in the system's own ticks; distinguishes it from a later process with the same id.
 *
 * @returns `0` if the system does not report it (everywhere but Linux) or there is no such process
 * @see proc_pid_stat(5), field 22
 */
export function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '0'
  } catch {
    return '0'
  }
}

/**
 * Whether the process with this id and start still runs. A zombie is not.
 *
 * @param start as `startOf` gave it; `0` checks the id only
 */
export function isRunning(pid: number, start: string): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const now = startOf(pid)
  return !isZombie(pid) && (start === '0' || now === '0' || now === start)
}

function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z')
  } catch {
    return false
  }
}

/** Identifies this process among all others. */
export function identifyProcess(): {pid: number; start: string} {
  return {pid: process.pid, start: startOf(process.pid)}
}

/**
 * The scope of process ids: containers may share a host name, and each counts from 1.
 *
 * @returns empty if the system does not report it
 * @see pid_namespaces(7)
 */
export function processSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

/** Control of other processes. */
export interface Processes {
  /**
   * Asks a process to end, and waits for it.
   *
   * @param start as `startOf` returned it
   * @returns whether it is gone
   */
  end(pid: number, start: string, timeoutMs: number): Promise<boolean>
}

const POLL_MS = 25

/** The processes of this machine. */
export function createProcesses(clock: Clock): Processes {
  return {
    end: async (pid, start, timeoutMs) => {
      if (isRunning(pid, start)) process.kill(pid, 'SIGTERM')
      for (let waitedMs = 0; isRunning(pid, start); waitedMs += POLL_MS) {
        if (waitedMs >= timeoutMs) return false
        await clock.sleep(POLL_MS)
      }
      return true
    },
  }
}

/** The person, machine and process, as records name them. */
export function describeMachine(env: Readonly<Record<string, string | undefined>>) {
  return {who: findUserName(env), ...describeProcess()}
}

/** The machine and process, as records name them. */
export function describeProcess() {
  const {pid, start} = identifyProcess()
  const space = processSpace()
  return {
    host: hostname(),
    pid,
    processStart: `${start}@${space}`,
    isAlive: (other: number, processStart: string) => isAlive(other, processStart, space),
  }
}

/**
 * Whether a process still runs; `undefined` where its id is from another scope, or a later process may have it.
 *
 * @param processStart as `describeMachine` gave it
 */
function isAlive(pid: number, processStart: string, space: string): boolean | undefined {
  const [start = '0', itsSpace] = processStart.split('@')
  if (itsSpace !== space) return undefined
  if (!isRunning(pid, start)) return false
  return start === '0' ? undefined : true
}

/** A container's user may have no name at all. */
function findUserName(env: Readonly<Record<string, string | undefined>>): string {
  try {
    return userInfo().username
  } catch {
    return env.USER || env.LOGNAME || 'unknown'
  }
}

/** Environment variables; one that is not set is `undefined`. */
export type Env = Readonly<Record<string, string | undefined>>
