import type {Clock} from '../clock.js'
import type {ProgressBar} from './progress-bar.js'

/** The progress of some work. */
export interface WorkProgress {
  /** Total number of items; `undefined` where unknown. */
  readonly total: number | undefined
  /** `events` */
  readonly unit?: string
  countDone(): number
  /** Further texts, the most important first: `3 failed`. */
  listParts(): readonly string[]
}

/** Where progress is shown. */
export interface ProgressOutput {
  /** A bar, if the terminal can show one. */
  openBar(): Promise<ProgressBar | undefined>
  /** A line for the person. */
  note(text: string): Promise<void>
  /** Whether to print lines where there is no bar. */
  readonly verbose: boolean
  readonly clock: Clock
  /** Fires when nothing new is started: then the bar is removed, because the person wants the terminal back. */
  readonly stopping: AbortSignal
}

const DRAW_EVERY_MS = 200
const NOTE_EVERY_MS = 2000

/**
 * Shows the progress of some work: with a bar, or under `--verbose` by a line every two seconds. Work that ends within
 * 200 ms shows nothing.
 *
 * @returns a function that ends it
 */
export function showWork(work: WorkProgress, output: ProgressOutput): () => void {
  const speed = new Speed(output.clock.now().getTime())
  let opening: Promise<void> | undefined
  let bar: ProgressBar | undefined
  let ended = false
  let ticks = 0
  const list = () => speed.listParts(work, output.clock.now().getTime())
  const show = async () => {
    ticks++
    opening ??= output.openBar().then(opened => {
      if (ended) opened?.stop()
      else bar = opened
    })
    await opening
    if (ended) return
    const {total} = work
    if (bar) bar.update({share: total ? work.countDone() / total : undefined, parts: list()})
    else if (output.verbose && ticks % (NOTE_EVERY_MS / DRAW_EVERY_MS) === 0)
      await output.note(list().join(', '))
  }
  const timer = setInterval(() => void show().catch(() => undefined), DRAW_EVERY_MS)
  timer.unref()
  const stop = () => {
    ended = true
    clearInterval(timer)
    output.stopping.removeEventListener('abort', stop)
    bar?.stop()
  }
  output.stopping.addEventListener('abort', stop, {once: true})
  return stop
}

/** Shows work of unknown total. @param unit `events` @returns functions that set the count so far, and that end it */
export function showCount(unit: string, output: ProgressOutput) {
  let done = 0
  const stop = showWork({total: undefined, unit, countDone: () => done, listParts: () => []}, output)
  return {
    stop,
    onProgress: (count: number) => {
      done = count
    },
  }
}

const MIB = 1024 * 1024

/** Shows written bytes, in MiB. @returns functions that set the bytes so far and in all, and that end it */
export function showBytes(output: ProgressOutput) {
  const written = {mib: 0, total: 1}
  const work = {
    get total() {
      return written.total
    },
    unit: 'MiB',
    countDone: () => written.mib,
    listParts: () => [],
  }
  return {
    stop: showWork(work, output),
    onProgress: (bytes: number, total: number) => {
      written.total = Math.max(1, Math.round(total / MIB))
      written.mib = Math.min(written.total, Math.round(bytes / MIB))
    },
  }
}

/** The rate is measured over this time. */
const LOOK_BACK_MS = 10_000

/** Measures the recent rate, and how long the rest takes at that rate. */
class Speed {
  #samples: {readonly atMs: number; readonly done: number}[]

  constructor(startedMs: number) {
    this.#samples = [{atMs: startedMs, done: 0}]
  }

  /** `2,800/8,000`, `512/s`, `10 s left` and the work's own texts. */
  listParts(work: WorkProgress, nowMs: number): string[] {
    const {total, unit = ''} = work
    const done = work.countDone()
    const perSecond = this.#measure(done, nowMs)
    const count = total ? `${format(done)}/${format(total)}` : format(done)
    const parts = [`${count} ${unit}`.trimEnd()]
    if (perSecond > 0) {
      parts.push(perSecond < 10 ? `${perSecond.toFixed(1)}/s` : `${format(Math.round(perSecond))}/s`)
      if (total && total > done) parts.push(`${formatSeconds((total - done) / perSecond)} left`)
    }
    return [...parts, ...work.listParts()]
  }

  #measure(done: number, atMs: number): number {
    const sample = {atMs, done}
    this.#samples.push(sample)
    while (this.#samples.length > 2 && (this.#samples[1]?.atMs ?? atMs) < atMs - LOOK_BACK_MS)
      this.#samples.shift()
    const first = this.#samples[0] ?? sample
    return (1000 * (done - first.done)) / Math.max(1, atMs - first.atMs)
  }
}

function format(count: number): string {
  return count.toLocaleString('en-US')
}

function formatSeconds(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`
}
