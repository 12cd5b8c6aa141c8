import {StorectlError} from '../../errors.js'
import type {Item, ProbeResult, Result} from '../../runs/journal/item.js'
import type {Operation} from '../../runs/pool/operation.js'
import type {DeliveryTransport} from '../../webhook/delivery/delivery.js'
import type {EventContent, InboxEvent, WebhookEvent} from '../../webhook/event/event.js'
import type {Inbox} from '../../webhook/inbox/inbox.js'
import {describeNoStep, findStep} from './choose-repair.js'
import {
  createHold,
  findEventObstacle,
  findListedObstacle,
  type PrepareDeps,
  type PreparedRepair,
  prepareRepair,
} from './prepare-repair.js'
import {listPaymentFacts, type PlannedRepair} from './repair.js'
import {type RepairRow, toRepairRow} from './repair-row.js'
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
 * How a payment is repaired: both sides are asked once more whether it still differs in the planned way, then it is
 * repaired, and its state shows what came of it, whatever was answered.
 */
export function createRepairOperation(deps: RepairOperationDeps): Operation<PlannedRepair, RepairRow> {
  const prepared = new WeakMap<RepairItem, PreparedRepair>()
  const describe = ({value}: RepairItem, result: Result): Result => ({
    ...result,
    facts: {...listPaymentFacts(value), ...result.facts},
  })
  return {
    prepare: async item => {
      const own = prepared.get(item)
      const ready = await prepareRepair(item, own !== undefined, deps)
      if (!('resultClass' in ready)) prepared.set(item, ready)
      if (!('resultClass' in ready)) return 'send'
      // What an attempt of this run has repaired no longer differs.
      const shown =
        own && ready.result === 'skipped' ? await probeRepair(item, own.before.state, deps) : ready
      return describe(item, typeof shown === 'object' ? shown : ready)
    },
    describeIntent: item => ({...listPaymentFacts(item.value), before: prepared.get(item)?.before.state}),
    execute: async (item, attempt, onAnswered) => {
      const ready = prepared.get(item)
      if (!ready) return describe(item, createHold('by hand'))
      return describe(item, await executeRepair(item.value, {attempt, onAnswered, ready}, deps))
    },
    probe: async item => {
      const before = prepared.get(item)?.before.state ?? readBefore(item)
      const probed = await probeRepair(item, before, deps)
      if (typeof probed !== 'object') return probed
      await noteShown(item.value, probed, deps)
      return describe(item, probed)
    },
    toRow: result => toRepairRow(result.item.value, result, deps.run),
  }
}

/** The state before an attempt of an earlier process. */
function readBefore({attemptFacts}: RepairItem): string | undefined {
  return typeof attemptFacts?.before === 'string' ? attemptFacts.before : undefined
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
  if (repair.way === 'transition') return judgeByState(await applyStep(ready, deps), ready, deps)
  const obstacle = await findEventObstacle(value, ready, deps)
  if (obstacle !== undefined) return createHold(obstacle)
  const found = await (repair.way === 'replay'
    ? readStored(repair.event, deps)
    : readKnown(repair.event, deps))
  if (!found) return {resultClass: 'failed', result: 'failed', detail: `the event ${repair.event} is gone`}
  const other = findListedObstacle(found.event, ready)
  if (other !== undefined) return createHold(other)
  const transport = repair.way === 'replay' ? deps.toShop : deps.viaProvider
  const sent = await transport.deliver({...found, run: deps.run, attempt}, ready.before, onAnswered)
  if (repair.way === 'replay' || sent.resultClass === 'unknown') await noteDelivery(found.event, sent, deps)
  return judgeByState({...sent, facts: {before: ready.before.state, ...sent.facts}}, ready, deps)
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

/** Nothing was done for a caller that nobody knows. */
const NOT_SIGNED_IN = 401

/**
 * What a repair came to is the state afterwards, whatever was answered: the shop writes the state first, and what runs
 * after it may refuse; and it may answer 200 and change nothing.
 *
 * @see real-shop.md R3
 */
async function judgeByState(
  sent: Result,
  {transaction: id, expected, before: {state: before}}: PreparedRepair,
  {transactions}: RepairOperationDeps,
): Promise<Result> {
  const {resultClass, status} = sent
  // What may be sent again, and what may still be at work, is looked up later.
  const isOpen = resultClass === 'unknown' || resultClass === 'later' || resultClass === 'held'
  if (status === undefined || status === NOT_SIGNED_IN || isOpen) return sent
  const now = await transactions.find({by: 'id', id}).catch(() => undefined)
  const said = `answered ${status}${resultClass === 'done' ? '' : `: ${sent.detail}`}`
  if (!now) {
    const detail = `${said}; the state could not be looked up`
    return {...sent, resultClass: 'unknown', result: 'unknown', detail, exit: 'unavailable'}
  }
  const facts = {...sent.facts, before, after: now.state}
  const move = `${before} → ${now.state}`
  if (now.state === expected) {
    const detail = resultClass === 'done' ? move : `${move}; ${said}`
    return {resultClass: 'done', result: 'applied', status, detail, facts}
  }
  if (now.state === before && resultClass === 'failed') return {...sent, facts}
  const shown = now.state === before ? `${said}, and the payment is still ${before}` : `${move}; ${said}`
  const detail = `${shown}; expected ${expected}`
  return {resultClass: 'failed', result: 'failed', status, detail, facts, exit: 'rejected'}
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

/** A repair without a response was applied where the payment is in its target state, and was not there before. */
async function probeRepair(
  {value: {transaction, expected}}: RepairItem,
  before: string | undefined,
  {transactions}: RepairOperationDeps,
): Promise<ProbeResult> {
  if (transaction === null) return 'cannot-tell'
  const now = await transactions.find({by: 'id', id: transaction}).catch(() => undefined)
  if (!now) return 'not-now'
  if (now.state === before) return 'not-applied'
  if (now.state !== expected) return 'cannot-tell'
  const facts = {before, after: now.state}
  return {resultClass: 'done', result: 'applied', detail: `looked up: ${before} → ${now.state}`, facts}
}
