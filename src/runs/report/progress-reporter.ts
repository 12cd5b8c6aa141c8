import {type ProgressOutput, showWork, type WorkProgress} from '../../platform/terminal/progress.js'

/** What a run has done so far, for a person who watches it. */
export interface RunProgress extends WorkProgress {
  /** The message if it is ended at once: its requests in flight, and how to resume. */
  describeEnd(): string
}

/** Where the progress of a run is shown. */
export interface RunProgressOutput extends ProgressOutput {
  /** Registers a message for an immediate end of the process. @returns a function that removes it */
  setLastMessage(words: () => string): () => void
}

/** Most items in flight that are named at the end; `--concurrency` may allow more. */
const MOST_NAMED = 20

/**
 * The message when a run is ended at once.
 *
 * @param inFlight keys of its items without a clear response
 * @param resumeCommand the command that resumes it
 */
export function describeInFlight(inFlight: ReadonlySet<string>, run: string, resumeCommand: string): string {
  const first = inFlight.size === 0 ? '' : '   # looks up requests in flight first'
  return `stopped at once (run ${run}); ${nameItemsInFlight(inFlight)}\nto resume: ${resumeCommand}${first}`
}

/** The items that a run had in flight when it broke off, by name. @param inFlight their keys */
export function nameItemsInFlight(inFlight: ReadonlySet<string>): string {
  if (inFlight.size === 0) return 'no requests were in flight'
  const named = [...inFlight].slice(0, MOST_NAMED).join(', ')
  const more = inFlight.size > MOST_NAMED ? ` and ${inFlight.size - MOST_NAMED} more` : ''
  return `in flight, and now unknown: ${named}${more}`
}

/** A run that ends sooner shows no progress. */
const NOTE_STOPPING_AFTER_MS = 1000

/**
 * Shows the progress of a run: by a bar, or by a line every few seconds.
 *
 * @returns a function that ends it
 */
export function showProgress(progress: RunProgress, output: RunProgressOutput): () => void {
  const stopDrawing = output.stopping.aborted ? () => {} : showWork(progress, output)
  const stopListening = noteStopping(output)
  const takeBack = output.setLastMessage(() => progress.describeEnd())
  return () => {
    takeBack()
    stopListening()
    stopDrawing()
  }
}

/** Without a visible effect, a person would press Ctrl-C again, which leaves requests in flight unknown. */
function noteStopping({stopping, note}: RunProgressOutput): () => void {
  let timer: NodeJS.Timeout | undefined
  const text = 'stopping: finishing requests in flight; a second Ctrl-C leaves them unknown'
  const onStop = () => {
    timer = setTimeout(() => void note(text).catch(() => undefined), NOTE_STOPPING_AFTER_MS)
  }
  stopping.addEventListener('abort', onStop, {once: true})
  return () => {
    stopping.removeEventListener('abort', onStop)
    clearTimeout(timer)
  }
}
