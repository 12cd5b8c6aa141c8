import {type DriftRules, findDrift} from '../drift/find-drift.js'
import type {Candidate} from './comparison.js'

/** States in which the shop waits: no report shows whether the provider has cancelled such a payment. */
const WAITING = new Set(['open', 'unconfirmed', 'in_progress', 'authorized', 'reminded'])

/** What decides whether the report may lag. */
interface ReportAge {
  /** When the comparison began. */
  readonly startedAt: Date
  /** Payments younger than this may be missing in the report, milliseconds. */
  readonly minAgeMs: number
}

/** Whether a payment may differ by the report, or the report may be incomplete about it. */
export function isDoubtful(
  {payment, reported}: Candidate,
  {startedAt, minAgeMs}: ReportAge,
  rules: DriftRules,
): boolean {
  if (findDrift({shop: payment, provider: {movements: reported, voidedOrderIds: []}}, rules)) return true
  if (reported.some(({kind}) => kind === 'other')) return true
  const hasPartRefund = reported.some(({reversed}) => reversed === 'part')
  if (hasPartRefund && !reported.some(({kind}) => kind === 'refund')) return true
  const {state, createdAt, providerOrderId} = payment.live
  if (providerOrderId === null) return false
  // An authorization may be voided without a row of its own.
  if (WAITING.has(state)) return !reported.some(({kind}) => kind === 'capture')
  return reported.length === 0 && startedAt.getTime() - createdAt.getTime() < minAgeMs
}
