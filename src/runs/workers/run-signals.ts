import type {StorectlError} from '../../errors.js'
import type {RunControl} from '../journal/run-store.js'
import type {ClassCounts, Counts} from '../journal/worker.js'

/** An event with its listeners. */
class Signal<Args extends readonly unknown[] = []> {
  readonly #listeners: ((...args: Args) => void | Promise<void>)[] = []

  listen(listener: (...args: Args) => void | Promise<void>): void {
    this.#listeners.push(listener)
  }

  tell(...args: Args): void {
    for (const listener of this.#listeners) void listener(...args)
  }

  /** Resolves when all listeners have finished. */
  async tellAndWait(...args: Args): Promise<void> {
    await Promise.all(this.#listeners.map(listener => listener(...args)))
  }
}

/**
 * Signals between the parts of a worker: session, claimer, pool and monitors. They exist before the parts and are
 * passed to each, so that none depends on the creation of another.
 */
export class RunSignals {
  /** What stopped the run; `undefined` for nothing. */
  halt: StorectlError | undefined
  /** Whether this worker opens the run for the others once its canary has succeeded. */
  isOpening = false
  /** Active workers, including this one. */
  activeWorkers = 1
  /** Results of the others. */
  peerCounts: Counts = {}
  /** More or fewer items may be started. */
  readonly changed = new Signal()
  /** The other workers of the run have been checked. */
  readonly peersChecked = new Signal()
  /** Results of other workers since the last check. */
  readonly peerResults = new Signal<[news: ClassCounts]>()
  /** How many items wait for the effect of a call that was given up. */
  readonly inDoubt = new Signal<[count: number]>()
  /** An item has its durable result. */
  readonly itemEnded = new Signal<[item: string, orderingKey: string]>()
  /** A result counts for the canary; the writer of the last one waits until the run is open. */
  readonly canaryEnded = new Signal()
  readonly #closing = new AbortController()
  readonly #paused = new Set<() => void>()
  #control: RunControl | null = null
  #isHeldUp = false

  /** Fires once nothing new is started, so that a source of items need hold none back. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  /** Nothing new is started from now on. */
  close(): void {
    if (!this.#closing.signal.aborted) this.#closing.abort()
    this.changed.tell()
  }

  /** Starts nothing new, for a reason; requests in flight are finished. */
  stop(halt: StorectlError): void {
    this.halt ??= halt
    this.close()
  }

  /** What a person requested of the run from another terminal; `null` for nothing. */
  get control(): RunControl | null {
    return this.#control
  }

  /** Applies what a person requested. */
  apply(control: RunControl): void {
    this.#control = control
    this.#wakePaused()
  }

  /** Pauses starts as if a person had paused the run, or ends that pause. */
  holdUp(isHeldUp: boolean): void {
    this.#isHeldUp = isHeldUp
    this.#wakePaused()
  }

  #wakePaused(): void {
    for (const wake of this.#paused) wake()
    this.changed.tell()
  }

  get isPaused(): boolean {
    return this.#isHeldUp || this.#control?.isPaused === true
  }

  /** Resolves when the run is not paused, or at once when `signal` fires. */
  async waitWhilePaused(signal: AbortSignal): Promise<void> {
    while (this.isPaused && !signal.aborted) {
      await new Promise<void>(resolve => {
        const wake = () => {
          this.#paused.delete(wake)
          signal.removeEventListener('abort', wake)
          resolve()
        }
        this.#paused.add(wake)
        signal.addEventListener('abort', wake, {once: true})
      })
    }
  }
}
