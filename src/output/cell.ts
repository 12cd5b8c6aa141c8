import {formatAmounts, type Money} from '../language/amount-totals.js'
import {escapeControls} from './escape-controls.js'
import {type Column, Several} from './view.js'

/** A value as text, the way CSV, TSV and tables print it: nothing for null, JSON for lists and objects. */
function toText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString()
  if (typeof value === 'object') return JSON.stringify(value)
  return String(value)
}

/** A value as text for programs: as `asText`, and times in UTC with `Z`, dates as a day; several with commas between. */
export function formatPlainCell(value: unknown, column: Column): string {
  if (value instanceof Several) return joinNonEmpty(value, each => formatPlainCell(each, column))
  const {kind} = column
  if (kind === 'money') return listMoney(value).map(joinMoney).join(', ')
  const time = kind === 'time' || kind === 'date' ? parseTime(value) : undefined
  if (time === undefined) return toText(value)
  return kind === 'date' ? formatDay(time) : time.toISOString()
}

/** One amount, a list of them, or nothing. */
function listMoney(value: unknown): Money[] {
  return [value ?? []].flat() as Money[]
}

/** As the provider writes it, which may be no number. */
function joinMoney({value, currency}: Money): string {
  return `${value} ${currency}`
}

/** What is empty is left out. */
function joinNonEmpty(values: Several, text: (value: unknown) => string): string {
  return Array.from(values, text).filter(Boolean).join(', ')
}

/** `undefined` for what is no time, or has no zone and would be a different one elsewhere. */
function parseTime(value: unknown): Date | undefined {
  const isMoment = value instanceof Date || (typeof value === 'string' && ZONED.test(value))
  const time = isMoment ? new Date(value) : undefined
  return time && !Number.isNaN(time.getTime()) ? time : undefined
}

const ZONED = /^\d{4}-\d\d-\d\dT.+(?:Z|[+-]\d\d:?\d\d)$/

function formatDay(time: Date): string {
  return time.toISOString().slice(0, 10)
}

/**
 * A table cell: times in local time, amounts with their unit, `yes` and `no`, control characters made visible.
 *
 * @param now times are shown by their age at this time, where it is given
 */
export function formatTableCell(value: unknown, column: Column, now?: Date): string {
  if (value instanceof Several) return joinNonEmpty(value, each => formatTableCell(each, column, now))
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (column.kind === 'money') return escapeControls(formatMoneyCell(value))
  if (column.kind === 'date') return escapeControls(formatPlainCell(value, column))
  const time = column.kind === 'time' || value instanceof Date ? parseTime(value) : undefined
  if (time) return formatTime(time, column, now)
  const formatNumber = column.kind === undefined ? undefined : WITH_UNITS[column.kind]
  if (typeof value === 'number' && formatNumber) return formatNumber(value)
  return escapeControls(formatMembers(value) ?? toText(value)).replace(/^\p{M}/u, ON_CIRCLE)
}

function formatTime(time: Date, column: Column, now: Date | undefined): string {
  return now && column.kind === 'time' ? formatAge(time, now, column) : (formatLocalTime(time) as string)
}

/** `1,200.50 EUR, 300 JPY`; an amount that is no number as it was written. */
function formatMoneyCell(value: unknown): string {
  return formatAmounts(listMoney(value)) || formatPlainCell(value, {path: '', kind: 'money'})
}

/** A moment for a ticket, to the minute: `2026-11-27 21:23 UTC`. @param iso ISO 8601 in UTC */
export function formatUtcMinute(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`
}

/** A number with its thousands marked, whatever the machine's language: `1,500`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en-US')
}

/** `1 event`, `1,500 events`. @param noun singular and plural */
export function formatCounted(count: number, [one, many]: readonly [one: string, many: string]): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

const WITH_UNITS: Readonly<Partial<Record<NonNullable<Column['kind']>, (value: number) => string>>> = {
  bytes: formatBytes,
  seconds: formatSeconds,
  milliseconds: formatDuration,
}

/** `events 30, runs 2`; `undefined` for what is no list or object, or is deeper. */
function formatMembers(value: unknown): string | undefined {
  if (value === null || typeof value !== 'object' || value instanceof Date) return undefined
  if (Object.values(value).some(each => each !== null && typeof each === 'object')) return undefined
  if (Array.isArray(value)) return value.map(toText).join(', ')
  return Object.entries(value)
    .map(([name, each]) => `${name} ${toText(each)}`.trimEnd())
    .join(', ')
}

/** `12m ago`, `in 5m`; `12m` below a heading of ages. */
function formatAge(time: Date, now: Date, {ageHeader}: Column): string {
  const seconds = Math.trunc((now.getTime() - time.getTime()) / 1000)
  const age = formatSpan(Math.abs(seconds))
  if (seconds < 0) return `in ${age}`
  return ageHeader === undefined ? `${age} ago` : age
}

/** The largest unit alone, from two of it on: `90s`, `12m`, `47h`, `3d`. */
function formatSpan(seconds: number): string {
  if (seconds < 120) return `${seconds}s`
  if (seconds < 7200) return `${Math.trunc(seconds / 60)}m`
  return seconds < 172_800 ? `${Math.trunc(seconds / 3600)}h` : `${Math.trunc(seconds / 86_400)}d`
}

/** A mark that has nothing to stand on would stand on the gap before its cell. */
const ON_CIRCLE = '\u25cc$&'

const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'] as const

/** `512 B`, `12.3 MiB`. */
export function formatBytes(bytes: number): string {
  let size = bytes
  let unit: string = 'B'
  for (const larger of UNITS) {
    if (size < 1024) break
    size /= 1024
    unit = larger
  }
  return `${unit === 'B' ? size : size.toFixed(1)} ${unit}`
}

const STRETCHES = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const

/** The two largest stretches of a length of time: `3d 4h`, `5m 0s`, `12s`. */
export function formatSeconds(seconds: number): string {
  const whole = Math.max(0, Math.trunc(seconds))
  const first = STRETCHES.findIndex(([, length]) => whole >= length)
  if (first < 0) return '0s'
  return STRETCHES.slice(first, first + 2)
    .map(([unit, length], index) => {
      const rest = index === 0 ? whole : whole % (STRETCHES[first]?.[1] ?? 1)
      return `${Math.trunc(rest / length)}${unit}`
    })
    .join(' ')
}

/**
 * A time for people: `2026-11-21 13:05:09 +01:00`, in the machine's time zone.
 *
 * @returns `undefined` for an invalid date
 */
export function formatLocalTime(time: Date): string | undefined {
  if (Number.isNaN(time.getTime())) return undefined
  const padTwo = (value: number) => String(Math.trunc(Math.abs(value))).padStart(2, '0')
  const offset = -time.getTimezoneOffset()
  const year = String(time.getFullYear()).padStart(4, '0')
  const day = `${year}-${padTwo(time.getMonth() + 1)}-${padTwo(time.getDate())}`
  const clock = `${padTwo(time.getHours())}:${padTwo(time.getMinutes())}:${padTwo(time.getSeconds())}`
  return `${day} ${clock} ${offset < 0 ? '-' : '+'}${padTwo(offset / 60)}:${padTwo(offset % 60)}`
}

/** A length of time for people, to two parts: `1 h 05 min`, `12 s`, `340 ms`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${String(seconds % 60).padStart(2, '0')} s`
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`
}
