import {hostname, userInfo} from 'node:os'
import {isRunning, thisProcess} from './processes.js'

/** The person, machine and process, as records name them. */
export function thisMachine(env: Readonly<Record<string, string | undefined>>) {
  const {pid, start} = thisProcess()
  return {who: whoAmI(env), host: hostname(), pid, processStart: start, isAlive: isRunning}
}

/** A container's user may have no name at all. */
function whoAmI(env: Readonly<Record<string, string | undefined>>): string {
  try {
    return userInfo().username
  } catch {
    return env.USER || env.LOGNAME || 'unknown'
  }
}
