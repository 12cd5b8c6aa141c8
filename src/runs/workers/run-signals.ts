import type {StorectlError} from '../../errors.js'
import type {RunControl} from '../journal/run-store.js'
import type {ClassCounts, Counts} from '../journal/worker.js'

/** Something that happens again and again, with those who want to know. */
class Signal<Args extends readonly unknown[] = []> {
  readonly #listeners: ((...args: Args) => void | Promise<void>)[] = []

  listen(listener: (...args: Args) => void | Promise<void>): void {
    this.#listeners.push(listener)
  }

  tell(...args: Args): void {
    for (const listener of this.#listeners) void listener(...args)
  }

  /** Resolves when whoever wants to know has done what it does about it. */
  async tellAndWait(...args: Args): Promise<void> {
    await Promise.all(this.#listeners.map(listener => listener(...args)))
  }
}

/**
 * What the parts of a worker tell each other: session, claimer, pool and monitors. It is made before them and each is
 * given it, so that none waits for another to be made.
 */
export class RunSignals {
  /** What stopped the run; `undefined` as long as nothing did. */
  halt: StorectlError | undefined
  /** Whether this worker has to open the run for the others, once its canary has come back whole. */
  isOpening = false
  /** Workers that are at work, this one among them. */
  activeWorkers = 1
  /** What the others have ended. */
  peerCounts: Counts = {}
  /** More may be started, or less. */
  readonly changed = new Signal()
  /** The other workers of the run have been checked. */
  readonly peersChecked = new Signal()
  /** What other workers have ended since the last check. */
  readonly peerResults = new Signal<[news: ClassCounts]>()
  /** How many items wait for the end of a call that was given up. */
  readonly inDoubt = new Signal<[count: number]>()
  /** An item has its durable result. */
  readonly itemEnded = new Signal<[item: string, orderingKey: string]>()
  /** A result counts for the canary; whoever wrote it waits until the run is open, where it was the last. */
  readonly canaryEnded = new Signal()
  readonly #closing = new AbortController()
  readonly #paused = new Set<() => void>()
  #control: RunControl | null = null
  #isHeldUp = false

  /** Fires when nothing new is started any more, so that a source of items need hold none back. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  /** Nothing new is started from here on. */
  close(): void {
    if (!this.#closing.signal.aborted) this.#closing.abort()
    this.changed.tell()
  }

  /** Starts nothing new, for a reason; what is in flight is finished. */
  stop(halt: StorectlError): void {
    this.halt ??= halt
    this.close()
  }

  /** What a person asked of the run from another terminal; `null` as long as nobody did. */
  get control(): RunControl | null {
    return this.#control
  }

  /** Takes over what a person asked for. */
  apply(control: RunControl): void {
    this.#control = control
    this.#wakePaused()
  }

  /** Starts nothing new for now, as if somebody had paused it; or no longer so. */
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
