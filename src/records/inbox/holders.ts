import {isSeenAlive, type LocalProcess} from '../../runs/workers/liveness.js'

/** Names the process that has something in flight. */
export function nameHolder({host, pid, processStart}: LocalProcess): string {
  return JSON.stringify([host, pid, processStart])
}

/**
 * Whether a process is seen to have ended, so that what it had in flight is over. One of another machine is not seen: its
 * lease tells.
 *
 * @param holder as `nameHolder` gave it
 */
export function isHolderGone(holder: string | null, local: LocalProcess): boolean {
  if (holder === null) return false
  const [host, pid, processStart] = JSON.parse(holder) as [string, number, string]
  return isSeenAlive({host, pid, processStart}, local) === false
}
