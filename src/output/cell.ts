import {bytesText, secondsText} from './amount.js'
import {visible} from './escape-controls.js'
import {localTime} from './time.js'
import {type Column, Several} from './view.js'

/** A value as text, the way CSV, TSV and tables print it: nothing for null, JSON for lists and objects. */
export function asText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString()
  if (typeof value === 'object') return JSON.stringify(value)
  return String(value)
}

/** A value as text for programs: as `asText`, and times in UTC with `Z`, dates as a day; several with commas between. */
export function plainCell(value: unknown, column: Column): string {
  if (value instanceof Several) return joined(value, each => plainCell(each, column))
  const {kind} = column
  const time = kind === 'time' || kind === 'date' ? momentIn(value) : undefined
  if (time === undefined) return asText(value)
  return kind === 'date' ? dayOf(time) : time.toISOString()
}

/** What is empty is left out. */
function joined(values: Several, text: (value: unknown) => string): string {
  return Array.from(values, text).filter(Boolean).join(', ')
}

/** `undefined` for what is no time, or has no zone and would be a different one elsewhere. */
function momentIn(value: unknown): Date | undefined {
  const isMoment = value instanceof Date || (typeof value === 'string' && ZONED.test(value))
  const time = isMoment ? new Date(value) : undefined
  return time && !Number.isNaN(time.getTime()) ? time : undefined
}

const ZONED = /^\d{4}-\d\d-\d\dT.+(?:Z|[+-]\d\d:?\d\d)$/

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}

/** A table cell: times in local time, amounts with their unit, control characters made visible. */
export function tableCell(value: unknown, column: Column): string {
  if (value instanceof Several) return joined(value, each => tableCell(each, column))
  if (column.kind === 'date') return visible(plainCell(value, column))
  const time = column.kind === 'time' || value instanceof Date ? momentIn(value) : undefined
  if (time) return localTime(time) as string
  if (typeof value === 'number' && column.kind === 'bytes') return bytesText(value)
  if (typeof value === 'number' && column.kind === 'seconds') return secondsText(value)
  return visible(asText(value)).replace(/^\p{M}/u, ON_CIRCLE)
}

/** A mark that has nothing to stand on would stand on the gap before its cell. */
const ON_CIRCLE = '\u25cc$&'
