import {createUsageError} from '../errors.js'
import {parseDurationMs} from './quantities.js'

const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)$/
const WITHOUT_ZONE = /^(\d{4}-\d\d-\d\d)([Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?)?$/

/**
 * Reads a moment: RFC 3339 with a zone, seconds and fraction optional.
 *
 * @returns the moment, or what is wrong as a sentence that names the right form
 */
export function readMoment(text: string): Date | {readonly problem: string} {
  if (DATE_TIME.test(text)) {
    const moment = new Date(text.replace(' ', 'T').toUpperCase())
    return isReal(moment, text) ? moment : {problem: `"${text}" is no real date and time.`}
  }
  const [, day, clock = 'T00:00:00'] = WITHOUT_ZONE.exec(text) ?? []
  if (day === undefined) return {problem: `"${text}" is no date and time: write 2024-10-24T21:30:46Z.`}
  const whole = `${day}${clock.replace(' ', 'T')}`
  return {problem: `"${text}" has no zone: write ${whole}Z for UTC, or ${whole}+02:00.`}
}

/**
 * Reads a moment, or how long before now it was: `2h`, `3d`.
 *
 * @returns the moment once now is known
 * @throws StorectlError `usage.moment`
 */
export function parseMoment(text: string): (now: Date) => Date {
  if (/^[\d.]+[a-z]+$/.test(text)) {
    const agoMs = parseDurationMs(text)
    return now => new Date(now.getTime() - agoMs)
  }
  const moment = readMoment(text)
  if ('problem' in moment) throw createUsageError('moment', `${moment.problem} A time ago is 2h or 3d.`)
  return () => moment
}

/** `Date` rolls 30 February over into March. */
function isReal(moment: Date, text: string): boolean {
  if (Number.isNaN(moment.getTime())) return false
  const day = text.slice(0, 10)
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}
