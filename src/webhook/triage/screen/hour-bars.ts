import {drawColumns} from '../../../output/bars.js'
import {formatCount} from '../../../output/cell.js'
import type {EventGroup} from '../../inbox/inbox.js'
import {fitLine, formatMoment} from './screen-lines.js'

/** Most hours drawn. */
export const MOST_HOURS = 48
const HOUR_MS = 3_600_000
const LABEL = 'by hour  '

/**
 * Events over the last hours as lines for the end of a view, after a blank one; none if they do not fit, or all are of
 * one hour.
 *
 * @param hours as `countGroups` returns them, the newest first
 */
export function drawHours(hours: readonly EventGroup[], columns: number, rows: number): string[] {
  const newest = hours[0]?.key
  if (!(newest instanceof Date) || rows < 3) return []
  const last = newest.getTime()
  const counts: number[] = []
  for (const {key, count} of hours) counts[(last - Number(key)) / HOUR_MS] = count
  const shown = Array.from(
    {length: Math.min(MOST_HOURS, counts.length)},
    (_, at) => counts[at] ?? 0,
  ).reverse()
  if (shown.length < 2) return []
  const first = formatMoment(new Date(last - (shown.length - 1) * HOUR_MS).toISOString())
  const times = `${first} to ${formatMoment(newest.toISOString())} UTC`
  const most = `${formatCount(Math.max(...shown))} an hour at the peak`
  return ['', `${LABEL}${drawColumns(shown)}`, `${' '.repeat(LABEL.length)}${times}, ${most}`].map(line =>
    fitLine(line, columns),
  )
}
