import {StorectlError} from '../../errors.js'
import type {Item, ProbeResult, Result} from '../../runs/journal/item.js'
import type {Operation} from '../../runs/pool/operation.js'
import type {DeliveryTransport} from '../../webhook/delivery/delivery.js'
import type {EventContent, InboxEvent, WebhookEvent} from '../../webhook/event/event.js'
import {isTrusted} from '../../webhook/event/sender.js'
import type {Inbox} from '../../webhook/inbox/inbox.js'
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
}

type RepairItem = Item<PlannedRepair>

/**
 * How a payment is repaired: both sides are asked once more whether it still differs in the planned way, then it is
 * repaired, and its state shows what came of it.
 */
export function createRepairOperation(deps: RepairOperationDeps): Operation<PlannedRepair, RepairRow> {
  const states = new WeakMap<RepairItem, Transaction>()
  return {
    prepare: item => prepareRepair(item, states, deps),
    describeIntent: item => ({before: states.get(item)?.state}),
    execute: (item, attempt, onAnswered) =>
      executeRepair(item, {attempt, onAnswered, before: states.get(item)}, deps),
    probe: item => probeRepair(item, states.get(item)?.state, deps),
    toRow: result => toRepairRow(result.item.value, result, deps.run),
  }
}

const HEALED: Result = {resultClass: 'held', result: 'skipped', detail: 'it no longer differs'}

/** The plan may be old: what was repaired meanwhile, or differs in another way now, is left as it is. */
async function prepareRepair(
  item: RepairItem,
  states: WeakMap<RepairItem, Transaction>,
  {lookUp, transactions, inbox, target}: RepairOperationDeps,
): Promise<'send' | Result> {
  const {transaction: id, kind, expected, state} = item.value
  if (id === null) return HEALED
  try {
    const name = `id:${id}`
    const events = (await inbox.findPaymentEvents(target, [name])).get(name) ?? []
    if (events.some(({isInFlight}) => isInFlight))
      return hold('in-flight: a capture is forwarding one of its events')
    const found = await lookUp(id)
    if (!found) return HEALED
    const {drift} = found
    const isSame =
      drift.kind === kind && (drift.expected ?? null) === expected && drift.transaction?.state === state
    if (!isSame) return hold(`it differs in another way now: ${drift.kind}; ${drift.detail}`)
    const transaction = await transactions.find({by: 'id', id})
    if (!transaction) return hold('the shop no longer knows the transaction')
    states.set(item, transaction)
    return 'send'
  } catch (error) {
    return createLookUpFailure(error)
  }
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
    return applyTransition(transaction, repair.action, change, deps.shop)
  }
  const found = await (repair.way === 'replay'
    ? readStored(repair.event, deps)
    : readKnown(repair.event, deps))
  if (!found) return {resultClass: 'failed', result: 'failed', detail: `the event ${repair.event} is gone`}
  if (!isTrusted(found.event.sender)) return hold(`sender ${found.event.sender}`)
  const transport = repair.way === 'replay' ? deps.toShop : deps.viaProvider
  const result = await transport.deliver({...found, run: deps.run, attempt}, before, onAnswered)
  if (repair.way === 'replay' && result.resultClass === 'done') await noteDelivered(found.event, result, deps)
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

/** The inbox knows of the delivery, so that no replay sends the event again. */
function noteDelivered(
  {id, sha256, sender}: InboxEvent,
  {status}: Result,
  deps: RepairOperationDeps,
): Promise<void> {
  const {inbox, target, now} = deps
  const delivery = {status: 'delivered', answer: status ?? 200, message: null, at: now()} as const
  return inbox.noteObserved(target, [{id, sha256, sender, ...delivery}])
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
