import {bytesText, secondsText} from './amount.js'
import {localTime} from './time.js'
import type {Column} from './view.js'
import {visible} from './visible.js'

/** A value as text, the way CSV, TSV and tables print it: nothing for null, JSON for lists and objects. */
export function asText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'object') return JSON.stringify(value)
  return String(value)
}

/** A table cell: times in local time, amounts with their unit, control characters made visible. */
export function tableCell(value: unknown, column: Column): string {
  if (column.kind === 'time' && (typeof value === 'string' || value instanceof Date)) {
    return localTime(value instanceof Date ? value : new Date(value)) ?? visible(asText(value))
  }
  if (typeof value === 'number' && column.kind === 'bytes') return bytesText(value)
  if (typeof value === 'number' && column.kind === 'seconds') return secondsText(value)
  return visible(asText(value))
}
