import {formatCount, formatCounted, formatLocalTime} from './cell.js'
import type {View} from './view.js'

/**
 * The line below a table: `25 of 1,500 events (local); --all for all`, `3 profiles`.
 *
 * @param total how many match; `undefined` where counting them would take as long as listing them
 * @param shopName the shop that was asked; `undefined` where none was
 */
export function describeShown(
  shown: number,
  total: number | undefined,
  noun: View['noun'],
  shopName: string | undefined,
): string {
  const [, many] = noun
  const where = shopName === undefined ? '' : ` (${shopName})`
  if (total === undefined) return `first ${formatCount(shown)} ${many}${where}; --all for all`
  if (shown >= total) return `${formatCounted(total, noun)}${where}`
  return `${formatCount(shown)} of ${formatCount(total)} ${many}${where}; --all for all`
}

/** Rows of a span of time, in local time, as a sentence names them: `payments from … to …`. */
export function describeSpan(
  [, many]: View['noun'],
  {since, until}: {readonly since: Date | string; readonly until: Date | string},
): string {
  return `${many} from ${formatLocalTime(new Date(since))} to ${formatLocalTime(new Date(until))}`
}
