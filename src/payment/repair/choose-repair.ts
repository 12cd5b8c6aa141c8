import type {InboxEvent, WebhookEvent} from '../../webhook/event/event.js'
import {isTrusted} from '../../webhook/event/sender.js'
import {describeDifference, readCapture} from '../compare-amounts.js'
import type {DriftKind} from '../drift/drift.js'
import {formatUnits} from '../drift/money.js'
import type {FoundDrift} from '../reconcile/drift-row.js'
import type {PlannedRepair, Repair} from './repair.js'

/** A transition that the shop allows a payment now. */
export interface AllowedTransition {
  readonly action: string
  readonly to: string
}

/** What repairs are chosen from. */
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
  pending: 'release or decline the payment at the provider',
}

/**
 * How a payment is repaired: by a stored event, else by one that the provider delivers again, else by a transition that
 * the shop allows, else by hand.
 *
 * @throws StorectlError as the sources do
 */
export async function chooseRepair(found: FoundDrift, sources: RepairSources): Promise<PlannedRepair> {
  const {drift, facts} = found
  const {kind, transaction, expected, detail} = drift
  const orderNumber = facts.shop?.orderNumber ?? facts.provider.movements[0]?.invoiceId ?? null
  const plan = (repair: Repair): PlannedRepair => ({
    ...{kind, transaction: transaction?.id ?? null, orderNumber},
    ...{state: transaction?.state ?? null, expected: expected ?? null, repair, detail},
  })
  const why = BY_HAND[kind]
  if (why !== undefined) return plan({way: 'by-hand', why})
  if (!transaction || expected === undefined)
    return plan({way: 'by-hand', why: 'the shop has no state for this'})
  if (kind === 'cancelled-late' && facts.shop?.orderState === 'cancelled')
    return plan({way: 'by-hand', why: 'the order is cancelled too: reopen it, or refund at the provider'})
  if (kind !== 'unknown-at-provider') {
    const events = await sources.findEvents(transaction.id)
    const addsUp = createAmountCheck(found, events)
    const stored = events.find(event => isUsable(event, expected) && addsUp(event))
    if (stored) return plan({way: 'replay', event: stored.id})
    const known = (await sources.findProviderEvents(found)).find(
      event => leadsTo(event, expected) && addsUp(event),
    )
    if (known) return plan({way: 'resend', event: known.id})
  }
  const allowed = await sources.listTransitions(transaction.id)
  const step = allowed.find(({to}) => to === expected)
  const movesBack = kind === 'unknown-at-provider'
  return plan(
    step
      ? {way: 'transition', action: step.action, movesBack}
      : {way: 'by-hand', why: `the shop allows no transition from ${transaction.state} to ${expected}`},
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

function isUsable(event: InboxEvent, expected: string): boolean {
  return !event.hasConflict && isTrusted(event.sender) && !event.isInFlight && leadsTo(event, expected)
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

/** Whether the shop comes to a state by an event; that of several partial ones is the state's own matter. */
function leadsTo({type, traits}: Pick<WebhookEvent, 'type' | 'traits'>, expected: string): boolean {
  if (traits.fault !== undefined || !TYPES[expected]?.includes(type)) return false
  if (expected === 'paid') return traits.finalCapture !== false
  return expected !== 'paid_partially' || traits.finalCapture === false
}
