import {Readable} from 'node:stream'
import type {Clock} from '../../platform/clock.js'
import {CONTROL_PATH} from '../../wire/control-paths.js'
import type {Interceptor} from '../http/http.js'
import type {RouteResponse} from '../http/route.js'
import {createAccessDeniedError} from '../oauth/oauth-errors.js'
import {createThrottledError} from '../oauth/throttle.js'
import {createHttpError, ShopError} from '../runtime/shop-error.js'
import type {FaultInjector} from './active-faults.js'
import type {FaultEffect} from './effects.js'

/**
 * Applies faults to requests: first all delays, then a status or a reset instead of the work, which may still be done
 * later, then the work, then a reset or a slow response.
 *
 * A status comes before any check, that of the token included, as from a gateway in front of the shop. Control routes
 * are exempt, or faults could not be cleared.
 */
export function createFaultInterceptor(faults: FaultInjector, sleep: Clock['sleep']): Interceptor {
  return async ({path}, handle, connection) => {
    const effects = path.startsWith(`${CONTROL_PATH}/`) ? [] : faults.drawFaults(path)
    if (effects.length === 0) return handle()
    for (const effect of effects) if (effect.kind === 'latency') await sleep(effect.ms)
    const work = effects.find(effect => effect.kind === 'work-after')
    // The caller has its response already, so errors are dropped.
    if (work) void workLater(handle, sleep(work.ms))
    for (const effect of effects) refuse(effect)
    if (includesReset(effects, 'before-commit')) return reset(connection)
    const answer = await handle()
    if (includesReset(effects, 'after-commit')) return reset(connection)
    const slow = effects.find(effect => effect.kind === 'slow-body')
    return slow ? sendSlowly(answer, slow.ms, sleep) : answer
  }
}

async function workLater(handle: () => Promise<RouteResponse>, due: Promise<void>): Promise<void> {
  await due
  await handle().catch(() => undefined)
}

/** @throws ShopError when the effect is a response */
function refuse(effect: FaultEffect): void {
  if (effect.kind === 'status') throw createStatusError(effect)
  if (effect.kind === 'token') throw createAccessDeniedError('Access token could not be verified')
  if (effect.kind === 'throttle') throw createThrottledError(effect.seconds)
}

function createStatusError({status, retryAfterSeconds}: Extract<FaultEffect, {kind: 'status'}>): ShopError {
  const {entries} = createHttpError(status, `Injected fault: ${status}`)
  const headers = retryAfterSeconds === undefined ? {} : {'retry-after': String(retryAfterSeconds)}
  return new ShopError(status, entries, headers)
}

function includesReset(effects: readonly FaultEffect[], when: 'before-commit' | 'after-commit'): boolean {
  return effects.some(effect => effect.kind === 'reset' && effect.when === when)
}

/** The returned response is never sent. */
function reset(connection: {reset(): void}): RouteResponse {
  connection.reset()
  return {}
}

/** Chunks of a slow response. */
const PIECES = 10

/**
 * The same response, with its body in chunks over `ms` milliseconds. Without a body the delay comes before the headers;
 * a stream stays unchanged.
 */
async function sendSlowly(answer: RouteResponse, ms: number, sleep: Clock['sleep']): Promise<RouteResponse> {
  const {body} = answer
  if (body instanceof Readable) return answer
  const bytes = Buffer.from(body ?? '')
  if (bytes.length === 0) {
    await sleep(ms)
    return answer
  }
  const headers = {...answer.headers, 'content-length': String(bytes.length)}
  return {...answer, headers, body: Readable.from(splitBody(bytes, ms / PIECES, sleep), {objectMode: false})}
}

async function* splitBody(bytes: Buffer, pauseMs: number, sleep: Clock['sleep']): AsyncGenerator<Buffer> {
  const size = Math.ceil(bytes.length / PIECES)
  for (let start = 0; start < bytes.length; start += size) {
    await sleep(pauseMs)
    yield bytes.subarray(start, start + size)
  }
}
