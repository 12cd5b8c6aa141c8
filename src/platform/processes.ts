import {readFileSync, readlinkSync} from 'node:fs'
import type {Clock} from './clock.js'

/**
 * When a process began, in the system's own ticks; tells a process from a later one with the same id.
 *
 * @returns `0` where the system does not say (everywhere but Linux) or there is no such process
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
 * Whether the process that had this id at that start is still there. A zombie is not.
 *
 * @param start as `startOf` gave it; `0` leaves the check at the id
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

/** What tells this process from every other. */
export function thisProcess(): {pid: number; start: string} {
  return {pid: process.pid, start: startOf(process.pid)}
}

/**
 * Among which processes an id means something: containers may share the host's name, and each counts from 1.
 *
 * @returns empty where the system does not say
 * @see pid_namespaces(7)
 */
export function processSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

/** What one process can do about another. */
export interface Processes {
  /**
   * Asks a process to end, and waits until it has.
   *
   * @param start as `startOf` gave it
   * @returns whether it is gone
   */
  end(pid: number, start: string, timeoutMs: number): Promise<boolean>
}

const POLL_MS = 25

/** The processes of this machine. */
export function processes(clock: Clock): Processes {
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
