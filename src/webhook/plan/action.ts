import type {Transaction} from '../../payment/transactions.js'
import type {LedgerEntry} from '../../runs/journal/journal-entry.js'
import {findHandler} from '../../wire/notification/handlers.js'
import type {InboxEvent} from '../event/event.js'
import {type Forecast, findApplied, forecast} from './forecast.js'

/** What is to happen to an event. Nothing that is held is sent unless it is named. */
export type Verdict =
  | 'send'
  | 'skip:delivered'
  | 'skip:no-handler'
  | 'skip:resolved'
  | 'skip:stale'
  | 'hold:stale'
  | 'hold:foreign'
  | 'hold:expired'
  | 'hold:unknown'
  | 'hold:busy'
  | 'hold:unproven'
  | 'hold:blocked'
  | 'invalid'

export interface Rules {
  /** Events older than this are held, milliseconds; `undefined` for any age. */
  readonly maxAgeMs: number | undefined
  /** What becomes of an event that would move a transaction backwards. */
  readonly stale: 'hold' | 'skip' | 'send'
  /** `none`: states are not looked at, neither before nor after. */
  readonly verify: 'state' | 'none'
  /** Sends what was delivered already; after a shop was restored from a backup. */
  readonly includeDelivered: boolean
  /**
   * With `includeDelivered`: deliveries before this moment do not count, those since then do; milliseconds since 1970.
   * Where it is not known, none counts.
   */
  readonly countsSinceMs?: number | undefined
  /** Sends what was dealt with by hand. */
  readonly includeResolved?: boolean
  /** Sends what may have been applied although no state shows it. */
  readonly includeUnknown: boolean
}

/** What is known when a verdict is given. */
export interface Known {
  readonly now: Date
  /** The event was asked for by its id. */
  readonly isNamed: boolean
  readonly ledger: LedgerEntry | undefined
  /** As it is now, or will be once what goes before has been sent; `undefined` when the shop does not know it. */
  readonly transaction: Transaction | undefined
  /** The newest event of this transaction that is known to be delivered, by a delivery that counts. */
  readonly deliveredUpTo: {readonly id: string; readonly createdAt: Date} | undefined
}

export interface Judged {
  readonly verdict: Verdict
  /** A sentence for people; `null` where there is nothing to add. */
  readonly why: string | null
  /** The state that sending it leads to, where that is known. */
  readonly leadsTo?: string
}

/** What can be said without a look at the shop. */
export function judgeOffline(event: InboxEvent, rules: Rules, known: Known): Judged | undefined {
  const {ledger, isNamed, now} = known
  if (event.isInFlight) return {verdict: 'hold:busy', why: 'a capture is handing it on at this moment'}
  if (event.hasConflict)
    return {verdict: 'invalid', why: 'several bodies came under this id; which is true cannot be told'}
  if (event.traits.fault !== undefined)
    return {verdict: 'invalid', why: `the shop cannot read it: ${event.traits.fault}`}
  if (isDelivered(event, rules, ledger)) {
    return {verdict: 'skip:delivered', why: describeDelivery(event, rules, ledger)}
  }
  if (event.status === 'resolved' && !rules.includeResolved) {
    return {verdict: 'skip:resolved', why: 'it was dealt with by hand'}
  }
  if (isUnsure(event, ledger) && rules.verify === 'none' && !rules.includeUnknown) {
    return {
      verdict: 'hold:unknown',
      why: 'an earlier attempt may have been applied, and states are not looked at',
    }
  }
  if (isNamed) return undefined
  if (event.isUnverified)
    return {verdict: 'hold:unproven', why: 'it came with another webhook token; anybody may have made it up'}
  if (ledger?.outcome === 'invalid') {
    return {verdict: 'invalid', why: `the shop could not read it: ${ledger.detail ?? 'no reason given'}`}
  }
  if (!findHandler(event.type))
    return {verdict: 'skip:no-handler', why: `a shop does nothing with ${event.type}`}
  const ageMs = now.getTime() - event.createdAt.getTime()
  if (rules.maxAgeMs !== undefined && ageMs > rules.maxAgeMs) {
    return {verdict: 'hold:expired', why: `it is ${Math.floor(ageMs / 86_400_000)} days old`}
  }
  return undefined
}

/** Whether an earlier attempt may have been applied. */
export function isUnsure(event: InboxEvent, ledger: LedgerEntry | undefined): boolean {
  return ledger?.resultClass === 'unknown' || (event.status === 'unknown' && ledger === undefined)
}

/**
 * Holds an event that an earlier attempt may have applied, where the state of its transaction does not show whether.
 *
 * @param now its transaction as it is, without what the plan will make of it
 */
export function holdUnknown(
  event: InboxEvent,
  judged: Judged,
  {
    ledger,
    rules,
    now,
  }: {
    readonly ledger: LedgerEntry | undefined
    readonly rules: Rules
    readonly now: Transaction | undefined
  },
): Judged {
  const {key} = event.traits
  if (judged.verdict !== 'send' || rules.includeUnknown || !isUnsure(event, ledger)) return judged
  if (!findHandler(event.type) || key.by === 'fault') return judged
  const isNameless = key.by === 'nothing' || key.by === 'provider-order'
  const isOpen =
    isNameless || (now && findApplied(event, now, readStateBefore(ledger?.facts)) === 'cannot-tell')
  return isOpen
    ? {
        verdict: 'hold:unknown',
        why: 'an earlier attempt may have been applied, and the state of its payment does not show it',
      }
    : judged
}

/** The transaction's state that was stored with an attempt. */
export function readStateBefore(facts: Readonly<Record<string, unknown>> | undefined): string | undefined {
  return typeof facts?.before === 'string' ? facts.before : undefined
}

/** The moment from which on deliveries count, milliseconds since 1970. */
export function findCountedSince({includeDelivered, countsSinceMs}: Rules): number {
  return includeDelivered ? (countsSinceMs ?? Number.POSITIVE_INFINITY) : Number.NEGATIVE_INFINITY
}

function isDelivered(event: InboxEvent, rules: Rules, ledger: LedgerEntry | undefined): boolean {
  const since = findCountedSince(rules)
  if (ledger?.resultClass === 'done' && ledger.at.getTime() >= since) return true
  return event.status === 'delivered' && event.changedAt.getTime() >= since
}

function describeDelivery(
  {answer}: InboxEvent,
  {includeDelivered}: Rules,
  ledger: LedgerEntry | undefined,
): string {
  if (ledger?.resultClass !== 'done') return `it was answered ${answer ?? 'well'}`
  const again = includeDelivered ? ', for the same purpose; --afresh sends it once more' : ''
  return `${ledger.outcome} at ${ledger.at.toISOString()} by run ${ledger.runId}${again}`
}

/** Why an event names no transaction, to follow its id. */
export const FAULT_WORDS = {
  'wrong-resource': 'its resource_version and resource_type do not fit its type',
  'no-custom-id': 'it names no transaction: no custom_id',
  'no-transaction-id': 'it names no transaction: custom_id has no orderTransactionId',
  'invalid-transaction-id': 'it names no transaction of a shop: its custom_id is no id',
  'no-parent-payment': 'it names no transaction: no parent_payment',
} as const

/** What the shop's present state says. */
export function judgeByState(event: InboxEvent, rules: Rules, known: Known): Judged {
  const handler = findHandler(event.type)
  const {key} = event.traits
  if (key.by === 'fault' && !known.isNamed) {
    return {verdict: key.fault === 'wrong-resource' ? 'invalid' : 'hold:foreign', why: FAULT_WORDS[key.fault]}
  }
  if (!handler || key.by === 'nothing' || key.by === 'fault') return SEND
  const {transaction, isNamed, deliveredUpTo} = known
  const keepBack = (why: string): Judged => ({
    verdict: rules.stale === 'skip' ? 'skip:stale' : 'hold:stale',
    why,
  })
  const mayPass = isNamed || rules.stale === 'send'
  if (rules.verify === 'none') {
    const newer = mayPass ? undefined : describeOlder(event, deliveredUpTo)
    return newer === undefined ? SEND : keepBack(newer)
  }
  if (!transaction) {
    return isNamed || key.by === 'provider-order'
      ? SEND
      : {verdict: 'hold:foreign', why: 'the shop does not know its transaction'}
  }
  const expected = forecast(handler, event.traits, transaction)
  if (expected.kind === 'faulty') return {verdict: 'invalid', why: expected.why}
  const stale = describeOutOfOrder(event, expected, deliveredUpTo)
  return stale === undefined || mayPass ? judgeForecast(expected, transaction.state) : keepBack(stale)
}

const SEND: Judged = {verdict: 'send', why: null}

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
    ? `${newest.id}, which is newer, was delivered already`
    : undefined
}

function judgeForecast(expected: Forecast, state: string): Judged {
  if (expected.kind === 'moves' || expected.kind === 'backwards') {
    return {verdict: 'send', why: `${state} → ${expected.to}`, leadsTo: expected.to}
  }
  return expected.kind === 'stays' ? {verdict: 'send', why: `is ${state} already`} : SEND
}
