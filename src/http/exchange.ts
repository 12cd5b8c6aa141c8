import type {IncomingHttpHeaders} from 'node:http'
import type {Dispatcher} from 'undici'
import {createResponseTooLargeError} from './connection-errors.js'
import type {HttpResponse} from './http.js'

/** What is sent, and how long the whole of it may take. */
export interface Exchange {
  readonly options: Dispatcher.DispatchOptions
  readonly baseUrl: URL
  readonly timeoutMs: number
  /** Of an answer that is kept. */
  readonly mostBytes: number
  /** Cuts it short. */
  readonly signal: AbortSignal | undefined
  readonly parseHeaders: (raw: Buffer[]) => IncomingHttpHeaders
}

/**
 * Sends a request and keeps its whole answer. A stream and a signal of its own for each call, as undici makes them,
 * would cost as much as the rest of the call.
 *
 * @param onTimeout told when the time is over, before the call ends with an error
 * @throws whatever undici or the signal says; StorectlError `unavailable.no_answer` for an answer that is too long
 */
export function exchange(
  dispatcher: Dispatcher,
  given: Exchange,
  onTimeout: () => void,
): Promise<HttpResponse> {
  const {options, timeoutMs, signal} = given
  return new Promise((resolve, reject) => {
    const whole = new WholeAnswer(given, settled => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      if (settled instanceof Error) reject(settled)
      else resolve(settled)
    })
    const stop = () => whole.end(signal?.reason)
    const timer = setTimeout(() => {
      onTimeout()
      whole.end(new Error('the time is over'))
    }, timeoutMs)
    signal?.addEventListener('abort', stop, {once: true})
    dispatcher.dispatch(options, whole as unknown as Dispatcher.DispatchHandler)
  })
}

/** What undici tells of a request, put together. */
class WholeAnswer {
  #abort: ((reason: Error) => void) | undefined
  #reason: Error | undefined
  #status = 0
  #headers: IncomingHttpHeaders = {}
  #pieces: Buffer[] = []
  #sizeBytes = 0

  constructor(
    private readonly given: Pick<Exchange, 'baseUrl' | 'parseHeaders' | 'mostBytes'>,
    private readonly finish: (answer: HttpResponse | Error) => void,
  ) {}

  /** Ends it now; what waits for a connection is then taken back as soon as there is one. */
  end(reason: Error): void {
    this.#reason ??= reason
    if (this.#abort) this.#abort(this.#reason)
    else this.finish(this.#reason)
  }

  onConnect(abort: (reason: Error) => void): void {
    if (this.#reason) abort(this.#reason)
    else this.#abort = abort
  }

  onHeaders(status: number, raw: Buffer[]): boolean {
    // What comes before the answer is no answer.
    if (status >= 200) {
      this.#status = status
      this.#headers = this.given.parseHeaders(raw)
    }
    return true
  }

  onData(piece: Buffer): boolean {
    this.#sizeBytes += piece.length
    const {baseUrl, mostBytes} = this.given
    if (this.#sizeBytes > mostBytes) this.end(createResponseTooLargeError(baseUrl, mostBytes))
    else this.#pieces.push(piece)
    return true
  }

  onComplete(): void {
    const body = this.#pieces.length === 0 ? EMPTY : Buffer.concat(this.#pieces)
    this.finish({status: this.#status, headers: this.#headers, body})
  }

  onError(error: Error): void {
    this.finish(error)
  }
}

const EMPTY = Buffer.alloc(0)
