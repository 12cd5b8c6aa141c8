import type {PlannedRepair, Repair} from '../../contract/payment-rows.js'
import type {InboxEvent, WebhookEvent} from '../../webhook/event/event.js'
import {isTrusted} from '../../webhook/event/sender.js'
import {describeDifference, readCapture} from '../compare-amounts.js'
import type {DriftKind} from '../drift/drift.js'
import {formatUnits} from '../drift/money.js'
import {type FoundDrift, readShopAmount} from '../reconcile/drift-row.js'
import {movesBack} from './repair.js'

/** A transition that the shop now allows for a payment. */
export interface AllowedTransition {
  readonly action: string
  readonly to: string
}

/** The sources from which repairs are chosen. */
export interface RepairSources {
  /** Stored events of a transaction, the newest first. */
  findEvents(transaction: string): Promise<readonly InboxEvent[]>
  /** The provider's events of a payment, the newest first. */
  findProviderEvents(found: FoundDrift): Promise<readonly WebhookEvent[]>
  listTransitions(transaction: string): Promise<readonly AllowedTransition[]>
}

/** Why a person decides, by the kind of drift. */
const BY_HAND: Readonly<Partial<Record<DriftKind, string>>> = {
  'amount-differs': 'compare the order with the capture, then refund or charge the rest at the provider',
  'captured-twice': 'refund one of the captures at the provider',
  'unknown-in-shop': 'find the customer by the order number, or refund at the provider',
  unclear: 'compare both sides, and what is between here and them',
  disputed: 'answer the dispute at the provider',
  pending: 'release or decline the payment at the provider',
  'authorization-expiring': 'capture the payment, or cancel the order',
  'refund-owed': 'refund at the provider, or reopen the order',
}

/** How payments may be repaired. */
export interface RepairRules {
  /** The shop leaves its flows out: the provider cannot request that, so it delivers nothing. */
  readonly skipFlows: boolean
}

/**
 * How a payment is repaired: by a stored event, else by one that the provider delivers again, else by a transition that
 * the shop allows, else by hand.
 *
 * @throws StorectlError as the sources do
 */
export async function chooseRepair(
  found: FoundDrift,
  sources: RepairSources,
  {skipFlows}: RepairRules,
): Promise<PlannedRepair> {
  const {drift, facts} = found
  const {kind, transaction, expected, detail} = drift
  const {shop, provider} = facts
  const orderNumber = shop?.orderNumber ?? provider.movements[0]?.invoiceId ?? null
  const plan = (repair: Repair): PlannedRepair => ({
    ...{kind, transaction: transaction?.id ?? null, orderNumber},
    amount: readShopAmount(shop),
    ...{state: transaction?.state ?? null, expected: expected ?? null},
    providerOrders: [...new Set(provider.movements.flatMap(({orderId}) => orderId ?? []))],
    ...{repair, detail},
  })
  const why = findByHand(found)
  if (why !== undefined || !transaction || expected === undefined)
    return plan({way: 'by-hand', why: why ?? NO_STATE})
  if (!movesBack({kind})) {
    const wanted = {transaction: transaction.id, expected}
    const events = await sources.findEvents(transaction.id)
    const addsUp = createAmountCheck(found, events)
    const stored = events.find(event => findObstacle(event, wanted) === undefined && addsUp(event))
    if (stored) return plan({way: 'replay', event: stored.id, sha256: stored.sha256})
    const listed = skipFlows ? [] : await sources.findProviderEvents(found)
    const known = listed.find(event => isAbout(event, wanted) && addsUp(event))
    if (known) return plan({way: 'resend', event: known.id})
  }
  const step = findStep(await sources.listTransitions(transaction.id), expected)
  return plan(
    step
      ? {way: 'transition', action: step.action}
      : {way: 'by-hand', why: describeNoStep(transaction.state, expected)},
  )
}

/** Whether the payment would be paid by an event with what was captured before. @param events those that are stored */
function createAmountCheck({drift, facts: {shop}}: FoundDrift, events: readonly InboxEvent[]) {
  const captures = events
    .filter(({status, sender}) => status === 'delivered' && isTrusted(sender))
    .flatMap(event => readCapture(event) ?? [])
  return (event: Pick<WebhookEvent, 'id' | 'type' | 'traits'>) => {
    if (!shop) return true
    const {units, currency} = shop
    const amountTotal = Number(formatUnits(units, currency))
    const transaction = {state: drift.transaction?.state ?? '', amountTotal, currency}
    return describeDifference(event, {transaction, captures}) === undefined
  }
}

const NO_STATE = 'the shop has no state for this'

/** Why a person decides, whatever events and transitions exist; `undefined` if a run may repair it. */
export function findByHand({
  drift: {kind, transaction, expected},
  facts: {shop},
}: FoundDrift): string | undefined {
  const why = BY_HAND[kind]
  if (why !== undefined) return why
  if (!transaction || expected === undefined) return NO_STATE
  return kind === 'cancelled-late' && shop?.orderState === 'cancelled'
    ? 'the order is cancelled too: reopen it, or refund at the provider'
    : undefined
}

/** The transition that leads to a state. */
export function findStep(
  allowed: readonly AllowedTransition[],
  expected: string,
): AllowedTransition | undefined {
  return allowed.find(({to}) => to === expected)
}

/** `the shop allows no transition from open to paid` */
export function describeNoStep(state: string, expected: string): string {
  return `the shop allows no transition from ${state} to ${expected}`
}

/** The state that an event must lead to. */
export interface WantedEffect {
  /** Id of the transaction. */
  readonly transaction: string
  /** Technical name of the state. */
  readonly expected: string
}

/** Why a stored event is not sent to repair a payment; `undefined` if it may be. */
export function findObstacle(event: InboxEvent, wanted: WantedEffect): string | undefined {
  if (event.hasConflict) return `several bodies have the id ${event.id}`
  if (event.status === 'resolved') return `${event.id} was resolved by hand`
  if (!isTrusted(event.sender)) return `the sender of ${event.id} is ${event.sender}`
  if (event.isInFlight) return `a capture is forwarding ${event.id}`
  return isAbout(event, wanted) ? undefined : `${event.id} does not lead to ${wanted.expected}`
}

/** Whether an event names the payment and leads to the state. */
export function isAbout(
  event: Pick<WebhookEvent, 'type' | 'traits'>,
  {transaction, expected}: WantedEffect,
): boolean {
  const {key} = event.traits
  const isOther = key.by === 'id' && key.id !== transaction
  return !isOther && leadsTo(event, expected)
}

const CAPTURED = ['PAYMENT.CAPTURE.COMPLETED', 'PAYMENT.SALE.COMPLETED']
const REFUNDED = ['PAYMENT.CAPTURE.REFUNDED', 'PAYMENT.CAPTURE.REVERSED', 'PAYMENT.SALE.REFUNDED']

/** Types of events that lead to a state. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  paid: CAPTURED,
  paid_partially: CAPTURED,
  refunded: REFUNDED,
  refunded_partially: REFUNDED,
  cancelled: ['PAYMENT.CAPTURE.DENIED', 'PAYMENT.AUTHORIZATION.VOIDED', 'PAYMENT.SALE.DENIED'],
}

/** Whether an event brings the shop to a state; for several partial ones, the state decides. */
function leadsTo({type, traits}: Pick<WebhookEvent, 'type' | 'traits'>, expected: string): boolean {
  if (traits.fault !== undefined || !TYPES[expected]?.includes(type)) return false
  if (expected === 'paid') return traits.finalCapture !== false
  return expected !== 'paid_partially' || traits.finalCapture === false
}
