import type {HistogramAggregation, Interval} from '../model/aggregation.js'
import {httpError} from '../runtime/shop-error.js'
import {phpDate} from './php-date.js'

/** Keys when no other format is asked for. @see protocol.md §6.5, `histogram` */
const FORMATS: Readonly<Record<Exclude<Interval, 'quarter'>, string>> = {
  minute: 'Y-m-d H:i:00',
  hour: 'Y-m-d H:00:00',
  day: 'Y-m-d 00:00:00',
  week: 'Y W',
  month: 'Y-m-01 00:00:00',
  year: 'Y-01-01 00:00:00',
}

const MONTHS_A_QUARTER = 3

/**
 * The key of a bucket, from the earliest moment in it.
 *
 * @param moment as stored; for null it is now
 * @throws ShopError 500 when it is no moment
 */
export function histogramKey(
  {interval, format}: Pick<HistogramAggregation, 'interval' | 'format'>,
  moment: unknown,
  now: Date,
): string {
  const date = moment === null || moment === undefined || moment === '' ? now : dateFrom(String(moment))
  if (format !== undefined) return phpDate(format, date)
  if (interval !== 'quarter') return phpDate(FORMATS[interval], date)
  return `${phpDate('Y', date)} ${Math.ceil((date.getUTCMonth() + 1) / MONTHS_A_QUARTER)}`
}

function dateFrom(stored: string): Date {
  const date = new Date(`${stored.replace(' ', 'T')}Z`)
  if (!Number.isNaN(date.getTime())) return date
  throw httpError(500, `Failed to parse time string (${stored}) at position 0 (${[...stored][0]})`)
}
