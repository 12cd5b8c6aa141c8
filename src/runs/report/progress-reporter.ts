import {type ProgressOutput, showWork, type WorkProgress} from '../../platform/terminal/progress.js'

/** What a run has done so far, for whoever watches it. */
export interface RunProgress extends WorkProgress {
  /** What there is to say when it is ended at once: what was in flight, and how to resume. */
  describeEnd(): string
}

/** Where the progress of a run is shown. */
export interface RunProgressOutput extends ProgressOutput {
  /** Has something said when the process is ended at once. @returns a function that takes it back */
  setLastMessage(words: () => string): () => void
}

/** Items in flight that are named at the last; more are as many as `--concurrency` lets be. */
const MOST_NAMED = 20

/**
 * What there is to say when a run is ended at once.
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

/** What ends sooner needs no word. */
const NOTE_STOPPING_AFTER_MS = 1000

/**
 * Shows how far a run is: by a bar, or by a line every few seconds.
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

/** Somebody who asked for an end and sees none would ask again, which leaves what is in flight unknown: so it is said. */
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
