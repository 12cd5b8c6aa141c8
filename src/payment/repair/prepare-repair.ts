import type {PlannedRepair} from '../../contract/payment-rows.js'
import {StorectlError} from '../../errors.js'
import type {Item, Result} from '../../runs/journal/item.js'
import type {LedgerEntry} from '../../runs/journal/journal-entry.js'
import {describeGivenUp, isPresumedLost, readAttemptEnd} from '../../runs/pool/grace-period.js'
import type {Inbox} from '../../webhook/inbox/inbox.js'
import {describeActivity, type PaymentActivity} from '../../webhook/inbox/payment-activity.js'
import type {Transaction, Transactions} from '../transactions.js'
import {findByHand, findObstacle, isAbout, type WantedEffect} from './choose-repair.js'
import type {LookedUpDrift} from './look-up-drift.js'
import {movesBack} from './repair.js'

/** Dependencies of checking a payment just before its repair. */
export interface PrepareDeps {
  readonly inbox: Pick<Inbox, 'find' | 'findPaymentEvents'>
  /** Name of the shop in the inbox. */
  readonly target: string
  readonly transactions: Transactions
  /** How a payment differs at this moment; `undefined` if the shop has no such transaction. */
  readonly lookUp: (planned: {
    readonly transaction: string
    readonly orderIds: readonly string[]
  }) => Promise<LookedUpDrift | undefined>
  readonly now: () => Date
  /** Results of earlier runs' repairs, by the key of a payment. */
  readonly findLedgerEntries: (keys: readonly string[]) => Promise<ReadonlyMap<string, LedgerEntry>>
  /** A lost call that ended this long ago counts as not applied without an effect, milliseconds; `undefined`: never. */
  readonly presumeLostAfterMs: number | undefined
}

const HEALED: Result = {resultClass: 'held', result: 'skipped', detail: 'it no longer differs'}

/** Holds a payment. @param detail why */
export function createHold(detail: string): Result {
  return {resultClass: 'held', result: 'held', detail}
}

/** A payment as found just before its repair. */
export interface PreparedRepair extends WantedEffect {
  readonly before: Transaction
  /** What was known about its events. */
  readonly activity: PaymentActivity
}

/** What the inbox knows about a payment's events at this moment. */
export async function findActivity(
  transaction: string,
  {inbox, target}: Pick<PrepareDeps, 'inbox' | 'target'>,
): Promise<PaymentActivity> {
  const name = `id:${transaction}`
  return describeActivity((await inbox.findPaymentEvents(target, [name])).get(name) ?? [])
}

/** Attempts to deliver the events of a payment, except the one that repairs it. */
export function countOthers(planned: PlannedRepair, activity: PaymentActivity): number {
  return activity.countAttempts(findEventId(planned)).all
}

function findEventId({repair}: PlannedRepair): string | undefined {
  return 'event' in repair ? repair.event : undefined
}

/**
 * Checks a payment of a plan again, as the plan may be old or edited: one repaired meanwhile is skipped, one that now
 * differs in another way is held, and so is one that changes during the look-up.
 *
 * @param isOwn this run has sent something for it already
 */
export async function prepareRepair(
  {key, value}: Item<PlannedRepair>,
  isOwn: boolean,
  deps: PrepareDeps,
): Promise<PreparedRepair | Result> {
  const {transaction, expected} = value
  if (transaction === null || expected === null) return createHold('by hand')
  const wanted = {transaction, expected}
  try {
    // Read before the state: a delivery in between shows as a difference later.
    const activity = await findActivity(transaction, deps)
    const own = isOwn ? (findEventId(value) ?? '') : undefined
    const atWork = await describeWork(key, activity, own, deps)
    if (atWork !== undefined) return createHold(atWork)
    const unlike = await compareWithPlan(value, wanted, deps)
    if (unlike) return unlike
    const obstacle = await findEventObstacle(value, wanted, deps)
    if (obstacle !== undefined) return createHold(obstacle)
    const before = await compareLooks(value, transaction, deps)
    return 'resultClass' in before ? before : {...wanted, before, activity}
  } catch (error) {
    return createLookUpFailure(error)
  }
}

/** The first look-up: both sides. @returns `undefined` if it differs as planned */
async function compareWithPlan(
  planned: PlannedRepair,
  {transaction}: WantedEffect,
  {lookUp}: PrepareDeps,
): Promise<Result | undefined> {
  const {kind, expected, state, providerOrders} = planned
  const there = await lookUp({transaction, orderIds: providerOrders})
  if (!there) return createHold(NO_TRANSACTION)
  const {found, isAsked, isKnown} = there
  // A payment without its money differs precisely because the provider has no order.
  const isHealed = isKnown || (isAsked && movesBack(planned))
  if (!found)
    return isHealed ? HEALED : createHold('the provider could not be asked: it knows no order of the payment')
  const {drift} = found
  const isSame =
    drift.kind === kind && (drift.expected ?? null) === expected && drift.transaction?.state === state
  if (!isSame || drift.transaction?.id !== transaction)
    return createHold(`it differs in another way now: ${drift.kind}; ${drift.detail}`)
  const byHand = findByHand(found)
  return byHand === undefined ? undefined : createHold(`by hand: ${byHand}`)
}

const NO_TRANSACTION = 'the shop no longer knows the transaction'

/** The second look-up, only at the shop: a payment that changed since the first is being processed. */
async function compareLooks(
  {state}: PlannedRepair,
  id: string,
  {transactions}: PrepareDeps,
): Promise<Transaction | Result> {
  const before = await transactions.find({by: 'id', id})
  if (!before) return createHold(NO_TRANSACTION)
  return before.state === state
    ? before
    : createHold(`it changed while it was looked up: ${state} → ${before.state}`)
}

/**
 * Why the event of a repair is not sent: the checks of the plan, and a comparison with the planned bytes.
 *
 * @returns `undefined` if it may be sent, and for a repair without an event of the inbox
 */
export async function findEventObstacle(
  {repair}: PlannedRepair,
  wanted: WantedEffect,
  {inbox, target}: Pick<PrepareDeps, 'inbox' | 'target'>,
): Promise<string | undefined> {
  if (repair.way !== 'replay') return undefined
  const event = (await inbox.find(target, [repair.event])).get(repair.event)
  if (!event) return `the inbox no longer has ${repair.event}`
  if (event.sha256 !== repair.sha256) return `${event.id} has another body than when it was planned`
  return findObstacle(event, wanted)
}

/** Why an event that the provider is to deliver is not the planned one; `undefined` if it is. */
export function findListedObstacle(
  event: Parameters<typeof isAbout>[0] & {readonly id: string},
  wanted: WantedEffect,
): string | undefined {
  return isAbout(event, wanted) ? undefined : `${event.id} does not lead to ${wanted.expected}`
}

/**
 * Why the shop may be working on the payment: an event in flight, or a call that was given up, from any sender.
 *
 * @param own what this run has already sent with a known result; `undefined` for nothing
 */
async function describeWork(
  key: string,
  activity: PaymentActivity,
  own: string | undefined,
  {now, findLedgerEntries, presumeLostAfterMs: afterMs}: PrepareDeps,
): Promise<string | undefined> {
  if (activity.isInFlight) return 'in-flight: a capture is forwarding one of its events'
  const open = activity.findUnknownSince(now().getTime() - (afterMs ?? Number.POSITIVE_INFINITY), own ?? '')
  if (open !== undefined) return `blocked: the shop may still be at work on ${open}, an event of the payment`
  if (own !== undefined) return undefined
  const entry = (await findLedgerEntries([key])).get(key)
  if (entry?.resultClass !== 'unknown') return undefined
  const endedAt = readAttemptEnd(entry.facts) ?? entry.at
  return isPresumedLost(endedAt, now(), afterMs)
    ? undefined
    : `unknown-result: ${describeGivenUp(endedAt, afterMs, 'a change of the state')}`
}

/** Nothing is repaired if it is unknown whether it still differs. */
function createLookUpFailure(error: unknown): Result {
  if (!(error instanceof StorectlError)) throw error
  const detail = `not repaired, because the look-up failed: ${error.message}`
  const result = {resultClass: 'failed', result: 'failed', detail, exit: error.exitName} as const
  return error.exitName === 'unavailable' ? result : {...result, halt: error}
}
