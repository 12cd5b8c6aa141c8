import type {RunControl, RunStop, RunStore} from '../journal/run-store.js'
import {CHECK_MS, createStop, STOPPED_BY_REQUEST} from './peer-monitor.js'
import type {RunSignals} from './run-signals.js'

export interface ControlMonitorDeps {
  readonly store: Pick<RunStore, 'readControl'>
  /** A line for the person. */
  readonly note: (text: string) => Promise<void>
}

/** Changes named at the end of a run: the last ones. */
const MOST_NAMED = 5

/** Polls what a person requests of a run from another terminal: pause, stop, another rate or concurrency. */
export class ControlMonitor {
  /** What was requested while this worker was active, oldest first: `paused by ada on desk`. */
  readonly changes: string[] = []
  #timer: NodeJS.Timeout | undefined
  #checking: Promise<void> | undefined
  #isStopped = false

  constructor(
    private readonly run: string,
    private readonly signals: Pick<RunSignals, 'control' | 'apply' | 'stop'>,
    private readonly deps: ControlMonitorDeps,
  ) {}

  /** Checks now, and then every second. */
  async begin(): Promise<void> {
    this.#timer = setInterval(() => void this.check(), CHECK_MS)
    await this.check()
  }

  /** Stops checking; resolves when the last check has ended. */
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

  async #readControl(): Promise<void> {
    const {control, stop} = await this.deps.store.readControl(this.run)
    const before = this.signals.control
    if (control && control.askedAt.getTime() !== before?.askedAt.getTime()) this.#apply(control, before)
    if (stop) this.#stop(stop)
  }

  #apply(control: RunControl, before: RunControl | null): void {
    for (const change of listChanges(control, before)) this.#note(`${change} by ${control.askedBy}`)
    this.signals.apply(control)
  }

  #stop(stop: RunStop): void {
    if (this.#isStopped) return
    this.#isStopped = true
    if (stop.code === STOPPED_BY_REQUEST) this.#note(stop.reason)
    this.signals.stop(createStop(this.run, stop))
  }

  #note(change: string): void {
    this.changes.push(change)
    if (this.changes.length > MOST_NAMED) this.changes.shift()
    void this.deps.note(`run ${this.run}: ${change}`).catch(() => undefined)
  }
}

/** How one control differs from another: `paused`, `resumed`, `rate set to 2/s`. */
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
