import {isFullDate, type LeafRule, readDateTime} from '../../wire/fulfillment-order/field-rules.js'

/** The mark before the decimals of a number. */
export const MARKS = ['comma', 'point'] as const
export type DecimalMark = (typeof MARKS)[number]

interface ParsedDecimal {
  /** With a point, and without thousands separators: `1234.50`. */
  readonly number: string
  /** `€`, `EUR`; empty for none. */
  readonly currency: string
}

const CURRENCY = String.raw`(\p{Sc}|[A-Z]{3}|kr|z\u0142|K\u010d)?`
const DECIMALS = {comma: buildDecimalPattern(',', '.'), point: buildDecimalPattern('.', ',')}

function buildDecimalPattern(mark: string, thousands: string): RegExp {
  const whole = String.raw`\d{1,3}(?:([${thousands}'\u2019 \u00a0\u202f])\d{3}(?:\3\d{3}){0,3})|\d{1,15}`
  return new RegExp(String.raw`^${CURRENCY}\s?(${whole})(?:[${mark}](\d{1,6}))?\s?${CURRENCY}$`, 'u')
}

/** A number as people write it: `1.234,50 €` (comma), `$1,234.50` (point); `undefined` if it is not a number. */
export function parseCellNumber(text: string, mark: DecimalMark): ParsedDecimal | undefined {
  const [, before = '', whole, , rest, behind = ''] = DECIMALS[mark].exec(text.trim()) ?? []
  if (whole === undefined || (before !== '' && behind !== '')) return undefined
  const digits = whole.replace(/\D/g, '')
  return {number: rest === undefined ? digits : `${digits}.${rest}`, currency: before || behind}
}

/** Whether a sign stands for a currency: `€` and `EUR` for EUR, `$` for each dollar. @param code ISO 4217 */
export function isSignOf(sign: string, code: string): boolean {
  if (sign === code) return true
  if (!/^[A-Z]{3}$/.test(code)) return false
  const names = {style: 'currency', currency: code, currencyDisplay: 'narrowSymbol'} as const
  return new Intl.NumberFormat('en', names).formatToParts(0).some(({value}) => value === sign)
}

/**
 * A date, or a date and time, as the contract writes it, if the text is unambiguous; any other text unchanged. A time
 * without a zone is UTC, as databases write it: the same on every machine.
 *
 * @see RFC 3339 §5.6
 */
export function readDateCell(text: string, holds: LeafRule['holds']): string {
  if (WRITTEN_SO.test(text)) return text
  const readings = listDateReadings(text)
  const [only] = readings
  if (only === undefined || readings.length > 1) return text
  if (holds === 'date') return only.includes('T') ? text : only
  const moment = only.includes('T') ? only : `${only}T00:00:00Z`
  return typeof readDateTime(moment) === 'number' ? moment : text
}

/** Most dates are already in that form: they are not parsed. */
const WRITTEN_SO = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))?$/

const MOMENT =
  /^([\d./-]{6,10})(?:(?:T|,? )(\d{1,2}):(\d\d)(?::(\d\d)(\.\d{1,9})?)? ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?$/i

/**
 * The days that a date may mean, with its time if it has one: `24.10.2026`, `2026-1-5`, `20261024`, `2026-10-24 9:30:00
 * +0200`; two for `10/11/2026`.
 *
 * @returns `2026-10-24` or `2026-10-24T09:30:00+02:00`, none if it is not a date
 */
export function listDateReadings(text: string): string[] {
  const [, date, hour, minute, second = '00', fraction = '', zone = 'Z'] = MOMENT.exec(text.trim()) ?? []
  const days = date === undefined ? [] : listDays(date)
  if (hour === undefined) return days
  const offset = /^[a-z]/i.test(zone) ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`
  return days.map(day => `${day}T${hour.padStart(2, '0')}:${minute}:${second}${fraction}${offset}`)
}

function listDays(date: string): string[] {
  const [, year, , month, day] =
    /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(date) ?? /^(\d{4})()(\d\d)(\d\d)$/.exec(date) ?? []
  if (year !== undefined) return listReal([[year, month, day]])
  const [, first, mark, second, last] = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/.exec(date) ?? []
  const dayFirst = [last, second, first]
  return listReal(mark === '.' ? [dayFirst] : [dayFirst, [last, first, second]])
}

function listReal(days: (string | undefined)[][]): string[] {
  const texts = days.map(parts => parts.map(part => (part ?? '').padStart(2, '0')).join('-'))
  return [...new Set(texts.filter(isFullDate))]
}
