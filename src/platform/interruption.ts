import {setMaxListeners} from 'node:events'

/** Why a command is asked to stop: a signal, or a reader that closed our stdout. */
export type StopCause = 'SIGINT' | 'SIGTERM' | 'output-closed'

/**
 * The wish that a command stop. The first wish is polite: start nothing new, finish what is in flight.
 * `stopping` fires once; `cause` then says why.
 */
export class Interruption {
  readonly #controller = new AbortController()
  readonly #lastWords = new Set<() => string>()
  #cause: StopCause | undefined
  #isKeyboardShared = false

  constructor() {
    // Every call and every wait listens; Node takes more than ten for a leak and says so on stderr.
    setMaxListeners(0, this.stopping)
  }

  get stopping(): AbortSignal {
    return this.#controller.signal
  }

  get cause(): StopCause | undefined {
    return this.#cause
  }

  /** What there is to say when the process is ended at once. */
  get lastWords(): string {
    return [...this.#lastWords].map(words => words()).join('\n')
  }

  /**
   * Has something said when a second signal ends the process at once.
   *
   * @param words whole lines, without control characters and without the last line feed
   * @returns a function that takes it back
   */
  registerLastMessage(words: () => string): () => void {
    this.#lastWords.add(words)
    return () => {
      this.#lastWords.delete(words)
    }
  }

  /** Whether another program on this terminal takes Ctrl-C. */
  get isKeyboardShared(): boolean {
    return this.#isKeyboardShared
  }

  /** A pager has the keyboard: Ctrl-C is for the pager. @returns a function that takes the keyboard back */
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

/** Thrown by a read that was cut short by an interruption; not an error that a person needs to hear of. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
  constructor(readonly stopCause: StopCause) {
    super(`stopped: ${stopCause}`)
  }
}

/**
 * Turns SIGINT and SIGTERM into the interruption; a second signal ends the process at once, with 130 or 143.
 *
 * @returns a function that stops listening
 */
export function listenForSignals(interruption: Interruption, process: NodeJS.Process): () => void {
  const on = (signal: 'SIGINT' | 'SIGTERM') => () => {
    if (signal === 'SIGINT' && interruption.isKeyboardShared) return
    const isSecond = interruption.cause === 'SIGINT' || interruption.cause === 'SIGTERM'
    if (isSecond) endAtOnce(signal, interruption, process)
    interruption.stop(signal)
  }
  const onInterrupt = on('SIGINT')
  const onTerminate = on('SIGTERM')
  process.on('SIGINT', onInterrupt)
  process.on('SIGTERM', onTerminate)
  return () => {
    process.off('SIGINT', onInterrupt)
    process.off('SIGTERM', onTerminate)
  }
}

function endAtOnce(signal: 'SIGINT' | 'SIGTERM', {lastWords}: Interruption, process: NodeJS.Process): never {
  // Node writes at once to a terminal, a file and, but on Windows, a pipe.
  if (lastWords !== '') process.stderr.write(`${lastWords}\n`)
  process.exit(signal === 'SIGINT' ? 130 : 143)
}
