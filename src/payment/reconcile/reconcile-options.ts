import {createUsageError} from '../../errors.js'
import type {PaymentFilterFlags, ReconcileFlags} from '../../flags/payment-flags.js'
import type {StoredComparison} from './comparison.js'
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

/** The comparison that flags ask for. @throws StorectlError as `parsePaymentFilter` does */
export function describeComparison(
  flags: ReconcileFlags,
  {id, target, now}: {readonly id: string; readonly target: string; readonly now: Date},
): StoredComparison {
  const {since, until, salesChannel = null} = parsePaymentFilter(flags, now)
  return {
    ...{id, target, startedAt: now.toISOString(), completedAt: null},
    ...{since: since.toISOString(), until: until.toISOString()},
    ...{salesChannel, where: flags.where ?? null},
    ...{minAgeMs: flags['min-age'], pendingAfterMs: flags['pending-after']},
  }
}

/** What a comparison compares. @throws StorectlError `usage.where` */
export function readReconcileOptions(comparison: StoredComparison): ReconcileOptions {
  const {since, until, startedAt, salesChannel, where, minAgeMs, pendingAfterMs} = comparison
  return {
    ...{since: new Date(since), until: new Date(until), startedAt: new Date(startedAt)},
    ...{salesChannel: salesChannel ?? undefined, minAgeMs, pendingAfterMs},
    matches: where === null ? undefined : parsePaymentCondition(where),
  }
}

/**
 * The comparison that a person means: `last`, an id, or the beginning of one.
 *
 * @param comparisons of the chosen shop, the newest first
 * @throws StorectlError `usage.no_such_comparison`
 */
export function findComparison(comparisons: readonly StoredComparison[], word: string): StoredComparison {
  const found =
    word === 'last'
      ? comparisons.slice(0, 1)
      : comparisons.filter(({id}) => id.startsWith(word.toLowerCase()))
  const [comparison, other] = found
  if (comparison && !other) return comparison
  const message = other
    ? `Several comparisons begin with ${word}: ${found.map(({id}) => id).join(', ')}.`
    : word === 'last'
      ? 'No comparison of this shop is stored.'
      : `No comparison ${word} of this shop is stored.`
  throw createUsageError('no_such_comparison', message, ['storectl payment reconcile'])
}
