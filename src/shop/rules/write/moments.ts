import {createHttpError} from '../../runtime/shop-error.js'

/** A day, with a time, with a zone. */
const WRITTEN =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i
/** Days as written in many countries: `31.12.2024`. */
const POINTED = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/
const RELATIVE = /^([+-]?\d+) (sec|second|min|minute|hour|day|week|fortnight|month|year)s?$/i
const SECONDS: Readonly<Record<string, number>> = {
  sec: 1,
  second: 1,
  min: 60,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
  fortnight: 1_209_600,
}
const DAY_MS = 86_400_000

/**
 * The time that PHP reads from a text: a date beyond the end of its month continues in the next one; an empty text is
 * now, and so is a letter, which is the name of a zone.
 *
 * @throws ShopError 500 for an invalid text
 */
export function interpretMoment(text: string, now: Date): Date {
  const trimmed = text.trim()
  const found = parseWritten(trimmed) ?? parseWords(trimmed.toLowerCase(), now)
  if (found && !Number.isNaN(found.getTime())) return found
  throw createHttpError(
    500,
    `Failed to parse time string (${text}) at position 0 (${text.charAt(0)}): The timezone could not be found in the database`,
  )
}

function parseWritten(text: string): Date | undefined {
  const [, lastDay, lastMonth, lastYear] = POINTED.exec(text) ?? []
  if (lastYear !== undefined) return buildDate([Number(lastYear), Number(lastMonth), Number(lastDay)])
  const match = WRITTEN.exec(text)
  if (!match) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(part => Number(part ?? 0))
  const milliseconds = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3))
  return buildDate([year, month, day, hour, minute, second, milliseconds], readOffset(match[8]))
}

/** @param parts year to millisecond; a part out of range is invalid, except for the day of a month */
function buildDate(parts: readonly (number | undefined)[], offsetMs = 0): Date | undefined {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0, ms = 0] = parts
  if (month < 1 || month > 12 || day > 31 || hour > 24 || minute > 59 || second > 59) return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second, ms)
  return new Date(date.getTime() - offsetMs)
}

function readOffset(zone: string | undefined): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone ?? '') ?? []
  if (sign === undefined) return 0
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

function parseWords(text: string, now: Date): Date | undefined {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  if (text === '' || text === 'now' || /^[a-ik-z]$/.test(text)) return now
  if (text === 'today' || text === 'midnight') return new Date(today)
  if (text === 'noon') return new Date(today + DAY_MS / 2)
  if (text === 'tomorrow') return new Date(today + DAY_MS)
  if (text === 'yesterday') return new Date(today - DAY_MS)
  const [, stamp] = /^@(-?\d{1,12})$/.exec(text) ?? []
  if (stamp !== undefined) return new Date(Number(stamp) * 1000)
  const [, count, unit = ''] = RELATIVE.exec(text) ?? []
  if (count !== undefined) return shift(now, Number(count), unit)
  // Names of months, as in e-mail dates.
  return /[a-z]{3}/.test(text) && /\d/.test(text) ? new Date(Date.parse(`${text} UTC`)) : undefined
}

function shift(now: Date, count: number, unit: string): Date {
  const seconds = SECONDS[unit]
  if (seconds !== undefined) return new Date(now.getTime() + count * seconds * 1000)
  const date = new Date(now)
  if (unit === 'month') date.setUTCMonth(date.getUTCMonth() + count)
  else date.setUTCFullYear(date.getUTCFullYear() + count)
  return date
}
