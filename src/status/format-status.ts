import {formatAmounts, type Money} from '../language/amount-totals.js'
import {formatTableCell} from '../output/cell.js'

/** `, 1,200.50 EUR`; empty for none. */
export function nameAmounts(amounts: readonly Money[]): string {
  const text = formatAmounts(amounts)
  return text === '' ? '' : `, ${text}`
}

/** `12m ago`. @param at ISO 8601 */
export function formatAge(at: string, now: Date): string {
  return formatTableCell(at, {path: 'at', kind: 'time'}, now)
}
