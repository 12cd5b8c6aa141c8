import type {EventEffect, FindCapture, FindEffect} from '../effects.js'
import type {MissingMember} from './notification/handler-effects.js'
import {findHandler} from './notification/handlers.js'
import {classifyEvent} from './outcomes/event-kind.js'
import {findCells} from './outcomes/find-outcomes.js'
import type {EventKind} from './outcomes/outcome-table.js'

/** The measured effects of PayPal's events. @see protocol.md §4.4, §4.5 */
export const findPaypalEffect: FindEffect = ({type, traits}, payment, versions): EventEffect => {
  const handler = findHandler(type)
  const kind = handler ? classifyEvent(handler, traits, payment, versions) : 'no-handler'
  if (typeof kind === 'object') return {kind: 'missing', member: MISSING_WORDS[kind.missing]}
  const isCancellation = /voided|denied/.test(kind)
  return {
    ...{kind: 'cells', cells: findCells(kind, payment.state, versions)},
    ...{step: STEPS[kind] ?? (isCancellation ? 'cancel' : 'paid'), isCancellation},
    isRepeatable: REPEATABLE.has(kind),
    ...(kind === 'other-authorization-voided' ? {isOfAnother: true} : {}),
  }
}

/** Members of the body whose absence the receiver answers with 500. */
const MISSING_WORDS: Readonly<Record<MissingMember, string>> = {
  finalCapture: 'resource.final_capture',
  sellerPayableBreakdown: 'resource.seller_payable_breakdown',
  totalRefundedAmount: 'resource.seller_payable_breakdown.total_refunded_amount',
  value: 'resource.seller_payable_breakdown.total_refunded_amount.value',
}

/** The action that a kind of event takes, by the shop's name. */
const STEPS: Partial<Record<EventKind, string>> = {
  'capture-part': 'paid_partially',
  'refund-whole': 'refund',
  'refund-part': 'refund_partially',
  'sale-refunded': 'refund',
}

/**
 * Kinds with an effect of their own although the transaction is in its target state: one of several partial refunds or
 * captures, a state that only the provider knows, or an effect that no state shows.
 */
const REPEATABLE: ReadonlySet<EventKind> = new Set([
  ...(['capture-part', 'refund-part', 'sale-refunded', 'invoice-capture', 'token'] as const),
])

/** A completed sale is the whole payment. A capture that does not say whether more will follow counts as the last. */
export const findPaypalCapture: FindCapture = ({type, traits}) => {
  const rule = findHandler(type)?.rule
  if (rule === 'sale-paid') return 'final'
  if (rule !== 'capture') return undefined
  return traits.finalCapture === false ? 'part' : 'final'
}
