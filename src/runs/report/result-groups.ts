import type {ResultClass} from '../journal/item.js'
import type {Counts} from '../journal/worker.js'

/**
 * Groups of results by their meaning to the reader, in the order of a report: those that need attention come first.
 *
 * - `failed`: it was not applied
 * - `unknown`: it may have been applied; in a run under way it is in flight
 * - `not-sent`: the run ended before its turn, or has not reached it yet
 * - `held`: nothing was sent, by decision
 * - `sent`: it was applied, or there was nothing to change
 * - `skipped`: it needed no sending
 */
export const RESULT_GROUPS = ['failed', 'unknown', 'not-sent', 'held', 'sent', 'skipped'] as const
export type ResultGroup = (typeof RESULT_GROUPS)[number]

const BY_NAME: Readonly<Record<string, ResultGroup>> = {
  ...{applied: 'sent', unchanged: 'sent', accepted: 'sent', created: 'sent', exists: 'sent'},
  ...{rejected: 'failed', failed: 'failed', conflict: 'failed', unknown: 'unknown'},
  ...{held: 'held', invalid: 'held', skipped: 'skipped', 'not-sent': 'not-sent'},
  ...{resolved: 'sent', reopened: 'sent', changed: 'held', 'not-found': 'failed'},
  ...{'was-resolved': 'skipped', 'was-delivered': 'skipped'},
}

const BY_CLASS: Readonly<Record<ResultClass, ResultGroup>> = {
  ...{done: 'sent', held: 'held', unknown: 'unknown', later: 'failed', failed: 'failed'},
}

/** The group of a result. @param resultClass decides if the name is not one of ours */
export function groupResult(result: string, resultClass: ResultClass | undefined): ResultGroup {
  const named = Object.hasOwn(BY_NAME, result) ? BY_NAME[result] : undefined
  return named ?? BY_CLASS[resultClass ?? 'unknown']
}

/** How many items there are of each group. */
export type GroupTotals = Readonly<Record<ResultGroup, number>>

/** Totals from what a run has counted. @param total items of the whole run; `null` if not known */
export function countByGroup(counts: Counts, total: number | null): GroupTotals {
  const totals = {failed: 0, unknown: 0, 'not-sent': 0, held: 0, sent: 0, skipped: 0}
  let all = 0
  for (const [result, count] of Object.entries(counts)) {
    totals[groupResult(result, undefined)] += count
    all += count
  }
  totals['not-sent'] += Math.max(0, (total ?? 0) - all)
  return totals
}
