import type {Clock} from '../../platform/clock.js'
import type {ProgressBar} from '../../platform/terminal/progress-bar.js'

/** What a run has done so far, for whoever watches it. */
export interface Told {
  readonly total: number
  done(): number
  /** `12 sent, 10 applied, 1 noop` */
  text(): string
  /** What there is to say when it is ended at once: what was in flight, and how to carry on. */
  lastWords(): string
}

/** Where it is told. */
export interface Teller {
  /** A bar, where there is a terminal that can show one. */
  bar(total: number): Promise<ProgressBar | undefined>
  /** A line for the person. */
  note(text: string): Promise<void>
  /** Whether lines are wanted where there is no bar. */
  readonly verbose: boolean
  readonly clock: Clock
  /** Fires when nothing new is started: then the bar goes, as the person wants the terminal back. */
  readonly stopping: AbortSignal
  /** Has something said when the process is ended at once. @returns a function that takes it back */
  sayAtLast(words: () => string): () => void
}

/** Items in flight that are named at the last; more are as many as `--concurrency` lets be. */
const MOST_NAMED = 20

/**
 * What there is to say when a run is ended at once.
 *
 * @param inFlight keys of its items without a clear answer
 * @param carryOn the command that carries on with it
 */
export function inFlightWords(inFlight: ReadonlySet<string>, run: string, carryOn: string): string {
  const named = [...inFlight].slice(0, MOST_NAMED).join(', ')
  const more = inFlight.size > MOST_NAMED ? ` and ${inFlight.size - MOST_NAMED} more` : ''
  const what = inFlight.size === 0 ? 'nothing was in flight' : `in flight, and now unknown: ${named}${more}`
  const first = inFlight.size === 0 ? '' : '   # what was in flight is looked up first'
  return `stopped at once (run ${run}); ${what}\nto carry on: ${carryOn}${first}`
}

const DRAW_EVERY_MS = 200
const SAY_EVERY_MS = 2000
/** What ends sooner needs no word. */
const SAY_STOPPING_AFTER_MS = 1000

/** Hands values on, and tells meanwhile how far the run is: by a bar, or by a line every few seconds. */
export async function* telling<V>(
  values: AsyncIterable<V>,
  told: Told,
  teller: Teller,
): AsyncGenerator<V, void, void> {
  const stop = await startTelling(told, teller)
  const settled = tellOfStopping(teller)
  const untold = teller.sayAtLast(told.lastWords)
  try {
    yield* values
  } finally {
    untold()
    settled()
    stop()
  }
}

/** Somebody who asked for an end and sees none would ask again, which leaves what is in flight unknown: so it is said. */
function tellOfStopping({stopping, note}: Teller): () => void {
  let timer: NodeJS.Timeout | undefined
  const text =
    'stopping: what is in flight is finished and written down; a second Ctrl-C would leave it unknown'
  const onStop = () => {
    timer = setTimeout(() => void note(text).catch(() => undefined), SAY_STOPPING_AFTER_MS)
  }
  stopping.addEventListener('abort', onStop, {once: true})
  return () => {
    stopping.removeEventListener('abort', onStop)
    clearTimeout(timer)
  }
}

async function startTelling(told: Told, teller: Teller): Promise<() => void> {
  const speed = new Speed(teller.clock.now().getTime())
  const words = () => `${told.text()}${speed.text(told, teller.clock.now().getTime())}`
  const bar = told.total > 0 && !teller.stopping.aborted ? await teller.bar(told.total) : undefined
  if (!bar && !teller.verbose) return () => {}
  const tell = bar
    ? () => bar.update(told.done(), words())
    : () => void teller.note(`${told.done()} of ${told.total}: ${words()}`).catch(() => undefined)
  const timer = setInterval(tell, bar ? DRAW_EVERY_MS : SAY_EVERY_MS)
  timer.unref()
  const stop = () => {
    clearInterval(timer)
    teller.stopping.removeEventListener('abort', stop)
    bar?.stop()
  }
  if (bar) teller.stopping.addEventListener('abort', stop, {once: true})
  return stop
}

/** The rate is taken over this time. */
const LOOK_BACK_MS = 10_000

/** How many end in a second lately, and how long the rest takes at that rate. */
class Speed {
  #looks: {readonly atMs: number; readonly done: number}[]

  constructor(begunMs: number) {
    this.#looks = [{atMs: begunMs, done: 0}]
  }

  text({done, total}: Pick<Told, 'done' | 'total'>, nowMs: number): string {
    const look = {atMs: nowMs, done: done()}
    this.#looks.push(look)
    while (this.#looks.length > 2 && (this.#looks[1]?.atMs ?? nowMs) < nowMs - LOOK_BACK_MS)
      this.#looks.shift()
    const first = this.#looks[0] ?? look
    const perSecond = (1000 * (look.done - first.done)) / Math.max(1, nowMs - first.atMs)
    if (perSecond <= 0) return ''
    const rate = perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)
    return `, ${rate}/s, ${lengthOf((total - look.done) / perSecond)} left`
  }
}

function lengthOf(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`
}
