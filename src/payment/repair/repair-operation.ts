import type {PlannedRepair, RepairRow} from '../../contract/payment-rows.js'
import {StorectlError} from '../../errors.js'
import type {Item, ProbeResult, Result} from '../../runs/journal/item.js'
import type {Operation} from '../../runs/pool/operation.js'
import type {DeliveryTransport} from '../../webhook/delivery/delivery.js'
import type {EventContent, InboxEvent, WebhookEvent} from '../../webhook/event/event.js'
import type {Inbox} from '../../webhook/inbox/inbox.js'
import {describeDifference} from '../compare-amounts.js'
import {describeNoStep, findStep} from './choose-repair.js'
import {
  countOthers,
  createHold,
  findActivity,
  findEventObstacle,
  findListedObstacle,
  type PrepareDeps,
  type PreparedRepair,
  prepareRepair,
} from './prepare-repair.js'
import {listPaymentFacts} from './repair.js'
import {toRepairRow} from './repair-row.js'
import {applyTransition, listTransitions, type TransitionShop} from './transitions.js'

export interface RepairOperationDeps extends PrepareDeps {
  readonly run: string
  readonly inbox: Pick<Inbox, 'find' | 'readContents' | 'findPaymentEvents' | 'noteObserved'>
  readonly shop: TransitionShop
  /** Sends to the shop. */
  readonly toShop: DeliveryTransport
  /** Has the provider deliver. */
  readonly viaProvider: DeliveryTransport
  readonly fetchEvent: (id: string) => Promise<WebhookEvent | undefined>
  /** The shop leaves its flows out. */
  readonly skipFlows: boolean
}

type RepairItem = Item<PlannedRepair>

/**
 * How a payment is repaired: both sides are asked again whether it still differs as planned, then it is repaired, and
 * its state shows the result, whatever the answer.
 */
export function createRepairOperation(deps: RepairOperationDeps): Operation<PlannedRepair, RepairRow> {
  const prepared = new WeakMap<RepairItem, PreparedRepair>()
  // A payment that waits for the end of a pause is prepared again; nothing was sent for it.
  const sent = new WeakSet<RepairItem>()
  const describe = ({value}: RepairItem, result: Result): Result => ({
    ...result,
    facts: {...listFacts(value), ...result.facts},
  })
  return {
    prepare: async item => {
      const own = sent.has(item) ? prepared.get(item) : undefined
      const ready = await prepareRepair(item, own !== undefined, deps)
      if (!('resultClass' in ready)) prepared.set(item, ready)
      if (!('resultClass' in ready)) return 'send'
      // A payment repaired by an attempt of this run no longer differs.
      const shown =
        own && ready.result === 'skipped' ? await probeRepair(item, describeBefore(item, own), deps) : ready
      return describe(item, typeof shown === 'object' ? shown : ready)
    },
    describeIntent: item => ({...listFacts(item.value), ...describeBefore(item, prepared.get(item))}),
    execute: async (item, attempt, onAnswered) => {
      const ready = prepared.get(item)
      if (!ready) return describe(item, createHold('by hand'))
      if (await hasChangedSince(ready, deps)) return describe(item, CHANGED)
      sent.add(item)
      return describe(item, await executeRepair(item.value, {attempt, onAnswered, ready}, deps))
    },
    probe: async item => {
      const before = describeBefore(item, prepared.get(item)) ?? readBefore(item)
      const probed = await probeRepair(item, before, deps)
      if (typeof probed !== 'object') return probed
      await noteShown(item.value, probed, deps)
      return describe(item, probed)
    },
    toRow: result => toRepairRow(result.item.value, result, deps.run),
  }
}

/** What is stored with an attempt: the payment, and the event requested from the provider, which captures let pass. */
function listFacts(value: PlannedRepair): Readonly<Record<string, unknown>> {
  const {repair} = value
  const asked = repair.way === 'resend' ? {via: 'provider', event: repair.event} : {}
  return {...listPaymentFacts(value), ...asked}
}

/** What was known just before an attempt; it is stored with its intent. */
interface Before {
  /** The payment's state. */
  readonly before: string
  /** Attempts to deliver its events, except the one that repairs it. */
  readonly others: number
}

function describeBefore({value}: RepairItem, ready: PreparedRepair | undefined): Before | undefined {
  return ready && {before: ready.before.state, others: countOthers(value, ready.activity)}
}

/** The same of an attempt of an earlier process. */
function readBefore({attemptFacts}: RepairItem): Before | undefined {
  const {before, others} = attemptFacts ?? {}
  return typeof before === 'string' && typeof others === 'number' ? {before, others} : undefined
}

interface Attempt {
  readonly attempt: number
  readonly onAnswered: () => void
  readonly ready: PreparedRepair
}

async function executeRepair(
  value: PlannedRepair,
  {attempt, onAnswered, ready}: Attempt,
  deps: RepairOperationDeps,
): Promise<Result> {
  const {repair} = value
  if (repair.way === 'by-hand') return createHold('by hand')
  if (repair.way === 'transition') return judgeByState(value, await applyStep(ready, deps), {ready, deps})
  const obstacle = await findEventObstacle(value, ready, deps)
  if (obstacle !== undefined) return createHold(obstacle)
  const found = await (repair.way === 'replay'
    ? readStored(repair.event, deps)
    : readKnown(repair.event, deps))
  if (!found) return {resultClass: 'failed', result: 'failed', detail: `the event ${repair.event} is gone`}
  const other = findListedObstacle(found.event, ready) ?? (await findDifference(found.event, ready, deps))
  if (other !== undefined) return createHold(other)
  const transport = repair.way === 'replay' ? deps.toShop : deps.viaProvider
  const sent = await transport.deliver({...found, run: deps.run, attempt}, ready.before, onAnswered)
  const facts = {before: ready.before.state, ...sent.facts}
  const end = await judgeByState(value, {...sent, facts}, {ready, deps})
  // An accepted event was delivered, whatever its effect.
  const known = sent.resultClass === 'done' ? sent : end
  if (repair.way === 'replay' || known.resultClass === 'unknown') await noteDelivery(found.event, known, deps)
  return end
}

/** Somebody else may have changed the payment while the repair waited for its turn. */
const CHANGED = createHold('in-flight: a capture forwarded an event of the payment meanwhile')

async function hasChangedSince(
  {transaction, activity}: PreparedRepair,
  deps: RepairOperationDeps,
): Promise<boolean> {
  const now = await findActivity(transaction, deps)
  return now.isInFlight || now.countAttempts().all !== activity.countAttempts().all
}

/** How the event's amount, with earlier captures, differs from the amount due. */
async function findDifference(
  event: InboxEvent,
  {transaction, before}: PreparedRepair,
  deps: RepairOperationDeps,
): Promise<string | undefined> {
  const {captures} = await findActivity(transaction, deps)
  const difference = describeDifference(event, {transaction: before, captures})
  return difference && `amount-differs: ${difference}`
}

/** The transition that the state machine has for it at this moment: a plan may be edited, and the shop may have changed. */
async function applyStep(
  {transaction, expected, before}: PreparedRepair,
  {shop, now, skipFlows}: RepairOperationDeps,
): Promise<Result> {
  try {
    const step = findStep(await listTransitions(transaction, shop), expected)
    if (!step) return createHold(`by hand: ${describeNoStep(before.state, expected)}`)
    return await applyTransition(transaction, step.action, {...shop, now, skipFlows})
  } catch (error) {
    if (!(error instanceof StorectlError)) throw error
    const {message: detail, exitName: exit} = error
    return {resultClass: 'failed', result: 'failed', detail, exit}
  }
}

/** Nothing was done for an unknown caller. */
const NOT_SIGNED_IN = 401

/**
 * The result of a repair is the state afterwards, whatever the answer: the shop writes the state first, and code that
 * runs after it may refuse; or it may answer 200 and change nothing.
 *
 * @see real-shop.md R3
 */
async function judgeByState(
  value: PlannedRepair,
  sent: Result,
  {ready, deps}: {readonly ready: PreparedRepair; readonly deps: RepairOperationDeps},
): Promise<Result> {
  const {transaction: id, expected} = ready
  const before = ready.before.state
  const {resultClass, status} = sent
  // Attempts that may be repeated, or may still take effect, are looked up later.
  const isOpen = resultClass === 'unknown' || resultClass === 'later'
  if (status === undefined || status === NOT_SIGNED_IN || isOpen) return sent
  const now = await deps.transactions.find({by: 'id', id}).catch(() => undefined)
  const said = `answered ${status}${resultClass === 'done' ? '' : `: ${sent.detail}`}`
  if (!now) {
    const detail = `${said}; the state could not be looked up`
    return {...sent, resultClass: 'unknown', result: 'unknown', detail, exit: 'unavailable'}
  }
  const facts = {...sent.facts, before, after: now.state}
  const move = `${before} → ${now.state}`
  if (now.state === expected) {
    const since = {transaction: id, others: countOthers(value, ready.activity)}
    if (resultClass !== 'done' && (await findCause(value, since, deps)) !== 'own') {
      const detail = `${move}; ${said}; another event of the payment was forwarded meanwhile`
      return {...sent, resultClass: 'unknown', result: 'unknown', detail, facts, exit: 'unavailable'}
    }
    const detail = resultClass === 'done' ? move : `${move}; ${said}`
    return {resultClass: 'done', result: 'applied', status, detail, facts}
  }
  if (now.state === before && resultClass === 'failed') return {...sent, facts}
  const shown = now.state === before ? `${said}, and the payment is still ${before}` : `${move}; ${said}`
  const detail = `${shown}; expected ${expected}`
  return {resultClass: 'failed', result: 'failed', status, detail, facts, exit: 'rejected'}
}

/** Whether only the repair can have changed a payment: no other event was delivered since, and none is in flight. */
async function findCause(
  value: PlannedRepair,
  {transaction, others}: Pick<PreparedRepair, 'transaction'> & Pick<Before, 'others'>,
  deps: RepairOperationDeps,
): Promise<'own' | 'other' | 'in-flight'> {
  const activity = await findActivity(transaction, deps)
  if (activity.isInFlight) return 'in-flight'
  return countOthers(value, activity) === others ? 'own' : 'other'
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

/** An event that the inbox does not have: its deliveries are unknown. */
async function readKnown(id: string, {fetchEvent, now}: RepairOperationDeps): Promise<Found | undefined> {
  const event = await fetchEvent(id)
  if (!event) return undefined
  const delivery = {status: 'pending', answer: null, message: null, attempts: 0, changedAt: now()} as const
  const doubts = {hasConflict: false, isInFlight: false} as const
  const verification = {
    sender: 'verified',
    verification: 'verified',
    verificationReason: 'listed',
    orderNumber: null,
    cause: null,
  } as const
  return {event: {...event, ...delivery, ...doubts, ...verification}, content: event}
}

/** Stores the delivery, or its doubt, in the inbox, so that no replay sends the event again. */
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

/** Notes the delivery of an event whose effect a look-up showed. */
async function noteShown({repair}: PlannedRepair, shown: Result, deps: RepairOperationDeps): Promise<void> {
  if (repair.way !== 'replay') return
  const event = (await deps.inbox.find(deps.target, [repair.event])).get(repair.event)
  if (event) await noteDelivery(event, shown, deps)
}

/**
 * A repair without a response was applied if the payment is in its target state, was not before, and nothing else can
 * have led there: no other event was delivered since, and none is in flight.
 */
async function probeRepair(
  {value}: RepairItem,
  was: Before | undefined,
  deps: RepairOperationDeps,
): Promise<ProbeResult> {
  const {transaction, expected} = value
  if (transaction === null) return 'cannot-tell'
  const now = await deps.transactions.find({by: 'id', id: transaction}).catch(() => undefined)
  if (!now) return 'not-now'
  if (now.state === was?.before) return 'not-applied'
  if (!was || now.state !== expected) return 'cannot-tell'
  const cause = await findCause(value, {transaction, others: was.others}, deps)
  if (cause === 'in-flight') return 'not-now'
  if (cause === 'other') return 'cannot-tell'
  const facts = {...was, after: now.state}
  return {resultClass: 'done', result: 'applied', detail: `looked up: ${was.before} → ${now.state}`, facts}
}
