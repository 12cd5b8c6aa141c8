import {type RawBuilder, sql} from 'kysely'
import type {Interval} from '../../model/criteria.js'

/** How much of `2024-10-24 21:30:46.123` says which stretch of time it is. */
const LEADING: Readonly<Partial<Record<Interval, number>>> = {
  minute: 16,
  hour: 13,
  day: 10,
  month: 7,
  year: 4,
}

/**
 * What all moments of one stretch of time have in common. It is made of whole numbers and pieces of text alone, which
 * every engine has.
 *
 * @param moment a stored moment
 * @see protocol.md §6.5, `histogram`
 */
export function buildIntervalKey(moment: RawBuilder<unknown>, interval: Interval): RawBuilder<unknown> {
  const leading = LEADING[interval]
  if (leading !== undefined) return sql`substr(${moment}, 1, ${sql.lit(leading)})`
  const year = sql`substr(${moment}, 1, 4)`
  if (interval === 'quarter') return sql`${year} || '-' || cast((${extractMonth(moment)} + 2) / 3 as text)`
  return sql`${year} || '-' || cast(${computeWeek(moment)} as text)`
}

function extractMonth(moment: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`cast(substr(${moment}, 6, 2) as integer)`
}

/** The week's number from the day's Julian number. @see ISO 8601, and the usual algorithms for calendars */
function computeWeek(moment: RawBuilder<unknown>): RawBuilder<number> {
  const day = computeJulianDay(moment)
  const inCycle = sql`((((${day} + 31741 - (${day} % 7)) % 146097) % 36524) % 1461)`
  const leap = sql`(${inCycle} / 1460)`
  return sql<number>`((((${inCycle} - ${leap}) % 365) + ${leap}) / 7 + 1)`
}

/** Days since the Julian calendar's beginning, so that Monday leaves no rest of seven. */
function computeJulianDay(moment: RawBuilder<unknown>): RawBuilder<number> {
  const isEarly = sql`((14 - ${extractMonth(moment)}) / 12)`
  const year = sql`(cast(substr(${moment}, 1, 4) as integer) + 4800 - ${isEarly})`
  const fromMarch = sql`(${extractMonth(moment)} + 12 * ${isEarly} - 3)`
  const day = sql`cast(substr(${moment}, 9, 2) as integer)`
  return sql<number>`(${day} + (153 * ${fromMarch} + 2) / 5 + 365 * ${year} + ${year} / 4 - ${year} / 100 + ${year} / 400 - 32045)`
}
