/** Why a text is no point in time; `no-zone` is told apart because it is the usual mistake. */
export type TimeFault = 'shape' | 'no-zone' | 'calendar'

const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d+)?([Zz]|[+-]\d\d:\d\d)?$/
const FULL_DATE = /^(\d{4})-(\d\d)-(\d\d)$/

/**
 * Reads an RFC 3339 date-time, zone and real calendar day included. A leap second counts as the second before it.
 *
 * @returns milliseconds since the epoch, or what is wrong
 * @see RFC 3339 §5.6, §5.7
 */
export function readDateTime(text: string): number | TimeFault {
  const parts = DATE_TIME.exec(text)
  if (!parts) return 'shape'
  const [, year, month, day, hour, minute, second, zone] = parts
  if (zone === undefined) return 'no-zone'
  const inZone = Number(hour) <= 23 && Number(minute) <= 59 && Number(second) <= 60 && isZone(zone)
  if (!isCalendarDay(Number(year), Number(month), Number(day)) || !inZone) return 'calendar'
  const withoutLeapSecond = second === '60' ? text.replace(/:60/, ':59') : text
  const instant = Date.parse(withoutLeapSecond.toUpperCase())
  if (instant < FIRST_INSTANT_MS) return 'calendar'
  return second === '60' && !isEndOfDay(instant) ? 'calendar' : instant
}

/** Its zone may put a time before year 0, which UTC times of four digits cannot say. */
const FIRST_INSTANT_MS = Date.parse('0000-01-01T00:00:00Z')

/** Whether a text is an RFC 3339 full-date of a real day: `2024-02-29`. */
export function isFullDate(text: string): boolean {
  const [, year, month, day] = FULL_DATE.exec(text) ?? []
  return day !== undefined && isCalendarDay(Number(year), Number(month), Number(day))
}

function isCalendarDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  return day <= (lengths[month - 1] as number)
}

function isZone(zone: string): boolean {
  if (zone.length === 1) return true
  return Number(zone.slice(1, 3)) <= 23 && Number(zone.slice(4)) <= 59
}

/** Leap seconds stand at the end of a UTC day. */
function isEndOfDay(instant: number): boolean {
  return new Date(instant).toISOString().slice(11, 19) === '23:59:59'
}
