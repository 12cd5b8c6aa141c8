import {StorectlError} from '../errors.js'
import {createCutOffError, createResponseTooLargeError} from './connection-errors.js'
import type {Arriving, Call, HttpResponse, Receive} from './http.js'

/** The part of undici's response body that we use. */
interface Body extends AsyncIterable<Uint8Array> {
  arrayBuffer(): Promise<ArrayBuffer>
  destroy(error?: Error): unknown
}

/** Content-Length of a streamed body; undici computes it for the others. */
export function buildLengthHeader(body: Call['body']): {readonly 'content-length'?: string} {
  return isPieces(body) ? {'content-length': String(body.sizeBytes)} : {}
}

/** The body as undici sends it; each chunk restarts the time limit. */
export function toRequestBody(
  body: Call['body'],
  limit: TimeLimit,
): string | Uint8Array | AsyncIterable<Uint8Array> | null {
  return isPieces(body) ? withTimeLimit(body.read(), limit) : (body ?? null)
}

/**
 * The whole body.
 *
 * @param mostBytes longest body that is kept in memory, bytes
 * @throws StorectlError `unavailable.no_answer` above that
 */
export async function readWhole(
  body: Body,
  headers: HttpResponse['headers'],
  baseUrl: URL,
  mostBytes: number,
): Promise<Buffer> {
  const saidBytes = Number(headers['content-length'])
  if (saidBytes <= mostBytes) return Buffer.from(await body.arrayBuffer())
  const pieces: Uint8Array[] = []
  let sizeBytes = 0
  for await (const piece of body) {
    sizeBytes += piece.length
    if (sizeBytes > mostBytes) throw createResponseTooLargeError(baseUrl, mostBytes)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/**
 * Streams the body to its consumer, who may take any time; the time limit applies to the wait for each chunk.
 *
 * @returns how many bytes were consumed
 */
export async function streamBody(
  {status, headers, body}: Omit<Arriving, 'pieces'> & {readonly body: Body},
  {take, signal}: Receive,
  limit: TimeLimit,
  baseUrl: URL,
): Promise<number> {
  let takenBytes = 0
  async function* readPieces(): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of body) {
        takenBytes += piece.length
        limit.pause()
        yield piece
        limit.restart()
      }
    } catch (error) {
      signal.throwIfAborted()
      throw error instanceof StorectlError ? error : createCutOffError(baseUrl, takenBytes, error as Error)
    }
  }
  const stop = () => limit.end(signal.reason)
  signal.addEventListener('abort', stop, {once: true})
  limit.restart()
  try {
    signal.throwIfAborted()
    await take({status, headers, pieces: readPieces()})
    return takenBytes
  } finally {
    signal.removeEventListener('abort', stop)
    body.destroy()
  }
}

async function* withTimeLimit(
  pieces: AsyncIterable<Uint8Array>,
  limit: TimeLimit,
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    limit.restart()
    yield piece
  }
  limit.restart()
}

/** Whether the body is streamed. */
export function isPieces(body: Call['body']): body is Exclude<Call['body'], string | Uint8Array | undefined> {
  return typeof body === 'object' && 'sizeBytes' in body
}

/** Time limit of a whole call, or of the next chunk of a streamed one. */
interface TimeLimit {
  /** Fires at the time limit, or at `end`. */
  readonly signal: AbortSignal
  /** Starts the time limit again. */
  restart(): void
  /** Stops the timer. */
  pause(): void
  /** Whether the time limit was reached before anything else ended the call. */
  hasExpired(): boolean
  end(reason: unknown): void
}

/** Starts a time limit. */
export function startTimeLimit(timeoutMs: number): TimeLimit {
  const controller = new AbortController()
  let expired = false
  const expire = () => {
    expired = !controller.signal.aborted
    controller.abort()
  }
  let timer: NodeJS.Timeout | undefined = setTimeout(expire, timeoutMs)
  const pause = () => {
    clearTimeout(timer)
    timer = undefined
  }
  return {
    signal: controller.signal,
    restart: () => {
      if (timer) timer.refresh()
      else timer = setTimeout(expire, timeoutMs)
    },
    pause,
    hasExpired: () => expired,
    end: reason => controller.abort(reason),
  }
}
