import {hostname, userInfo} from 'node:os'
import {isRunning, processSpace, thisProcess} from './processes.js'

/** The person, machine and process, as records name them. */
export function thisMachine(env: Readonly<Record<string, string | undefined>>) {
  const {pid, start} = thisProcess()
  const space = processSpace()
  return {
    who: whoAmI(env),
    host: hostname(),
    pid,
    processStart: `${start}@${space}`,
    isAlive: (other: number, processStart: string) => isAlive(other, processStart, space),
  }
}

/**
 * Whether a process still lives; `undefined` where its id means nothing here, or where a later process may have it.
 *
 * @param processStart as `thisMachine` gave it
 */
function isAlive(pid: number, processStart: string, space: string): boolean | undefined {
  const [start = '0', itsSpace] = processStart.split('@')
  if (itsSpace !== space) return undefined
  if (!isRunning(pid, start)) return false
  return start === '0' ? undefined : true
}

/** A container's user may have no name at all. */
function whoAmI(env: Readonly<Record<string, string | undefined>>): string {
  try {
    return userInfo().username
  } catch {
    return env.USER || env.LOGNAME || 'unknown'
  }
}
