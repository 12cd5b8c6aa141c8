import {computeBackoffMs, describeRequestedWait} from '../../platform/backoff.js'
import type {Clock} from '../../platform/clock.js'
import type {FinalResult, Item, ProbeResult, Result} from '../journal/item.js'
import type {Journal} from '../journal/journal.js'
import type {EntryKind, NewEntry} from '../journal/journal-entry.js'
import {LEASE_MS} from '../workers/lease.js'
import type {TimedCall} from './adaptive-rate.js'
import type {Operation} from './operation.js'
import type {RateLimiter} from './rate-limiter.js'

export interface AttemptDeps<T> {
  readonly operation: Pick<
    Operation<T, unknown>,
    'lookAhead' | 'prepare' | 'describeIntent' | 'execute' | 'probe'
  >
  readonly journal: Journal
  readonly rateLimiter: RateLimiter
  readonly clock: Clock
  /** From 0 up to 1; for jitter. */
  readonly random: () => number
  /** Attempts after the first. */
  readonly retries: number
  /** Fires when nothing new may be started; an attempt that is under way is still brought to its end. */
  readonly closing: AbortSignal
  /** Holds back attempts while the run is paused. */
  readonly pause?: Pause | undefined
  /** Told of each attempt and each look-up. */
  readonly onCall?: ((call: TimedCall) => void) | undefined
  /** Tells the person of a wait that was asked for. */
  readonly note?: ((text: string) => Promise<void>) | undefined
}

/** Whether a run is paused. */
export interface Pause {
  readonly isPaused: boolean
  /** Resolves when the run is not paused, or at once when `signal` fires. */
  waitWhilePaused(signal: AbortSignal): Promise<void>
}

/** What an item came to, and how often it was sent. */
export interface ItemEnd {
  readonly result: FinalResult
  readonly attempts: number
}

/**
 * Brings one item to its end: probe where it is unsure, prepare, intent, send, and again after a wait as long as that
 * may help. An attempt without a response is probed before anything is sent again.
 *
 * @param onAnswered called when nothing of it is in flight any more, though its result is not yet known
 * @returns `undefined` when the run closed before anything of this item was sent
 */
export async function attemptItem<T>(
  item: Item<T>,
  deps: AttemptDeps<T>,
  onAnswered: () => void,
): Promise<ItemEnd | undefined> {
  let last: Result | undefined = item.unsure ? UNSURE : undefined
  for (let attempts = 0; ; ) {
    if (last?.resultClass === 'unknown') last = await probeAttempt(item, last, deps)
    if (last && (last.resultClass !== 'later' || !maySendAgain(attempts, deps)))
      return endItem(last, attempts)
    const action = await prepareAttempt(item, deps)
    if (action === 'closed') return last && endItem(last, attempts)
    if (action !== 'send') return endItem(action, attempts)
    attempts++
    last = await sendOnce(item, attempts, deps, onAnswered)
    if (isFinal(last)) return endItem(last, attempts)
    await waitForNextAttempt(item, attempts, last, deps)
  }
}

/**
 * Prepares an item and waits for its turn. What was prepared before a pause is prepared anew after it.
 *
 * @returns `closed` when the run closed meanwhile, or what takes the place of sending
 */
async function prepareAttempt<T>(
  item: Item<T>,
  {operation, rateLimiter, pause, closing}: AttemptDeps<T>,
): Promise<'send' | 'closed' | Result> {
  for (;;) {
    if (pause?.isPaused) await pause.waitWhilePaused(closing)
    if (pause?.isPaused) return 'closed'
    const action = await operation.prepare(item)
    if (action !== 'send') return action
    await rateLimiter.waitForTurn(closing)
    if (closing.aborted) return 'closed'
    if (!pause?.isPaused) return 'send'
  }
}

function maySendAgain(
  attempts: number,
  {retries, closing}: Pick<AttemptDeps<unknown>, 'retries' | 'closing'>,
): boolean {
  return attempts <= retries && !closing.aborted
}

/** Whether nothing more is done about the item after this. */
function isFinal({halt, resultClass}: Result): boolean {
  return Boolean(halt) || (resultClass !== 'later' && resultClass !== 'unknown')
}

const UNSURE: Result = {
  resultClass: 'unknown',
  result: 'unknown',
  detail: 'an earlier run ended before the response came',
  exit: 'unavailable',
}

/**
 * A process that was stopped for long may have lost its lease, and somebody else sends by now: an intent that is old by
 * the time it is durable is written once more, which fails where the lease is gone.
 */
async function sendOnce<T>(
  item: Item<T>,
  attempt: number,
  {journal, clock, operation, onCall}: AttemptDeps<T>,
  onAnswered: () => void,
): Promise<Result> {
  const intent = createEntry('intent', item, attempt, {facts: operation.describeIntent?.(item)})
  for (let startedMs = Number.NEGATIVE_INFINITY; clock.now().getTime() - startedMs > OLD_INTENT_MS; ) {
    startedMs = clock.now().getTime()
    await journal.write(intent)
  }
  const sentMs = clock.now().getTime()
  let answeredMs: number | undefined
  const result = await operation.execute(item, attempt, () => {
    answeredMs = clock.now().getTime()
    onAnswered()
  })
  const wasAnswered = result.resultClass !== 'unknown' || result.status !== undefined
  const isBusy = result.status === 429 || result.status === 503
  onCall?.({wasAnswered, isBusy, tookMs: (answeredMs ?? clock.now().getTime()) - sentMs})
  return result
}

/** Well before a lease may be taken over. */
const OLD_INTENT_MS = LEASE_MS / 2

/** Records what an attempt came to, and waits; does nothing after the last, unless it has to be probed. */
async function waitForNextAttempt<T>(
  item: Item<T>,
  attempts: number,
  last: Result,
  {journal, clock, random, retries, closing, note}: AttemptDeps<T>,
): Promise<void> {
  if (attempts > retries && last.resultClass !== 'unknown') return
  await journal.write(createEntry('answer', item, attempts, last))
  const waitMs = computeBackoffMs(attempts, last.retryAfterMs, random)
  if (last.retryAfterMs !== undefined && !closing.aborted) {
    const said = describeRequestedWait(`${item.key}: the server`, waitMs, clock.now())
    if (said !== undefined) await note?.(said).catch(() => undefined)
  }
  await clock.sleep(waitMs, closing)
}

/** @returns `later` when it was surely not applied, so that it may be sent again */
async function probeAttempt<T>(item: Item<T>, last: Result, deps: AttemptDeps<T>): Promise<Result> {
  const probed = await probeUntilKnown(item, deps)
  if (probed === 'cannot-tell' || probed === 'not-now') return last
  if (probed === 'not-applied') return {...last, resultClass: 'later', result: 'failed'}
  return probed
}

/** Probes, and probes again after a wait as often as an item is sent again. */
async function probeUntilKnown<T>(
  item: Item<T>,
  {operation, retries, clock, random, closing, onCall}: AttemptDeps<T>,
): Promise<ProbeResult> {
  for (let probes = 1; ; probes++) {
    const askedMs = clock.now().getTime()
    const probed = await operation.probe(item)
    const isBusy = probed === 'not-now'
    onCall?.({wasAnswered: !isBusy, isBusy, tookMs: clock.now().getTime() - askedMs})
    if (probed !== 'not-now' || probes > retries || closing.aborted) return probed
    await clock.sleep(computeBackoffMs(probes, undefined, random), closing)
  }
}

function endItem(result: Result, attempts: number): ItemEnd | undefined {
  if (attempts === 0 && result.resultClass === 'later') return undefined
  if (result.resultClass === 'later') return {result: {...result, resultClass: 'failed'}, attempts}
  return {result: result as FinalResult, attempts}
}

const NOTHING_YET: Partial<Result> = {}

/** What is recorded of an item. */
export function createEntry(
  kind: EntryKind,
  {key, orderingKey, contentHash}: Pick<Item<unknown>, 'key' | 'orderingKey' | 'contentHash'>,
  attempt: number,
  sent: Partial<Result> = NOTHING_YET,
): NewEntry {
  const {resultClass, result, status, detail, facts} = sent
  return {kind, item: key, orderingKey, contentHash, attempt, resultClass, result, status, detail, facts}
}
