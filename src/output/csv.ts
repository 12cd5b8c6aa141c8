import {stringify} from 'csv-stringify/sync'
import {asText} from './cell.js'
import {valueAt} from './view.js'
import type {Layout, RowWriter} from './writer.js'

/**
 * Comma-separated values with a header line. Text that a spreadsheet would run as a formula gets a leading
 * apostrophe.
 *
 * @see RFC 4180
 */
export function csvWriter({view, fields}: Layout): RowWriter {
  const paths = fields ?? view.columns.map(column => column.path)
  const line = (values: readonly string[]) => stringify([[...values]], {record_delimiter: '\r\n'})
  return {
    begin: () => line(paths),
    row: row => line(paths.map(path => formulaSafe(valueAt(row, path)))),
    end: () => '',
  }
}

/** Text that begins like a formula, disarmed; numbers stay numbers. */
export function formulaSafe(value: unknown): string {
  const text = asText(value)
  return typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}
