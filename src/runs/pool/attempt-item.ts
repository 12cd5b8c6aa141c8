import {backoff} from '../../platform/backoff.js'
import type {Clock} from '../../platform/clock.js'
import type {Item, ProbeResult, Result} from '../journal/item.js'
import type {Journal} from '../journal/journal.js'
import type {EntryKind, NewEntry} from '../journal/journal-entry.js'
import {LEASE_MS} from '../workers/lease.js'
import type {RateLimiter} from './rate-limiter.js'

/** What a noun does with its items. */
export interface Operation<T> {
  /**
   * Decides, with a fresh look where it needs one, whether the item is to be sent now.
   *
   * @returns a conclusion that stands in place of sending, `undefined` to send
   */
  before?(item: Item<T>): Promise<Result | undefined>
  /** Sends the item once. It answers with whatever came of it and throws only on a bug. */
  act(item: Item<T>, attempt: number): Promise<Result>
  /** Looks whether an attempt without an answer was applied. Never called for one that was answered clearly. */
  lookUp?(item: Item<T>): Promise<ProbeResult>
}

export interface AttemptsDeps<T> extends Operation<T> {
  readonly journal: Journal
  readonly pace: RateLimiter
  readonly clock: Clock
  readonly random: () => number
  /** Attempts after the first. */
  readonly retries: number
  /** Fires when nothing new may be started; an attempt that is under way is still brought to its end. */
  readonly closing: AbortSignal
}

export interface Attempted {
  readonly conclusion: Final
  readonly attempts: number
}

/** A conclusion that leaves nothing to be tried. */
type Final = Result & {readonly resultClass: Exclude<Result['resultClass'], 'later'>}

/**
 * Brings one item to its end: look where it is unsure, decide, intent, send, and again after a wait as long as that
 * may help. An attempt without an answer is looked up before anything is sent again.
 *
 * @returns `undefined` when the run closed before anything of this item was sent
 */
export async function attempt<T>(item: Item<T>, deps: AttemptsDeps<T>): Promise<Attempted | undefined> {
  let last: Result | undefined = item.unsure ? UNSURE : undefined
  for (let attempts = 0; ; ) {
    if (last?.resultClass === 'unknown') {
      const looked = await lookedUp(item, last, deps)
      if (looked.resultClass !== 'later') return ended(looked, attempts)
      last = looked
    }
    if (attempts > deps.retries || (last && deps.closing.aborted)) return ended(last as Result, attempts)
    const decided = await deps.before?.(item)
    if (decided) return ended(decided, attempts)
    await deps.pace.turn(deps.closing)
    if (deps.closing.aborted) return last && ended(last, attempts)
    attempts++
    last = await sendOnce(item, attempts, deps)
    if (last.halt || (last.resultClass !== 'later' && last.resultClass !== 'unknown'))
      return ended(last, attempts)
    if (attempts <= deps.retries || last.resultClass === 'unknown') await rest(item, attempts, last, deps)
  }
}

const UNSURE: Result = {
  resultClass: 'unknown',
  outcome: 'unknown',
  detail: 'an earlier run ended before the answer came',
  exit: 'unavailable',
}

/**
 * A process that was stopped for long may have lost its lease, and somebody else sends by now: an intent that is old by
 * the time it is durable is written once more, which fails where the lease is gone.
 */
async function sendOnce<T>(item: Item<T>, attempt: number, deps: AttemptsDeps<T>): Promise<Result> {
  const {journal, clock} = deps
  const intent = entryOf('intent', item, attempt)
  for (let begunMs = Number.NEGATIVE_INFINITY; clock.now().getTime() - begunMs > OLD_INTENT_MS; ) {
    begunMs = clock.now().getTime()
    await journal.write(intent)
  }
  return deps.act(item, attempt)
}

/** Well before a lease may be taken over. */
const OLD_INTENT_MS = LEASE_MS / 2

/** Writes down what an attempt came to that is not the last, and waits. */
async function rest<T>(item: Item<T>, attempts: number, last: Result, deps: AttemptsDeps<T>): Promise<void> {
  await deps.journal.write(entryOf('answer', item, attempts, last))
  await deps.clock.sleep(backoff(attempts, last.retryAfterMs, deps.random), deps.closing)
}

/** @returns `later` when it was surely not applied, so that it may be sent again */
async function lookedUp<T>(item: Item<T>, last: Result, deps: AttemptsDeps<T>): Promise<Result> {
  const looked = await lookedAt(item, deps)
  if (looked === 'cannot-tell' || looked === 'not-now') return last
  if (looked === 'not-applied') return {...last, resultClass: 'later', outcome: 'failed'}
  return looked
}

/** Looks, and looks again after a wait as often as an item is sent again. */
async function lookedAt<T>(item: Item<T>, deps: AttemptsDeps<T>): Promise<ProbeResult> {
  const {lookUp, retries, clock, random, closing} = deps
  for (let looks = 1; ; looks++) {
    const looked = lookUp ? await lookUp(item) : 'cannot-tell'
    if (looked !== 'not-now' || looks > retries || closing.aborted) return looked
    await clock.sleep(backoff(looks, undefined, random), closing)
  }
}

function ended(conclusion: Result, attempts: number): Attempted | undefined {
  if (attempts === 0 && conclusion.resultClass === 'later') return undefined
  const resultClass = conclusion.resultClass === 'later' ? 'failed' : conclusion.resultClass
  return {
    conclusion: resultClass === conclusion.resultClass ? (conclusion as Final) : {...conclusion, resultClass},
    attempts,
  }
}

const NOTHING_YET: Partial<Result> = {}

/** What is written down of an item. */
export function entryOf<T>(kind: EntryKind, item: Item<T>, attempt: number, conclusion?: Result): NewEntry {
  const {key, orderingKey, contentHash} = item
  const {resultClass, outcome, status, detail, facts} = conclusion ?? NOTHING_YET
  return {kind, item: key, orderingKey, contentHash, attempt, resultClass, outcome, status, detail, facts}
}
