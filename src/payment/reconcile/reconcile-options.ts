import {createUsageError} from '../../errors.js'
import type {PaymentFilterFlags, ReconcileFlags} from '../../flags/payment-flags.js'
import {parsePaymentCondition} from './payment-fields.js'
import type {ReconcileOptions} from './reconcile.js'

const DEFAULT_SPAN_MS = 7 * 24 * 3_600_000

/**
 * The payments that flags select.
 *
 * @throws StorectlError `usage.time_span`, `usage.where`
 */
export function parsePaymentFilter(flags: PaymentFilterFlags, now: Date) {
  const since = flags.since?.(now) ?? new Date(now.getTime() - DEFAULT_SPAN_MS)
  const until = flags.until?.(now) ?? now
  if (until < since) throw createUsageError('time_span', '--until is before --since.')
  const matches = flags.where === undefined ? undefined : parsePaymentCondition(flags.where)
  return {since, until, salesChannel: flags['sales-channel'], matches}
}

/** What flags ask a reconciliation for. @throws StorectlError as `parsePaymentFilter` does */
export function parseReconcileOptions(flags: ReconcileFlags, now: Date): ReconcileOptions {
  return {
    ...parsePaymentFilter(flags, now),
    ...{minAgeMs: flags['min-age'], pendingAfterMs: flags['pending-after']},
  }
}
