import {createUsageError} from '../errors.js'

const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** Forms of a duration, one for each unit, with the meaning. */
export const DURATION_FORMS: readonly (readonly [example: string, meaning: string])[] = [
  ['500ms', 'Milliseconds'],
  ['30s', 'Seconds'],
  ['15m', 'Minutes'],
  ['2h', 'Hours; a fraction is fine: 1.5h'],
  ['3d', 'Days of 24 hours'],
  ['1w', 'Weeks'],
]

/** Forms of a moment, one or more examples each, with the meaning. */
export const TIME_FORMS: readonly (readonly [examples: string, meaning: string])[] = [
  ['2h, 3d', 'That long before now: any duration below'],
  ['09:00', "The last one, in this machine's time zone"],
  ['today, yesterday', 'The start of the day; "yesterday 09:00" is a time of it'],
  ['2026-11-20', 'The start of that day; 2026-11-20T09:00 is a time of it'],
  ['2024-10-24T21:30:46Z', 'RFC 3339: a moment in UTC, or with an offset (+02:00)'],
]

/**
 * Milliseconds of a duration: `500ms`, `30s`, `15m`, `2h`, `3d`, `1w`.
 *
 * @throws StorectlError `usage.duration` for anything else
 */
export function parseDurationMs(text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d|w)$/.exec(text.trim()) ?? []
  if (amount === undefined || unit === undefined) {
    throw createUsageError('duration', `"${text}" is not a duration: write 500ms, 30s, 15m, 2h, 3d or 1w.`)
  }
  return Number(amount) * (UNIT_MS[unit] ?? 1)
}

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kib: 1024,
  mib: 1024 ** 2,
  k: 1024,
  m: 1024 ** 2,
}

/** A larger body would not fit in a string. */
const MOST_BYTES = 256 * 1024 ** 2

/**
 * Reads a size: `10MiB`, `512KiB`, `64k`, `1000000`.
 *
 * @throws StorectlError `usage.size` for anything else, for nothing and for more than 256 MiB
 */
export function parseByteSize(text: string): number {
  const [, amount, unit = ''] = /^(\d{1,9})(b|kib|mib|k|m|)$/i.exec(text.trim()) ?? []
  const bytes = Number(amount) * (UNITS[unit.toLowerCase()] ?? Number.NaN)
  if (bytes >= 1 && bytes <= MOST_BYTES) return bytes
  throw createUsageError(
    'size',
    `"${text}" is not a size: write 10MiB, 512KiB or a number of bytes, up to 256MiB.`,
  )
}

/**
 * Reads a limit: a whole number; `none` is 0, which turns a limit off.
 *
 * @throws StorectlError `usage.limit`
 */
export function limitOf(text: string): number {
  if (text === 'none') return 0
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw createUsageError('limit', `"${text}" is not a limit: write a whole number, or none.`)
}

/**
 * Reads a percentage: `20%`; `0` and `none` turn a limit off.
 *
 * @returns 0 to 1
 * @throws StorectlError `usage.share`
 */
export function parseShare(text: string): number {
  if (text === 'none' || text === '0') return 0
  const [, percent] = /^(\d+(?:\.\d+)?)%$/.exec(text) ?? []
  if (percent !== undefined && Number(percent) <= 100) return Number(percent) / 100
  throw createUsageError('share', `"${text}" is not a percentage: write 20%, or none.`)
}

const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)$/
const WITHOUT_ZONE = /^(\d{4}-\d\d-\d\d)([Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?)?$/

/**
 * Reads a moment: RFC 3339 with a zone, seconds and fraction optional.
 *
 * @returns the moment, or a sentence that says what is wrong and names the right form
 */
export function readMoment(text: string): Date | {readonly problem: string} {
  if (DATE_TIME.test(text)) {
    const moment = new Date(text.replace(' ', 'T').toUpperCase())
    return isReal(moment, text) ? moment : {problem: `"${text}" is not a valid date and time.`}
  }
  const [, day, clock = 'T00:00:00'] = WITHOUT_ZONE.exec(text) ?? []
  if (day === undefined) return {problem: `"${text}" is not a date and time: write 2024-10-24T21:30:46Z.`}
  const whole = `${day}${clock.replace(' ', 'T')}`
  return {problem: `"${text}" has no zone: write ${whole}Z for UTC, or ${whole}+02:00.`}
}

/**
 * Reads a moment, its distance before now (`2h`, `3d`), or a time in the machine's zone: `2026-11-20`,
 * `2026-11-20T09:00`, `09:00` (the last one: today, or yesterday before nine), `today`, `yesterday`.
 *
 * @returns the moment once now is known
 * @throws StorectlError `usage.moment`
 */
export function parseMoment(text: string): (now: Date) => Date {
  const local = parseLocalMoment(text)
  if (local !== undefined) return local
  if (/^[\d.]+[a-z]+$/.test(text)) {
    const agoMs = parseDurationMs(text)
    return now => new Date(now.getTime() - agoMs)
  }
  const moment = readMoment(text)
  if ('problem' in moment) {
    throw createUsageError(
      'moment',
      `Invalid time "${text}". Use RFC 3339, 2026-11-20, 09:00, yesterday, 2h or 3d.`,
    )
  }
  return () => moment
}

const LOCAL = /^(?:(\d{4})-(\d\d)-(\d\d)|(today|yesterday))?(?:(?:^|[Tt ])(\d\d):(\d\d)(?::(\d\d))?)?$/

/** Whether a moment is in the machine's zone, so that a note repeats it with its offset. */
export function isLocalMoment(text: string): boolean {
  return text !== '' && LOCAL.test(text)
}

/** A date or time without a zone, `undefined` for any other text. @throws StorectlError `usage.moment` */
function parseLocalMoment(text: string): ((now: Date) => Date) | undefined {
  if (!isLocalMoment(text)) return undefined
  const [, year, month, day, word, ...clock] = LOCAL.exec(text) ?? []
  const [hours = 0, minutes = 0, seconds = 0] = clock.map(part => Number(part ?? 0))
  const isOfClock = hours < 24 && minutes < 60 && seconds < 60
  if (!isOfClock || (year !== undefined && !isReal(new Date(`${year}-${month}-${day}T00:00:00Z`), text)))
    throw createUsageError('moment', `Invalid time "${text}": no such date or time.`)
  return now => {
    if (year !== undefined)
      return new Date(Number(year), Number(month) - 1, Number(day), hours, minutes, seconds)
    const daysAgo = (days: number) =>
      new Date(now.getFullYear(), now.getMonth(), now.getDate() - days, hours, minutes, seconds)
    if (word !== undefined) return daysAgo(word === 'yesterday' ? 1 : 0)
    return daysAgo(0) > now ? daysAgo(1) : daysAgo(0)
  }
}

/** `Date` rolls 30 February over into March. */
function isReal(moment: Date, text: string): boolean {
  if (Number.isNaN(moment.getTime())) return false
  const day = text.slice(0, 10)
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}
