import {computeBackoffMs, describeRequestedWait} from '../../platform/backoff.js'
import type {Clock} from '../../platform/clock.js'
import {type FinalResult, type Item, type JournalItem, type Result, withAttemptEnd} from '../journal/item.js'
import type {Journal} from '../journal/journal.js'
import type {EntryKind, NewEntry} from '../journal/journal-entry.js'
import {LEASE_MS} from '../workers/liveness.js'
import type {TimedCall} from './adaptive-rate.js'
import {awaitEnd, resolveEarlierAttempt} from './grace-period.js'
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
  /** How long the effect of a call that was given up is looked for, milliseconds; default one minute. */
  readonly graceMs?: number | undefined
  /** An attempt that ended this long ago counts as not applied without an effect, milliseconds; absent: never. */
  readonly presumeLostAfterMs?: number | undefined
  /** Fires when nothing new may be started; an attempt under way is still finished. */
  readonly closing: AbortSignal
  /** Holds back attempts while the run is paused. */
  readonly pause?: Pause | undefined
  /** Called for each attempt and each look-up. */
  readonly onCall?: ((call: TimedCall) => void) | undefined
  /** Called for each wait for the effect of a call, with the time of the last look-up, milliseconds since 1970. */
  readonly onWait?: ((untilMs: number) => void) | undefined
  /** Tells the person about a wait that the other side asked for. */
  readonly note?: ((text: string) => Promise<void>) | undefined
}

/** Whether a run is paused. */
export interface Pause {
  readonly isPaused: boolean
  /** Resolves when the run is not paused, or at once when `signal` fires. */
  waitWhilePaused(signal: AbortSignal): Promise<void>
}

/** The result of an item, and how often it was sent. */
export interface ItemEnd {
  readonly result: FinalResult
  readonly attempts: number
}

/** The slot of an item until it has its result. */
export interface PoolSlot {
  /** Called when nothing of the item is in flight any longer, though its result is not yet known. */
  readonly noteAnswer: () => void
  /** Leaves the slot to others while the item is in doubt. Its ordering key stays closed. */
  readonly leave: () => void
  /** Resolves when the item has a slot again, or nothing new may be started. */
  readonly acquire: () => Promise<void>
}

/**
 * Brings one item to its result: probes an earlier attempt, prepares, records the intent, sends, and sends again after
 * a wait as long as that may help. A call that was given up is waited for without a slot, and not sent again.
 *
 * @returns `undefined` when the run closed before anything of this item was sent
 */
export async function attemptItem<T>(
  item: Item<T>,
  deps: AttemptDeps<T>,
  slot: PoolSlot,
): Promise<ItemEnd | undefined> {
  let last: Result | undefined
  if (item.unsure) last = await withoutSlot(slot, () => resolveEarlierAttempt(item, deps))
  for (let attempts = 0; ; ) {
    if (last && !maySendAgain(last, attempts, deps)) return endItem(last, attempts)
    const action = await prepareAttempt(item, deps)
    if (action === 'closed') return last && endItem(last, attempts)
    if (action !== 'send') return endItem(action, attempts)
    attempts++
    const sent = await sendOnce(item, attempts, deps, slot.noteAnswer)
    if (isFinal(sent)) return endItem(sent, attempts)
    last = await (sent.resultClass === 'unknown'
      ? withoutSlot(slot, () => waitInDoubt(item, attempts, sent, deps))
      : waitForNextAttempt(item, attempts, sent, deps))
  }
}

/** Records what an attempt left open, and waits for its effect. The record has the time when the attempt ended. */
async function waitInDoubt<T>(
  item: Item<T>,
  attempts: number,
  last: Result,
  deps: AttemptDeps<T>,
): Promise<Result> {
  const open = {...last, facts: withAttemptEnd(last.facts, deps.clock.now())}
  await deps.journal.write(createEntry('answer', item, attempts, open))
  await noteRequestedWait(item, last.retryAfterMs ?? 0, last, deps)
  return awaitEnd(item, open, deps)
}

/** The slot is free for others meanwhile. */
async function withoutSlot(slot: PoolSlot, wait: () => Promise<Result>): Promise<Result> {
  slot.leave()
  const end = await wait()
  if (end.resultClass === 'later') await slot.acquire()
  return end
}

/**
 * Prepares an item and waits for its turn. An item prepared before a pause is prepared again after it.
 *
 * @returns `closed` if the run closed meanwhile, or the result that replaces sending
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
  {resultClass}: Result,
  attempts: number,
  {retries, closing}: Pick<AttemptDeps<unknown>, 'retries' | 'closing'>,
): boolean {
  return resultClass === 'later' && attempts <= retries && !closing.aborted
}

/** Whether nothing more is done about the item after this. */
function isFinal({halt, resultClass}: Result): boolean {
  return Boolean(halt) || (resultClass !== 'later' && resultClass !== 'unknown')
}

/**
 * A process that was suspended for long may have lost its lease to somebody who sends by now: an intent that is old
 * when it becomes durable is written again, which fails if the lease is gone.
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
  const sentMs = clock.readTicks()
  let answeredMs: number | undefined
  const result = await operation.execute(item, attempt, () => {
    answeredMs = clock.readTicks()
    onAnswered()
  })
  const wasAnswered = result.resultClass !== 'unknown' || result.status !== undefined
  const isBusy = result.status === 429 || result.status === 503
  onCall?.({wasAnswered, isBusy, tookMs: (answeredMs ?? clock.readTicks()) - sentMs})
  return result
}

/** Well below the time after which a lease may be taken over. */
const OLD_INTENT_MS = LEASE_MS / 2

/** Records the result of an attempt, and waits; does nothing after the last. */
async function waitForNextAttempt<T>(
  item: Item<T>,
  attempts: number,
  last: Result,
  deps: AttemptDeps<T>,
): Promise<Result> {
  const {journal, clock, random, retries, closing} = deps
  if (attempts > retries) return last
  await journal.write(createEntry('answer', item, attempts, last))
  const waitMs = computeBackoffMs(attempts, last.retryAfterMs, random)
  await noteRequestedWait(item, waitMs, last, deps)
  await clock.sleep(waitMs, closing)
  return last
}

/** Tells the person about a wait that the other side asked for. */
async function noteRequestedWait<T>(
  {key}: Item<T>,
  waitMs: number,
  {retryAfterMs}: Result,
  {clock, closing, note}: Pick<AttemptDeps<T>, 'clock' | 'closing' | 'note'>,
): Promise<void> {
  if (retryAfterMs === undefined || closing.aborted) return
  const said = describeRequestedWait(`${key}: the server`, waitMs, clock.now())
  if (said !== undefined) await note?.(said).catch(() => undefined)
}

function endItem(result: Result, attempts: number): ItemEnd | undefined {
  if (attempts === 0 && result.resultClass === 'later') return undefined
  if (result.resultClass === 'later') return {result: {...result, resultClass: 'failed'}, attempts}
  return {result: result as FinalResult, attempts}
}

const NOTHING_YET: Partial<Result> = {}

/** What is recorded about an item. It includes the amount, so that the hash chain covers it. */
export function createEntry(
  kind: EntryKind,
  {key, orderingKey, contentHash, amount}: JournalItem,
  attempt: number,
  sent: Partial<Result> = NOTHING_YET,
): NewEntry {
  const {resultClass, result, status, detail} = sent
  const facts = amount ? {...sent.facts, amount} : sent.facts
  return {kind, item: key, orderingKey, contentHash, attempt, resultClass, result, status, detail, facts}
}
