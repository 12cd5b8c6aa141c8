import {isSeenAlive, type LocalProcess} from '../../runs/workers/liveness.js'

/** Formats a process as the holder of an event in flight. */
export function nameHolder({host, pid, processStart}: LocalProcess): string {
  return JSON.stringify([host, pid, processStart])
}

/**
 * Whether a process is known to have ended, and with it what it had in flight. For a process of another machine only
 * its lease tells.
 *
 * @param holder from `nameHolder`
 */
export function isHolderGone(holder: string | null, local: LocalProcess): boolean {
  if (holder === null) return false
  const [host, pid, processStart] = JSON.parse(holder) as [string, number, string]
  return isSeenAlive({host, pid, processStart}, local) === false
}
