import type {View} from './view.js'

/**
 * The line below a table: `25 of 1,500 events (local); --all for all`.
 *
 * @param total how many match; `undefined` where counting them would take as long as listing them
 * @param shopName the shop that was asked
 */
export function describeShown(
  shown: number,
  total: number | undefined,
  [one, many]: View['noun'],
  shopName: string,
): string {
  if (total === undefined)
    return `first ${shown.toLocaleString('en-US')} ${many} (${shopName}); --all for all`
  const count = total.toLocaleString('en-US')
  if (shown >= total) return `${count} ${total === 1 ? one : many} (${shopName})`
  return `${shown.toLocaleString('en-US')} of ${count} ${many} (${shopName}); --all for all`
}
