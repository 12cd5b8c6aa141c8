import type {Host} from '../app/host.js'
import {machineClock} from '../platform/clock.js'
import {SIGNAL_EXITS, type StopCause, Stopped} from '../platform/interruption.js'

/** How long a command that was asked to stop may take to end by itself. */
const GRACE_MS = 500

/** Whether a command changes something, and whether a signal is its ordinary end. */
interface CommandKind {
  readonly changes: boolean
  readonly endsBySignal: boolean
}

/**
 * Waits for a command, but no longer than it may take to stop, whatever it waits for: a database lock, a name server. A
 * command that changes something finishes what is in flight, and a note says so.
 *
 * @throws Stopped if it did not end by itself, and the command's own errors
 */
export async function stopInTime(
  work: Promise<void> | undefined,
  {interruption, stderr}: Pick<Host, 'interruption' | 'stderr'>,
  {changes, endsBySignal}: CommandKind,
): Promise<void> {
  if (endsBySignal) return work
  const ended = new AbortController()
  const ask = async () => {
    await waitForAbort(interruption.stopping, ended.signal)
    await machineClock.sleep(GRACE_MS, ended.signal)
    if (ended.signal.aborted) return
    const {cause, lastWords} = interruption
    if (!changes && cause) throw new Stopped(cause)
    // A run prints its own note.
    if (cause !== 'output-closed' && lastWords === '') await stderr.write(STOPPING).catch(() => undefined)
  }
  try {
    await Promise.race([work, ask().then(() => work)])
  } finally {
    ended.abort()
  }
}

const STOPPING = 'stopping: finishing what is in flight; a second Ctrl-C ends at once\n'

/** Resolves when either signal fires. */
function waitForAbort(signal: AbortSignal, end: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const leave = () => {
      signal.removeEventListener('abort', leave)
      resolve()
    }
    if (signal.aborted || end.aborted) leave()
    signal.addEventListener('abort', leave, {once: true})
    end.addEventListener('abort', leave, {once: true})
  })
}

/** Resources closed at the end need not be consistent. */
export function ignoreStop(error: unknown): void {
  if (!(error instanceof Stopped)) throw error
}

/** The exit code of a command that has come to its end. @param exit its own; @param cause what asked it to stop */
export function exitAtEnd(
  exit: number,
  cause: StopCause | undefined,
  isChange: boolean,
  endsBySignal: boolean,
): number {
  if (cause === 'output-closed') return isChange ? 141 : exit
  return cause === undefined || endsBySignal ? exit : SIGNAL_EXITS[cause]
}

/** The exit code of an interrupted command; `undefined` for other errors. */
export function exitOfStop(error: Error, isChange: boolean): number | undefined {
  if (!(error instanceof Stopped)) return undefined
  if (error.stopCause === 'output-closed') return isChange ? 141 : 0
  return SIGNAL_EXITS[error.stopCause]
}
