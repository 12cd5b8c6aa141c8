import {type CapturedMoney, describeDifference} from '../../payment/compare-amounts.js'
import type {Transaction} from '../../payment/transactions.js'
import type {ShopVersions} from '../../versions/version-range.js'
import type {Cause} from '../event/cause.js'
import type {InboxEvent} from '../event/event.js'
import {forecast} from '../plan/forecast.js'

/** Why one event is where it is. */
export interface Diagnosis {
  readonly cause: Cause
  /** A sentence for people. */
  readonly detail: string
  /** What it rests on. */
  readonly evidence: readonly string[]
  /** What would make it pass, or end it: a command. `null` where there is nothing to do. */
  readonly next: string | null
}

/** The command that ends an event. */
export const resolveIt = ({id}: InboxEvent) => `storectl webhook resolve ${id} --reason TEXT`
/** The command that sends an event. @param how flags, with a space before */
export const replayIt = ({id}: InboxEvent, how = '') => `storectl webhook replay ${id}${how}`

interface FoundPayment {
  readonly transaction: Transaction
  readonly versions: ShopVersions
  readonly captures: readonly CapturedMoney[]
}

/** What the state of its payment says of an event, and what is to be paid. @param before what is known so far */
export function findStateCause(
  event: InboxEvent,
  {transaction, versions, captures}: FoundPayment,
  before: readonly string[],
): Diagnosis {
  const {state, alike = 1} = transaction
  const evidence = [...before, `state now: ${state}`]
  if (alike > 1) {
    return {
      cause: 'ambiguous',
      detail: `${alike} transactions match; the shop uses one of them.`,
      evidence,
      next: replayIt(event),
    }
  }
  const expected = forecast(event, transaction, versions)
  switch (expected.kind) {
    case 'faulty':
      return {
        cause: 'missing-field',
        detail: `${capitalize(expected.why)}.`,
        evidence,
        next: resolveIt(event),
      }
    case 'refused': {
      const detail = `Impossible transition: ${expected.why}.`
      const reopen = `storectl api POST /api/_action/order_transaction/${transaction.id}/state/reopen`
      const isLost = state === 'refunded' || state === 'failed'
      const next = isLost ? resolveIt(event) : `${reopen}, then ${replayIt(event)}`
      const cause = expected.isFinal ? 'already-final' : 'invalid-transition'
      return {cause, detail, evidence, next}
    }
    case 'stays':
      return {
        cause: 'already-applied',
        detail: expected.actsAgain
          ? `The transaction is ${state} already; this may be another part of the payment.`
          : `The transaction is ${state} already; sending it changes nothing.`,
        evidence,
        next: expected.actsAgain ? replayIt(event) : resolveIt(event),
      }
    case 'backwards':
      return {
        cause: 'out-of-order',
        detail: `It would pass, but ${expected.why}.`,
        evidence,
        next: replayIt(event, ' --include-out-of-order'),
      }
    case 'unknown-version':
      return {
        cause: 'not-diagnosed',
        detail: `What it would do depends on the shop's version: ${expected.why}.`,
        evidence,
        next: 'storectl profile set NAME --shop-version VERSION --plugin-version VERSION',
      }
    case 'provider-decides':
      return describeTemporary(event, [...evidence, 'leads to: depends on the provider'])
    default: {
      const difference = describeDifference(event, {transaction, captures})
      if (difference !== undefined) return describeOtherAmount(event, difference, evidence)
      const to = [expected.to, ...expected.or].join(' or ')
      return describeTemporary(event, [...evidence, `leads to: ${to}`])
    }
  }
}

function describeOtherAmount(event: InboxEvent, difference: string, evidence: readonly string[]): Diagnosis {
  return {
    cause: 'amount-differs',
    detail: `It would pass, but the amounts differ: ${difference}. Compare them at the provider first.`,
    evidence,
    next: replayIt(event, ' --include-amount-differs'),
  }
}

/** Nothing stands against it: what was in the way is gone. */
export function describeTemporary(event: InboxEvent, evidence: readonly string[]): Diagnosis {
  const next = replayIt(event)
  const {answer, attempts, status} = event
  if (status === 'pending' && attempts === 0)
    return {cause: 'not-sent', detail: 'It was not sent yet, and would pass now.', evidence, next}
  if (answer === null || answer === 408 || answer === 429 || answer >= 500) {
    const detail = 'The shop or its proxy was unavailable. The event would pass now.'
    return {cause: 'shop-unavailable', detail, evidence, next}
  }
  const detail =
    'The cause was temporary, perhaps a deadlock or an outage of the provider. It would pass now.'
  return {cause: 'temporary', detail, evidence, next}
}

/** With a capital first letter. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
