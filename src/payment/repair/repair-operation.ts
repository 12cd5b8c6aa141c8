import {StorectlError} from '../../errors.js'
import type {Item, ProbeResult, Result} from '../../runs/journal/item.js'
import type {LedgerEntry} from '../../runs/journal/journal-entry.js'
import {describeGivenUp, isPresumedLost, readAttemptEnd} from '../../runs/pool/grace-period.js'
import type {Operation} from '../../runs/pool/operation.js'
import type {DeliveryTransport} from '../../webhook/delivery/delivery.js'
import type {EventContent, InboxEvent, WebhookEvent} from '../../webhook/event/event.js'
import {isTrusted} from '../../webhook/event/sender.js'
import type {Inbox} from '../../webhook/inbox/inbox.js'
import {describeDifference} from '../compare-amounts.js'
import {describeActivity, type PaymentActivity} from '../../webhook/inbox/payment-activity.js'
import type {FoundDrift} from '../reconcile/drift-row.js'
import type {Transaction, Transactions} from '../transactions.js'
import type {PlannedRepair} from './repair.js'
import {type RepairRow, toRepairRow} from './repair-row.js'
import {applyTransition, type TransitionShop} from './transitions.js'

export interface RepairOperationDeps {
  readonly run: string
  readonly inbox: Pick<Inbox, 'find' | 'readContents' | 'findPaymentEvents' | 'noteObserved'>
  /** Name of the shop in the inbox. */
  readonly target: string
  readonly shop: TransitionShop
  readonly transactions: Transactions
  /** Sends to the shop. */
  readonly toShop: DeliveryTransport
  /** Has the provider deliver. */
  readonly viaProvider: DeliveryTransport
  readonly fetchEvent: (id: string) => Promise<WebhookEvent | undefined>
  /** How a payment differs at this moment; `undefined` where it does not. */
  readonly lookUp: (transaction: string) => Promise<FoundDrift | undefined>
  readonly now: () => Date
  /** What earlier runs left of repairs, by the key of a payment. */
  readonly findLedgerEntries: (keys: readonly string[]) => Promise<ReadonlyMap<string, LedgerEntry>>
  /** A lost call that ended so long ago counts as not applied where its effect is missing, milliseconds; `undefined` for never. */
  readonly presumeLostAfterMs: number | undefined
}

type RepairItem = Item<PlannedRepair>

/**
 * How a payment is repaired: both sides are asked once more whether it still differs in the planned way, then it is
 * repaired, and its state shows what came of it.
 */
export function createRepairOperation(deps: RepairOperationDeps): Operation<PlannedRepair, RepairRow> {
  const before = new WeakMap<RepairItem, Before>()
  return {
    prepare: item => prepareRepair(item, before, deps),
    describeIntent: item => ({before: before.get(item)?.transaction.state}),
    execute: (item, attempt, onAnswered) =>
      executeRepair(item, {attempt, onAnswered, before: before.get(item)?.transaction}, deps),
    probe: async item => {
      const probed = await probeRepair(item, before.get(item), deps)
      if (typeof probed === 'object') await noteShown(item.value, probed, deps)
      return probed
    },
    toRow: result => toRepairRow(result.item.value, result, deps.run),
  }
}

/** What was known of a payment just before it was repaired. */
interface Before {
  readonly transaction: Transaction
  /** Attempts to deliver its events, without the one that repairs it. */
  readonly others: number
}

function countOthers({repair}: PlannedRepair, activity: PaymentActivity): number {
  return activity.countAttempts('event' in repair ? repair.event : undefined).all
}

const HEALED: Result = {resultClass: 'held', result: 'skipped', detail: 'it no longer differs'}

/** The plan may be old: what was repaired meanwhile, or differs in another way now, is left as it is. */
async function prepareRepair(
  item: RepairItem,
  before: WeakMap<RepairItem, Before>,
  deps: RepairOperationDeps,
): Promise<'send' | Result> {
  const {lookUp, transactions} = deps
  const {transaction: id, kind, expected, state} = item.value
  if (id === null) return HEALED
  try {
    // Before the state: what is delivered in between shows as a difference later.
    const activity = describeActivity(await findPaymentEvents(id, deps))
    const atWork = await describeWork(item.key, activity, before.has(item), deps)
    if (atWork !== undefined) return hold(atWork)
    const found = await lookUp(id)
    if (!found) return HEALED
    const {drift} = found
    const isSame =
      drift.kind === kind && (drift.expected ?? null) === expected && drift.transaction?.state === state
    if (!isSame) return hold(`it differs in another way now: ${drift.kind}; ${drift.detail}`)
    const transaction = await transactions.find({by: 'id', id})
    if (!transaction) return hold('the shop no longer knows the transaction')
    before.set(item, {transaction, others: countOthers(item.value, activity)})
    return 'send'
  } catch (error) {
    return createLookUpFailure(error)
  }
}

/**
 * Why the shop may be at work on the payment: an event in flight, or a call that was given up, whoever sent it.
 *
 * @param key of the payment in the records
 * @param isOwn this run has sent something already, and knows what came of it
 */
async function describeWork(
  key: string,
  activity: PaymentActivity,
  isOwn: boolean,
  {now, findLedgerEntries, presumeLostAfterMs: afterMs}: RepairOperationDeps,
): Promise<string | undefined> {
  if (activity.isInFlight) return 'in-flight: a capture is forwarding one of its events'
  if (isOwn) return undefined
  const open = activity.findUnknownSince(now().getTime() - (afterMs ?? Number.POSITIVE_INFINITY), '')
  if (open !== undefined) return `blocked: the shop may still be at work on ${open}, an event of the payment`
  const entry = (await findLedgerEntries([key])).get(key)
  if (entry?.resultClass !== 'unknown') return undefined
  const endedAt = readAttemptEnd(entry.facts) ?? entry.at
  return isPresumedLost(endedAt, now(), afterMs)
    ? undefined
    : `unknown-result: ${describeGivenUp(endedAt, afterMs, 'a change of the state')}`
}

async function findPaymentEvents(
  transaction: string,
  {inbox, target}: Pick<RepairOperationDeps, 'inbox' | 'target'>,
) {
  const name = `id:${transaction}`
  return (await inbox.findPaymentEvents(target, [name])).get(name) ?? []
}

function hold(detail: string): Result {
  return {resultClass: 'held', result: 'held', detail}
}

/** Nothing is repaired when nobody can say whether it still differs. */
function createLookUpFailure(error: unknown): Result {
  if (!(error instanceof StorectlError)) throw error
  const detail = `not repaired, because the look-up failed: ${error.message}`
  const result = {resultClass: 'failed', result: 'failed', detail, exit: error.exitName} as const
  return error.exitName === 'unavailable' ? result : {...result, halt: error}
}

interface Attempt {
  readonly attempt: number
  readonly onAnswered: () => void
  readonly before: Transaction | undefined
}

async function executeRepair(
  {value}: RepairItem,
  {attempt, onAnswered, before}: Attempt,
  deps: RepairOperationDeps,
): Promise<Result> {
  const {repair, transaction, expected} = value
  if (repair.way === 'by-hand' || transaction === null || !before) return hold('by hand')
  if (repair.way === 'transition') {
    const change = {before: before.state, after: expected ?? ''}
    return applyTransition(transaction, repair.action, change, {...deps.shop, now: deps.now})
  }
  const found = await (repair.way === 'replay'
    ? readStored(repair.event, deps)
    : readKnown(repair.event, deps))
  if (!found) return {resultClass: 'failed', result: 'failed', detail: `the event ${repair.event} is gone`}
  if (!isTrusted(found.event.sender)) return hold(`sender ${found.event.sender}`)
  const captures = (await findPaymentEvents(transaction, deps)).flatMap(({capture}) => capture ?? [])
  const difference = describeDifference(found.event, {transaction: before, captures})
  if (difference !== undefined) return hold(`amount-differs: ${difference}`)
  const transport = repair.way === 'replay' ? deps.toShop : deps.viaProvider
  const result = await transport.deliver({...found, run: deps.run, attempt}, before, onAnswered)
  if (repair.way === 'replay' || result.resultClass === 'unknown')
    await noteDelivery(found.event, result, deps)
  return {...result, facts: {before: before.state, ...result.facts}}
}

interface Found {
  readonly event: InboxEvent
  readonly content: EventContent
}

async function readStored(id: string, {inbox, target}: RepairOperationDeps): Promise<Found | undefined> {
  const event = (await inbox.find(target, [id])).get(id)
  const content = (await inbox.readContents(target, [id])).get(id)
  return event && content ? {event, content} : undefined
}

/** An event that the inbox does not have: nothing is known of its deliveries. */
async function readKnown(id: string, {fetchEvent, now}: RepairOperationDeps): Promise<Found | undefined> {
  const event = await fetchEvent(id)
  if (!event) return undefined
  const delivery = {status: 'pending', answer: null, message: null, attempts: 0, changedAt: now()} as const
  const doubts = {hasConflict: false, isInFlight: false} as const
  const verification = {sender: 'verified', verification: 'verified', verificationReason: 'listed'} as const
  return {event: {...event, ...delivery, ...doubts, ...verification}, content: event}
}

/** The inbox knows of the delivery, or of its doubt, so that no replay sends the event again. */
async function noteDelivery(
  {id, sha256, sender}: Pick<InboxEvent, 'id' | 'sha256' | 'sender'>,
  {status, resultClass, detail}: Result,
  {inbox, target, now}: RepairOperationDeps,
): Promise<void> {
  if (resultClass !== 'done' && resultClass !== 'unknown') return
  const isDone = resultClass === 'done'
  const delivery = isDone
    ? ({status: 'delivered', answer: status ?? 200, message: null} as const)
    : ({status: 'unknown', answer: status ?? null, message: detail ?? null} as const)
  await inbox.noteObserved(target, [{id, sha256, sender, ...delivery, at: now()}])
}

/** Notes the delivery of an event whose effect a look showed. */
async function noteShown({repair}: PlannedRepair, shown: Result, deps: RepairOperationDeps): Promise<void> {
  if (repair.way !== 'replay') return
  const event = (await deps.inbox.find(deps.target, [repair.event])).get(repair.event)
  if (event) await noteDelivery(event, shown, deps)
}

/**
 * A repair without a response was applied where the payment is in its target state, was not there before, and nothing else
 * can have led there: no other event was delivered since, and none is in flight.
 */
async function probeRepair(
  {value}: RepairItem,
  was: Before | undefined,
  deps: RepairOperationDeps,
): Promise<ProbeResult> {
  const {transaction, expected} = value
  const {transactions} = deps
  if (transaction === null) return 'cannot-tell'
  const now = await transactions.find({by: 'id', id: transaction}).catch(() => undefined)
  if (!now) return 'not-now'
  const before = was?.transaction.state
  if (now.state === before) return 'not-applied'
  if (!was || now.state !== expected) return 'cannot-tell'
  const activity = describeActivity(await findPaymentEvents(transaction, deps))
  if (activity.isInFlight) return 'not-now'
  if (countOthers(value, activity) !== was.others) return 'cannot-tell'
  const facts = {before, after: now.state}
  return {resultClass: 'done', result: 'applied', detail: `looked up: ${before} → ${now.state}`, facts}
}
