import {formatTableCell} from '../cell.js'
import {escapeControls} from '../escape-controls.js'
import type {Layout} from '../layout.js'
import {type Column, type Row, readValueAt, Several} from '../view.js'
import {type Labelled, renderAligned} from './labelled-lines.js'
import {selectLayoutColumns} from './table-columns.js'

/**
 * One record as labelled lines in words, those without a value left out. With `--fields` the labels are its paths, and
 * all are shown.
 */
export function renderRecord(record: Row, layout: Layout): string {
  const {fields, columns: limit, forEyes} = layout
  const hasColor = forEyes?.hasColor
  const lines = selectLayoutColumns(layout).flatMap((column): Labelled[] => {
    const value = formatValue(readValueAt(record, column.path), column, forEyes?.now)
    if (fields) return [[escapeControls(column.path), value]]
    if (value === '') return []
    const isWhole = column.kind === 'command'
    return [[column.label ?? formatLabel(column), value, false, isWhole]]
  })
  return renderAligned(lines, {limit, hasColor})
}

/** `Created`, `Stop reason`, `ID`: the words of the path, without the unit that the value says itself. */
function formatLabel({path, kind}: Column): string {
  const suffix =
    kind === 'time' ? /At$/ : kind === 'bytes' || kind === 'seconds' ? /(Bytes|Seconds)$/ : /Text$/
  const words = path
    .replace(suffix, '')
    .replaceAll('.', ' ')
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .replace(/\b(id|url|sha256|pid)\b/g, word => (word === 'sha256' ? 'SHA-256' : word.toUpperCase()))
  return escapeControls(words.charAt(0).toUpperCase() + words.slice(1))
}

/** Times in full with their age; what holds others as lines of its own. */
function formatValue(value: unknown, column: Column, now: Date | undefined): string {
  if (column.kind === 'time' && value !== null && value !== undefined && !(value instanceof Several)) {
    const full = formatTableCell(value, column)
    return now && full !== '' ? `${full} (${formatTableCell(value, {path: '', kind: 'time'}, now)})` : full
  }
  if (column.kind === 'lines' && Array.isArray(value))
    return value.map(each => formatTableCell(each, {path: ''})).join('\n')
  if (column.kind === 'money') return formatTableCell(value, column)
  if (value !== null && typeof value === 'object' && !(value instanceof Date) && !(value instanceof Several))
    return listMembers(value).join('\n')
  return formatTableCell(value, column)
}

/** `rate: 5` a line each, deeper ones indented; a list of single values on one line. */
function listMembers(value: object): string[] {
  const flat = formatFlat(value)
  if (flat !== undefined) return [flat]
  return Object.entries(value).flatMap(([name, member]) => {
    const label = Array.isArray(value) ? '-' : `${escapeControls(name)}:`
    const line = formatFlat(member)
    if (line !== undefined) return [`${label} ${line}`.trimEnd()]
    return [label, ...listMembers(member).map(each => `  ${each}`)]
  })
}

/** A single value, or a list of single ones; `undefined` for all else. */
function formatFlat(value: unknown): string | undefined {
  const all = Array.isArray(value) ? value : [value]
  if (all.some(each => each !== null && typeof each === 'object')) return undefined
  return all.map(each => formatTableCell(each, {path: ''})).join(', ')
}
