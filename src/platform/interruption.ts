import {setMaxListeners} from 'node:events'

/** Signals that ask a command to stop, and its exit code then. */
export const SIGNAL_EXITS = {SIGINT: 130, SIGTERM: 143, SIGHUP: 129} as const

type StopSignal = keyof typeof SIGNAL_EXITS

/** Why a command is asked to stop: a signal, or a reader that closed our stdout. */
export type StopCause = StopSignal | 'output-closed'

/**
 * A request that the command stop. The first one is graceful: start nothing new, finish what is in flight. `stopping`
 * fires once; `cause` then says why.
 */
export class Interruption {
  readonly #controller = new AbortController()
  readonly #lastWords = new Set<() => string>()
  #cause: StopCause | undefined
  #isKeyboardShared = false

  constructor() {
    // Every call and every wait adds a listener; Node warns on stderr of a leak above ten.
    setMaxListeners(0, this.stopping)
  }

  get stopping(): AbortSignal {
    return this.#controller.signal
  }

  get cause(): StopCause | undefined {
    return this.#cause
  }

  /** Whether a signal asked for the stop, and not a closed stdout. */
  get isBySignal(): boolean {
    return this.#cause !== undefined && this.#cause !== 'output-closed'
  }

  /** The message for a process that is ended at once. */
  get lastWords(): string {
    return [...this.#lastWords].map(words => words()).join('\n')
  }

  /**
   * Registers a message for when a second signal ends the process at once.
   *
   * @param words whole lines, without control characters and without the last line feed
   * @returns a function that removes it
   */
  registerLastMessage(words: () => string): () => void {
    this.#lastWords.add(words)
    return () => {
      this.#lastWords.delete(words)
    }
  }

  /** Whether another program on this terminal handles Ctrl-C. */
  get isKeyboardShared(): boolean {
    return this.#isKeyboardShared
  }

  /** Leaves the keyboard, and so Ctrl-C, to a pager. @returns a function that takes it back */
  shareKeyboard(): () => void {
    this.#isKeyboardShared = true
    return () => {
      this.#isKeyboardShared = false
    }
  }

  stop(cause: StopCause): void {
    if (this.#cause) return
    this.#cause = cause
    this.#controller.abort(new Stopped(cause))
  }
}

/** Thrown by a read that was cut short by an interruption; not an error to show to a person. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
  constructor(readonly stopCause: StopCause) {
    super(`stopped: ${stopCause}`)
  }
}

/**
 * Turns SIGINT, SIGTERM and SIGHUP into the interruption; a second signal ends the process at once. A second SIGHUP
 * does not: when a terminal is closed, both the shell and the kernel send one.
 *
 * @returns a function that stops listening
 */
export function listenForSignals(interruption: Interruption, process: NodeJS.Process): () => void {
  const on = (signal: StopSignal) => () => {
    if (signal === 'SIGINT' && interruption.isKeyboardShared) return
    if (interruption.isBySignal && signal !== 'SIGHUP') endAtOnce(signal, interruption, process)
    interruption.stop(signal)
  }
  const signals = Object.keys(SIGNAL_EXITS) as StopSignal[]
  const listeners = signals.map(signal => [signal, on(signal)] as const)
  for (const [signal, listener] of listeners) process.on(signal, listener)
  return () => {
    for (const [signal, listener] of listeners) process.off(signal, listener)
  }
}

function endAtOnce(signal: StopSignal, {lastWords}: Interruption, process: NodeJS.Process): never {
  // Node writes synchronously to a terminal, a file and, except on Windows, a pipe.
  if (lastWords !== '') process.stderr.write(`${lastWords}\n`)
  process.exit(SIGNAL_EXITS[signal])
}
