import {StorectlError} from '../errors.js'
import {createCutOffError, createResponseTooLargeError} from './connection-errors.js'
import type {Arriving, Call, HttpResponse, Receive} from './http.js'

/** The part of undici's bodies that is needed. */
interface Body extends AsyncIterable<Uint8Array> {
  arrayBuffer(): Promise<ArrayBuffer>
  destroy(error?: Error): unknown
}

/** The header that a body of pieces needs; undici counts the others itself. */
export function buildLengthHeader(body: Call['body']): {readonly 'content-length'?: string} {
  return isPieces(body) ? {'content-length': String(body.sizeBytes)} : {}
}

/** The body as undici sends it; the time begins anew with each piece of it. */
export function toRequestBody(
  body: Call['body'],
  limit: TimeLimit,
): string | Uint8Array | AsyncIterable<Uint8Array> | null {
  return isPieces(body) ? withTimeLimit(body.read(), limit) : (body ?? null)
}

/**
 * The whole body.
 *
 * @param mostBytes of an answer that is kept
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
 * Has the body taken as it comes; whoever takes it has all the time there is, the shop has the limit for each piece.
 *
 * @returns how many bytes were taken
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

/** Whether the body is read while it is sent. */
export function isPieces(body: Call['body']): body is Exclude<Call['body'], string | Uint8Array | undefined> {
  return typeof body === 'object' && 'sizeBytes' in body
}

/** How long something may take; a whole call, or the next piece of one that is taken as it comes. */
interface TimeLimit {
  /** Fires when the time is over, or at `end`. */
  readonly signal: AbortSignal
  /** Counts from the beginning again. */
  restart(): void
  /** Counts no more. */
  pause(): void
  /** Whether the time was over before anything else ended it. */
  hasExpired(): boolean
  end(reason: unknown): void
}

/** Begins to count. */
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
