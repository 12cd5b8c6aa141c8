import {StorectlError} from '../errors.js'
import {computeBackoffMs, LONGEST_REQUESTED_MS} from '../platform/backoff.js'
import type {Clock} from '../platform/clock.js'
import {readErrors} from '../wire/read-errors.js'
import type {HttpClient, HttpResponse} from './http.js'

/** Statuses after which the same call may succeed when repeated. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504])

const LIMITS = {firstMs: 250, longestMs: 30_000, jitter: 1}

interface RetryOptions {
  /** How many times a call is retried, 0 or more. */
  readonly retries: number
  readonly clock: Clock
  /** From 0 up to 1. */
  readonly random: () => number
  /** Ends the wait; the last result is then returned as it is. */
  readonly signal?: AbortSignal | undefined
  /** Called before each wait. */
  readonly onWait?: ((waitMs: number, because: HttpResponse | StorectlError) => void) | undefined
}

/**
 * How long to wait before the next attempt; `undefined` for no further one.
 *
 * The wait that the server asked for, plus up to a tenth so that not all clients return at once; else exponential
 * backoff with full jitter.
 *
 * @param attempt the one that has just ended, from 1
 * @returns milliseconds; `undefined` for a lasting error, and for a wait of more than a minute
 * @see https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export function computeRetryDelayMs(
  end: HttpResponse | StorectlError,
  attempt: number,
  now: Date,
  random: () => number,
): number | undefined {
  const isError = end instanceof StorectlError
  if (isError ? !maySucceed(end) : !PASSING.has(end.status)) return undefined
  const requestedMs = isError ? undefined : readRetryAfterMs(end, now)
  if (requestedMs !== undefined && requestedMs > LONGEST_REQUESTED_MS) return undefined
  return computeBackoffMs(attempt, requestedMs, random, LIMITS)
}

/**
 * A streamed response that broke off was passed on already; login throttling lasts longer than a call is retried
 * (`--wait` is for that); and a certificate stays the same.
 */
const LASTING = new Set(['unavailable.cut_off', 'unavailable.throttled', 'unavailable.no_tls'])

function maySucceed({exitName, code}: StorectlError): boolean {
  return exitName === 'unavailable' && !LASTING.has(code)
}

/**
 * Makes a call, and repeats it after transient errors. Only for calls that change nothing.
 *
 * @returns the last response, of any status
 * @throws the last error
 */
export async function withRetries(
  call: () => Promise<HttpResponse>,
  options: RetryOptions,
): Promise<HttpResponse> {
  const {retries, clock, random, signal, onWait} = options
  for (let attempt = 1; ; attempt++) {
    const end = await call().catch(error => {
      if (error instanceof StorectlError) return error
      throw error
    })
    const waitMs = attempt > retries ? undefined : computeRetryDelayMs(end, attempt, clock.now(), random)
    if (waitMs !== undefined && !signal?.aborted) {
      onWait?.(waitMs, end)
      await clock.sleep(waitMs, signal)
      if (!signal?.aborted) continue
    }
    if (end instanceof StorectlError) throw end
    return end
  }
}

/** A client that repeats calls after transient errors. */
export function createRetryingClient(caller: HttpClient, options: RetryOptions): HttpClient {
  return {
    baseUrl: caller.baseUrl,
    call: call =>
      withRetries(() => caller.call(call), call.signal ? {...options, signal: call.signal} : options),
  }
}

/**
 * How long the server asks to wait: `Retry-After` in seconds or as a date, or the seconds in a shop's throttling error.
 *
 * @returns milliseconds, 0 or more; `undefined` when it does not ask
 * @see RFC 9110 §10.2.3; protocol.md §2.7
 */
export function readRetryAfterMs({status, headers, body}: HttpResponse, now: Date): number | undefined {
  const said = String(headers['retry-after'] ?? '').trim()
  if (/^\d+$/.test(said)) return Number(said) * 1000
  const date = said === '' ? Number.NaN : Date.parse(said)
  if (Number.isFinite(date)) return Math.max(0, date - now.getTime())
  if (status !== 429) return undefined
  const seconds = Number(readErrors(body)[0]?.parameters.seconds)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined
}
