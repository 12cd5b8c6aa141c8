import type {CapturedMoney, Money} from '../../language/amount-totals.js'
import {describeDifference} from '../../payment/compare-amounts.js'
import type {Transaction} from '../../payment/transactions.js'
import {findEventType, findProvider} from '../../providers/providers.js'
import type {LedgerEntry} from '../../runs/journal/journal-entry.js'
import type {InboxEvent} from '../event/event.js'
import {VERIFICATION_REASONS} from '../event/verification.js'
import {FAULT_WORDS} from './fault-words.js'
import {type Forecast, forecast} from './forecast.js'
import {hold, type Judged, type Reason, type Rules} from './judged.js'

/** What is known when an action is chosen. */
export interface Known {
  readonly now: Date
  /** The event was named by its id. This releases no hold. */
  readonly isNamed: boolean
  /** An earlier attempt may have been applied. */
  readonly isUnsure: boolean
  readonly ledger: LedgerEntry | undefined
  /** As it is now, or will be once earlier events have been sent; `undefined` if the shop does not know it. */
  readonly transaction: Transaction | undefined
  /** The newest event of this transaction that is known to be delivered, by a delivery that counts. */
  readonly deliveredUpTo: {readonly id: string; readonly createdAt: Date} | undefined
  /** Captures of the payment that were delivered, or that the plan sends before. */
  readonly captures: readonly CapturedMoney[]
  /** What the provider's order has captured; `undefined` if it was not requested. */
  readonly ordered?: readonly Money[] | undefined
}

function skip(reason: Reason, detail: string): Judged {
  return {action: 'skip', reason, detail}
}

function invalid(detail: string): Judged {
  return {action: 'invalid', reason: null, detail}
}

/** The action that needs no look-up at the shop. */
export function judgeOffline(event: InboxEvent, rules: Rules, known: Known): Judged | undefined {
  const {ledger, isNamed} = known
  if (event.isInFlight) return hold('in-flight', 'a capture is forwarding it')
  if (event.hasConflict) return invalid('several bodies have this id; the true one is unknown')
  if (event.traits.fault !== undefined) return invalid(`the shop cannot read it: ${event.traits.fault}`)
  if (isDelivered(event, rules, ledger)) {
    return skip('delivered', describeDelivery(event, rules, ledger))
  }
  if (event.status === 'resolved' && !rules.includeResolved) {
    return skip('resolved', 'resolved by hand')
  }
  const foreign = judgeProvider(event, rules)
  if (foreign) return foreign
  if (known.isUnsure && !rules.checkState && !rules.includeUnknown) {
    return hold('unknown-result', 'an earlier attempt may have been applied, and the state check is off')
  }
  const stranger = judgeSender(event, rules)
  if (stranger) return stranger
  if (isNamed) return undefined
  if (ledger?.result === 'invalid') {
    return invalid(`the shop could not read it: ${ledger.detail ?? 'no reason given'}`)
  }
  if (!findEventType(event)) return skip('no-handler', `the shop has no handler for ${event.type}`)
  return undefined
}

/** Holds forged events, and events of another provider, which the route could not read. */
function judgeProvider(event: InboxEvent, rules: Rules): Judged | undefined {
  const sender = findProvider(event.traits.provider)
  const expected = findProvider(rules.provider)
  if (sender.name !== expected.name) {
    const detail = `${sender.displayName} sent it, and the profile's provider is ${expected.displayName}`
    return hold('other-provider', detail)
  }
  return event.sender === 'forged' ? hold('forged', describeForgery(event)) : undefined
}

/** Holds events that may be invented, unless a flag releases them. */
function judgeSender({sender}: InboxEvent, rules: Rules): Judged | undefined {
  if (sender === 'unverified' && !rules.includeUnverified)
    return hold('unverified', 'nothing establishes its sender')
  if (sender === 'wrong-token' && rules.includeWrongToken !== true)
    return hold('wrong-token', 'it came with a webhook token that is not of this shop')
  return undefined
}

function describeForgery({verificationReason: reason}: InboxEvent): string {
  const why = reason === null ? '' : `: ${VERIFICATION_REASONS[reason]}`
  return `the provider did not send it${why}`
}

/** Holds an event that would be sent and is too old; any other reason to hold or skip it takes precedence. */
export function holdExpired({createdAt}: InboxEvent, judged: Judged, {maxAgeMs}: Rules, now: Date): Judged {
  const ageMs = now.getTime() - createdAt.getTime()
  if (judged.action !== 'send' || maxAgeMs === undefined || ageMs <= maxAgeMs) return judged
  const days = Math.floor(ageMs / 86_400_000)
  return hold(
    'expired',
    days > 0 ? `it is ${days} ${days === 1 ? 'day' : 'days'} old` : 'it is older than --max-age',
  )
}

/** The moment from which on deliveries count, milliseconds since 1970. */
export function findCountedSince({includeDelivered, countsSinceMs}: Rules): number {
  return includeDelivered ? (countsSinceMs ?? Number.POSITIVE_INFINITY) : Number.NEGATIVE_INFINITY
}

function isDelivered(event: InboxEvent, rules: Rules, ledger: LedgerEntry | undefined): boolean {
  const since = findCountedSince(rules)
  if (ledger?.resultClass === 'done') {
    if (ledger.at.getTime() >= since || rules.countsRuns?.includes(ledger.runId)) return true
  }
  return event.status === 'delivered' && event.changedAt.getTime() >= since
}

function describeDelivery(
  {answer}: InboxEvent,
  {includeDelivered}: Rules,
  ledger: LedgerEntry | undefined,
): string {
  if (ledger?.resultClass !== 'done') return `answered ${answer ?? '2xx'}`
  const again = includeDelivered ? ', for the same purpose; --restart sends it again' : ''
  return `${ledger.result} at ${ledger.at.toISOString()} by run ${ledger.runId}${again}`
}

/** The action by the payment's present state. */
export function judgeByState(event: InboxEvent, rules: Rules, known: Known): Judged {
  const {key} = event.traits
  if (key.by === 'fault') return judgeFault(key.fault)
  if (!findEventType(event) || key.by === 'nothing') return SEND
  if (!rules.checkState) return judgeByDelivered(event, rules, known)
  const {transaction, deliveredUpTo} = known
  if (!transaction) {
    return key.by === 'provider-order'
      ? SEND
      : hold('unknown-transaction', 'the shop does not know its transaction')
  }
  const expected = forecast(event, transaction, rules.versions)
  if (expected.kind === 'faulty') return invalid(expected.why)
  if (expected.kind === 'unknown-version') return hold('unknown-version', expected.why)
  const outOfOrder = describeOutOfOrder(event, expected, deliveredUpTo)
  if (outOfOrder !== undefined && !rules.includeOutOfOrder) return hold('out-of-order', outOfOrder)
  return judgeAmount(event, judgeForecast(expected, transaction.state, known), rules, {...known, transaction})
}

/** Holds an event that would set a payment to paid with the wrong amount, unless a flag releases it. */
function judgeAmount(
  event: InboxEvent,
  judged: Judged,
  {includeAmountDiffers}: Rules,
  payment: Known & {readonly transaction: Transaction},
): Judged {
  const difference = judged.action === 'send' ? describeDifference(event, payment) : undefined
  if (difference === undefined) return judged
  if (includeAmountDiffers !== true) return hold('amount-differs', difference)
  return {...judged, detail: judged.detail === null ? difference : `${judged.detail}; ${difference}`}
}

function judgeFault(fault: keyof typeof FAULT_WORDS): Judged {
  const words = FAULT_WORDS[fault]
  return fault === 'wrong-resource' ? invalid(words) : hold('no-transaction', words)
}

/** The action if the state is not checked. */
function judgeByDelivered(event: InboxEvent, {includeOutOfOrder}: Rules, {deliveredUpTo}: Known): Judged {
  const newer = includeOutOfOrder ? undefined : describeOlder(event, deliveredUpTo)
  return newer === undefined ? SEND : hold('out-of-order', newer)
}

const SEND: Judged = {action: 'send', reason: null, detail: null}

function describeOutOfOrder(
  event: InboxEvent,
  expected: Forecast,
  newest: Known['deliveredUpTo'],
): string | undefined {
  if (expected.kind === 'refused' || expected.kind === 'backwards') return expected.why
  return expected.kind === 'stays' ? undefined : describeOlder(event, newest)
}

function describeOlder(event: InboxEvent, newest: Known['deliveredUpTo']): string | undefined {
  return newest && newest.id !== event.id && newest.createdAt > event.createdAt
    ? `${newest.id}, a newer event, was delivered already`
    : undefined
}

/** A forecast, not a result: an event skipped as already applied stays on the list. */
function judgeForecast(expected: Forecast, state: string, {isUnsure}: Known): Judged {
  if (expected.kind === 'moves' || expected.kind === 'backwards') {
    const to = describeMove(expected)
    return {action: 'send', reason: null, detail: `${state} → ${to}`, leadsTo: expected.to}
  }
  if (expected.kind === 'provider-decides')
    return {action: 'send', reason: null, detail: `is ${state}; the shop asks the provider for the new state`}
  if (expected.kind !== 'stays') return SEND
  if (expected.isOfAnother && !isUnsure)
    return skip('other-authorization', 'it voids another authorization than that of its payment')
  return expected.actsAgain || isUnsure
    ? {action: 'send', reason: null, detail: `is ${describeMove({...expected, to: `${state} already`})}`}
    : skip('already-applied', `its transaction is ${state} already`)
}

/** `refunded or refunded_partially, as the provider answers`. */
function describeMove(expected: {readonly to: string; readonly or?: readonly string[]}): string {
  const {or = []} = expected
  return or.length === 0 ? expected.to : `${[expected.to, ...or].join(' or ')}, as the provider answers`
}
