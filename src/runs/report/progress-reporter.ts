import type {Clock} from '../../platform/clock.js'
import type {ProgressBar} from '../../platform/terminal/progress-bar.js'

/** What a run has done so far, for whoever watches it. */
export interface RunProgress {
  readonly total: number
  countDone(): number
  /** `12 sent, 10 applied, 1 unchanged` */
  describe(): string
  /** What there is to say when it is ended at once: what was in flight, and how to resume. */
  describeEnd(): string
}

/** Where progress is shown. */
export interface ProgressOutput {
  /** A bar, where there is a terminal that can show one. */
  openBar(total: number): Promise<ProgressBar | undefined>
  /** A line for the person. */
  note(text: string): Promise<void>
  /** Whether lines are wanted where there is no bar. */
  readonly verbose: boolean
  readonly clock: Clock
  /** Fires when nothing new is started: then the bar goes, as the person wants the terminal back. */
  readonly stopping: AbortSignal
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
  const first = inFlight.size === 0 ? '' : '   # what was in flight is looked up first'
  return `stopped at once (run ${run}); ${nameItemsInFlight(inFlight)}\nto carry on: ${resumeCommand}${first}`
}

/** The items that a run had in flight when it broke off, by name. @param inFlight their keys */
export function nameItemsInFlight(inFlight: ReadonlySet<string>): string {
  if (inFlight.size === 0) return 'nothing was in flight'
  const named = [...inFlight].slice(0, MOST_NAMED).join(', ')
  const more = inFlight.size > MOST_NAMED ? ` and ${inFlight.size - MOST_NAMED} more` : ''
  return `in flight, and now unknown: ${named}${more}`
}

const DRAW_EVERY_MS = 200
const NOTE_EVERY_MS = 2000
/** What ends sooner needs no word. */
const NOTE_STOPPING_AFTER_MS = 1000

/**
 * Shows how far a run is: by a bar, or by a line every few seconds.
 *
 * @returns a function that ends it
 */
export async function showProgress(progress: RunProgress, output: ProgressOutput): Promise<() => void> {
  const stopDrawing = await drawProgress(progress, output)
  const stopListening = noteStopping(output)
  const takeBack = output.setLastMessage(() => progress.describeEnd())
  return () => {
    takeBack()
    stopListening()
    stopDrawing()
  }
}

/** Somebody who asked for an end and sees none would ask again, which leaves what is in flight unknown: so it is said. */
function noteStopping({stopping, note}: ProgressOutput): () => void {
  let timer: NodeJS.Timeout | undefined
  const text =
    'stopping: what is in flight is finished and written down; a second Ctrl-C would leave it unknown'
  const onStop = () => {
    timer = setTimeout(() => void note(text).catch(() => undefined), NOTE_STOPPING_AFTER_MS)
  }
  stopping.addEventListener('abort', onStop, {once: true})
  return () => {
    stopping.removeEventListener('abort', onStop)
    clearTimeout(timer)
  }
}

async function drawProgress(progress: RunProgress, output: ProgressOutput): Promise<() => void> {
  const speed = new Speed(output.clock.now().getTime())
  const describe = () => `${progress.describe()}${speed.describe(progress, output.clock.now().getTime())}`
  const bar =
    progress.total > 0 && !output.stopping.aborted ? await output.openBar(progress.total) : undefined
  if (!bar && !output.verbose) return () => {}
  const show = bar
    ? () => bar.update(progress.countDone(), describe())
    : () =>
        void output.note(`${progress.countDone()} of ${progress.total}: ${describe()}`).catch(() => undefined)
  const timer = setInterval(show, bar ? DRAW_EVERY_MS : NOTE_EVERY_MS)
  timer.unref()
  const stop = () => {
    clearInterval(timer)
    output.stopping.removeEventListener('abort', stop)
    bar?.stop()
  }
  if (bar) output.stopping.addEventListener('abort', stop, {once: true})
  return stop
}

/** The rate is taken over this time. */
const LOOK_BACK_MS = 10_000

/** How many end in a second lately, and how long the rest takes at that rate. */
class Speed {
  #samples: {readonly atMs: number; readonly done: number}[]

  constructor(startedMs: number) {
    this.#samples = [{atMs: startedMs, done: 0}]
  }

  describe({countDone, total}: Pick<RunProgress, 'countDone' | 'total'>, nowMs: number): string {
    const sample = {atMs: nowMs, done: countDone()}
    this.#samples.push(sample)
    while (this.#samples.length > 2 && (this.#samples[1]?.atMs ?? nowMs) < nowMs - LOOK_BACK_MS)
      this.#samples.shift()
    const first = this.#samples[0] ?? sample
    const perSecond = (1000 * (sample.done - first.done)) / Math.max(1, nowMs - first.atMs)
    if (perSecond <= 0) return ''
    const rate = perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)
    return `, ${rate}/s, ${formatSeconds((total - sample.done) / perSecond)} left`
  }
}

function formatSeconds(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`
}
