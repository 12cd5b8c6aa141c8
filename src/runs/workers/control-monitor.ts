import type {StorectlError} from '../../errors.js'
import type {RunControl, RunStop, RunStore} from '../journal/run-store.js'
import {CHECK_MS, createStop, STOPPED_BY_REQUEST} from './peer-monitor.js'

/** What sends the items of a worker, as far as a person elsewhere has a say in it. */
interface Controlled {
  /** Starts nothing new; what is in flight is finished. */
  stop(halt: StorectlError): void
  /** Starts what may start by now. */
  advance(): void
}

export interface ControlMonitorDeps {
  readonly store: Pick<RunStore, 'readControl'>
  /** A line for the person. */
  readonly note: (text: string) => Promise<void>
}

/** Changes that are named at the end of a run; more are the last ones. */
const MOST_NAMED = 5

/**
 * What a person asked of a run from another terminal, as it was at the last check: pause, stop, another rate or
 * concurrency.
 */
export class ControlMonitor {
  /** What was asked for; `null` as long as nothing was. */
  control: RunControl | null = null
  /** What was asked for while this worker was at work, oldest first: `paused by ada on desk`. */
  readonly changes: string[] = []
  #controlled: Controlled | undefined
  #timer: NodeJS.Timeout | undefined
  #checking: Promise<void> | undefined
  #isStopped = false
  readonly #waiting = new Set<() => void>()

  constructor(
    private readonly run: string,
    private readonly deps: ControlMonitorDeps,
  ) {}

  get isPaused(): boolean {
    return this.control?.isPaused === true
  }

  /** Checks once, and from then on every second. */
  async start(controlled: Controlled): Promise<void> {
    this.#controlled = controlled
    this.#timer = setInterval(() => void this.check(), CHECK_MS)
    await this.check()
  }

  /** Checks no more; resolves when the last check has ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#checking
  }

  /** Checks once, unless it is doing so already. A check that fails is no error: the next one may not. */
  check(): Promise<void> {
    this.#checking ??= this.#readControl()
      .catch(() => undefined)
      .finally(() => {
        this.#checking = undefined
      })
    return this.#checking
  }

  /** Resolves when the run is not paused, or at once when `signal` fires. */
  async waitWhilePaused(signal: AbortSignal): Promise<void> {
    while (this.isPaused && !signal.aborted) {
      await new Promise<void>(resolve => {
        const wake = () => {
          this.#waiting.delete(wake)
          signal.removeEventListener('abort', wake)
          resolve()
        }
        this.#waiting.add(wake)
        signal.addEventListener('abort', wake, {once: true})
      })
    }
  }

  async #readControl(): Promise<void> {
    const {control, stop} = await this.deps.store.readControl(this.run)
    const before = this.control
    if (control && control.askedAt.getTime() !== before?.askedAt.getTime()) this.#apply(control, before)
    if (stop) this.#stop(stop)
  }

  #apply(control: RunControl, before: RunControl | null): void {
    this.control = control
    for (const change of listChanges(control, before)) this.#note(`${change} by ${control.askedBy}`)
    for (const wake of this.#waiting) wake()
    this.#controlled?.advance()
  }

  #stop(stop: RunStop): void {
    if (this.#isStopped) return
    this.#isStopped = true
    if (stop.code === STOPPED_BY_REQUEST) this.#note(stop.reason)
    this.#controlled?.stop(createStop(this.run, stop))
  }

  #note(change: string): void {
    this.changes.push(change)
    if (this.changes.length > MOST_NAMED) this.changes.shift()
    void this.deps.note(`run ${this.run}: ${change}`).catch(() => undefined)
  }
}

/** `paused`, `resumed`, `rate set to 2/s`: what one control differs in from another. */
function listChanges(now: RunControl, before: RunControl | null): string[] {
  const wasPaused = before?.isPaused ?? false
  const {isPaused, ratePerSecond: rate, concurrency} = now
  return [
    ...(isPaused && !wasPaused ? ['paused'] : []),
    ...(!isPaused && wasPaused ? ['resumed'] : []),
    ...(rate !== null && rate !== before?.ratePerSecond ? [`rate set to ${describeRate(rate)}`] : []),
    ...(concurrency !== null && concurrency !== before?.concurrency
      ? [`concurrency set to ${concurrency}`]
      : []),
  ]
}

/** `2/s`. @param ratePerSecond 0 is no limit */
export function describeRate(ratePerSecond: number | 'auto'): string {
  if (ratePerSecond === 'auto') return 'auto'
  return ratePerSecond === 0 ? 'no limit' : `${ratePerSecond}/s`
}
