import type {IncomingHttpHeaders} from 'node:http'
import type {Dispatcher} from 'undici'
import {createResponseTooLargeError} from './connection-errors.js'
import type {HttpResponse} from './http.js'

/** A request, and how long the call may take. */
export interface Exchange {
  readonly options: Dispatcher.DispatchOptions
  readonly baseUrl: URL
  readonly timeoutMs: number
  /** Longest response that is kept. */
  readonly mostBytes: number
  /** Aborts the call. */
  readonly signal: AbortSignal | undefined
  readonly parseHeaders: (raw: Buffer[]) => IncomingHttpHeaders
}

/**
 * Sends a request and keeps its whole response. The stream and the signal that undici creates for each call would cost
 * as much as the rest of the call.
 *
 * @param onTimeout called at the time limit, before the call ends with an error
 * @throws undici's error or the signal's reason; StorectlError `unavailable.no_answer` for a response that is too long
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

/** Collects the response from undici's callbacks. */
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

  /** Ends the call now; one that waits for a connection is cancelled as soon as it has one. */
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
    // Skips informational responses (1xx).
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
