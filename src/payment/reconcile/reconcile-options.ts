import {createUsageError, StorectlError} from '../../errors.js'
import type {PaymentFilterFlags, ReconcileFlags} from '../../flags/payment-flags.js'
import {AUTHORIZED_MS} from '../drift/find-drift.js'
import type {StoredComparison} from './comparison.js'
import {parsePaymentCondition} from './payment-fields.js'
import type {ReconcileOptions} from './reconcile.js'

const DAY_MS = 24 * 3_600_000
const DEFAULT_SPAN_MS = 7 * DAY_MS

/** How far back older payments that wait, or whose order has ended, are read: authorizations end in 29 days. */
const OLDER_SPAN_MS = 60 * DAY_MS

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

/** The comparison that flags select. @throws StorectlError as `parsePaymentFilter` does */
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
    ...{expiringWithinMs: flags['expiring-within'], owedAfterMs: flags['owed-after']},
    olderSince: flags.since ? null : new Date(now.getTime() - OLDER_SPAN_MS).toISOString(),
  }
}

/** Authorizations of later payments do not end soon. */
function findExpiring({startedAt, expiringWithinMs = 0}: StoredComparison): Date {
  return new Date(Date.parse(startedAt) - AUTHORIZED_MS + expiringWithinMs)
}

/** The scope of a comparison. @throws StorectlError `usage.where` */
export function readReconcileOptions(comparison: StoredComparison): ReconcileOptions {
  const {since, until, startedAt, salesChannel, where, olderSince} = comparison
  const {minAgeMs, pendingAfterMs, expiringWithinMs, owedAfterMs} = comparison
  return {
    ...{since: new Date(since), until: new Date(until), startedAt: new Date(startedAt)},
    ...{salesChannel: salesChannel ?? undefined, minAgeMs, pendingAfterMs, expiringWithinMs, owedAfterMs},
    ...(olderSince ? {older: {since: new Date(olderSince), authorizedUntil: findExpiring(comparison)}} : {}),
    matches: where === null ? undefined : parsePaymentCondition(where),
  }
}

/**
 * The comparison that a person means: `last`, an id, or the beginning of one.
 *
 * @param comparisons of the chosen shop, the newest first
 * @throws StorectlError `empty.no_comparison`, `usage.several_comparisons`
 */
export function findComparison(comparisons: readonly StoredComparison[], word: string): StoredComparison {
  const found =
    word === 'last'
      ? comparisons.slice(0, 1)
      : comparisons.filter(({id}) => id.startsWith(word.toLowerCase()))
  const [comparison, other] = found
  if (comparison && !other) return comparison
  const nextSteps = ['storectl payment reconcile']
  if (other) {
    const ids = found.map(({id}) => id).join(', ')
    throw createUsageError(
      'several_comparisons',
      `Several comparisons begin with ${word}: ${ids}.`,
      nextSteps,
    )
  }
  const which = word === 'last' ? 'No comparison' : `No comparison ${word}`
  throw new StorectlError('empty.no_comparison', `${which} of this shop is stored.`, {nextSteps})
}
