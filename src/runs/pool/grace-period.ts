import {computeBackoffMs} from '../../platform/backoff.js'
import type {Clock} from '../../platform/clock.js'
import type {Item, ProbeResult, Result} from '../journal/item.js'
import type {TimedCall} from './adaptive-rate.js'
import type {Operation} from './operation.js'

export interface GraceDeps<T> {
  readonly operation: Pick<Operation<T, unknown>, 'probe'>
  readonly clock: Clock
  /** How long the effect of a call that was given up is looked for, milliseconds; with 0, once. */
  readonly graceMs?: number | undefined
  /** Ends the wait with one last look-up. */
  readonly closing: AbortSignal
  /** From 0 up to 1; for jitter. */
  readonly random: () => number
  /** Called for each look-up. */
  readonly onCall?: ((call: TimedCall) => void) | undefined
  /** Called for each wait for the effect of a call, with the time of the last look-up, milliseconds since 1970. */
  readonly onWait?: ((untilMs: number) => void) | undefined
}

/** Default of how long the effect of a call that was given up is looked for, milliseconds. */
export const GRACE_MS = 60_000

/** Look-ups come at whole seconds of the clock, so that items in doubt at the same time share them. */
const SHARED_MS = 1000

/** When an effect is looked for, milliseconds after the answer; the last time is the end of the grace period. */
const LOOKS_MS = [2000, 5000, 10_000, 20_000, 40_000]

/** Look-ups after a refusal: an unchanged state at both allows the next attempt. */
const REFUSAL_LOOKS_MS = [2000, 5000]

/**
 * Waits for the end of a call that is in doubt: looks for its effect at growing intervals.
 *
 * @param answer `unknown`
 * @returns the result that a look-up showed; `later` after a refusal without an effect; else `unknown`
 */
export async function awaitEnd<T>(item: Item<T>, answer: Result, deps: GraceDeps<T>): Promise<Result> {
  const {clock, closing} = deps
  const sinceMs = clock.now().getTime()
  const looks = listLooks(answer, deps)
  let probed = await look(item, deps)
  let unchanged = 0
  for (const [index, atMs] of looks.entries()) {
    if (typeof probed === 'object' || probed === 'cannot-tell' || closing.aborted) break
    if (isMissed(clock.now().getTime() - sinceMs, looks[index + 1], answer)) continue
    deps.onWait?.(sinceMs + (looks.at(-1) ?? 0))
    const dueMs = Math.ceil((sinceMs + atMs) / SHARED_MS) * SHARED_MS
    // No wait is longer than from the answer to the look-up, so that a clock that is set back delays nothing for long.
    await clock.sleep(Math.min(atMs + SHARED_MS, Math.max(0, dueMs - clock.now().getTime())), closing)
    probed = await look(item, deps)
    if (probed === 'not-applied' && !closing.aborted) unchanged++
  }
  if (typeof probed === 'object') return {...probed, status: probed.status ?? answer.status}
  const isRefused = answer.doubt === 'refused' && unchanged === looks.length
  return isRefused ? {...answer, resultClass: 'later', result: 'failed'} : answer
}

/** Long look-ups replace later ones. */
function isMissed(elapsedMs: number, nextMs: number | undefined, {doubt}: Result): boolean {
  return doubt !== 'refused' && nextMs !== undefined && elapsedMs >= nextMs
}

function listLooks(
  {doubt, retryAfterMs}: Result,
  {graceMs = GRACE_MS, random}: Pick<GraceDeps<unknown>, 'graceMs' | 'random'>,
): number[] {
  if (doubt !== 'refused') return listGraceLooks(graceMs)
  const requestedMs = retryAfterMs === undefined ? 0 : computeBackoffMs(1, retryAfterMs, random)
  return REFUSAL_LOOKS_MS.map((ms, at) => (at === 0 ? ms : Math.max(ms, requestedMs)))
}

/** Beyond the usual ones, each comes after twice the time of the one before. */
function listGraceLooks(graceMs: number): number[] {
  if (graceMs <= 0) return []
  const looks = LOOKS_MS.filter(ms => ms < graceMs)
  for (let ms = 80_000; ms < graceMs; ms *= 2) looks.push(ms)
  return [...looks, graceMs]
}

async function look<T>(
  item: Item<T>,
  {operation, clock, onCall}: Pick<GraceDeps<T>, 'operation' | 'clock' | 'onCall'>,
): Promise<ProbeResult> {
  const askedMs = clock.readTicks()
  const probed = await operation.probe(item)
  const isBusy = probed === 'not-now'
  onCall?.({wasAnswered: !isBusy, isBusy, isLookUp: true, tookMs: clock.readTicks() - askedMs})
  return probed
}

export interface EarlierDeps<T> extends GraceDeps<T> {
  /** Attempts after the first, also of a look-up that got no answer. */
  readonly retries: number
  /** An attempt that ended this long ago counts as not applied without an effect, milliseconds; absent: never. */
  readonly presumeLostAfterMs?: number | undefined
}

/**
 * Finds out the result of an attempt of an earlier run, or of a worker that is gone.
 *
 * @returns `later` if the item may be sent again
 */
export async function resolveEarlierAttempt<T>(item: Item<T>, deps: EarlierDeps<T>): Promise<Result> {
  const probed = await probeUntilKnown(item, deps)
  if (typeof probed === 'object') return probed
  const unsure = {...UNSURE, facts: item.attemptFacts}
  if (probed !== 'not-applied') return unsure
  const endedAt = readAttemptEnd(item.attemptFacts)
  const isLost = isPresumedLost(endedAt, deps.clock.now(), deps.presumeLostAfterMs)
  return isLost ? {...unsure, resultClass: 'later', result: 'failed'} : awaitEnd(item, unsure, deps)
}

/**
 * The latest time at which an attempt without a clear response ended, from what was stored with it.
 *
 * @returns `undefined` if that is not known: the other side may still be working on it
 */
export function readAttemptEnd(facts: Result['facts']): Date | undefined {
  return typeof facts?.endedAt === 'string' ? new Date(facts.endedAt) : undefined
}

/**
 * Says until when an attempt may still be at work: `an attempt that ended at 2026-11-20T12:00Z may still be at work; …`
 *
 * @param afterMs `undefined` for ever
 */
export function describeGivenUp(endedAt: Date, afterMs: number | undefined, effect: string): string {
  const said = `an attempt that ended at ${formatMinute(endedAt.getTime())} may still be at work`
  if (afterMs === undefined) return said
  const minute = formatMinute(endedAt.getTime() + afterMs + MINUTE_MS - 1)
  return `${said}; without ${effect} it counts as not applied from ${minute}`
}

const MINUTE_MS = 60_000

function formatMinute(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16)}Z`
}

/**
 * Whether an attempt without an effect counts as not applied.
 *
 * @param endedAt when it ended; `undefined` if that is not known
 * @param afterMs `undefined` for never
 */
export function isPresumedLost(endedAt: Date | undefined, now: Date, afterMs: number | undefined): boolean {
  return endedAt !== undefined && afterMs !== undefined && now.getTime() >= endedAt.getTime() + afterMs
}

const UNSURE: Result = {
  resultClass: 'unknown',
  result: 'unknown',
  detail: 'an earlier run ended before the response came',
  exit: 'unavailable',
}

/** Probes, and after a wait probes again, as often as an item is retried. */
async function probeUntilKnown<T>(item: Item<T>, deps: EarlierDeps<T>): Promise<ProbeResult> {
  const {retries, clock, random, closing} = deps
  for (let probes = 1; ; probes++) {
    const probed = await look(item, deps)
    if (probed !== 'not-now' || probes > retries || closing.aborted) return probed
    await clock.sleep(computeBackoffMs(probes, undefined, random), closing)
  }
}
