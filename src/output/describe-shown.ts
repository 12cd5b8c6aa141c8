import {formatLocalTime} from './cell.js'
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
  [one, many]: View['noun'],
  shopName: string | undefined,
): string {
  const where = shopName === undefined ? '' : ` (${shopName})`
  if (total === undefined) return `first ${shown.toLocaleString('en-US')} ${many}${where}; --all for all`
  const count = total.toLocaleString('en-US')
  if (shown >= total) return `${count} ${total === 1 ? one : many}${where}`
  return `${shown.toLocaleString('en-US')} of ${count} ${many}${where}; --all for all`
}

/** Rows of a span of time, in local time, as a sentence names them: `payments from … to …`. */
export function describeSpan(
  [, many]: View['noun'],
  {since, until}: {readonly since: Date | string; readonly until: Date | string},
): string {
  return `${many} from ${formatLocalTime(new Date(since))} to ${formatLocalTime(new Date(until))}`
}
