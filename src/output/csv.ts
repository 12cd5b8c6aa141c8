import {stringify} from 'csv-stringify/sync'
import {asText} from './cell.js'
import {valueAt} from './view.js'
import {visible} from './visible.js'
import type {Layout, RowWriter} from './writer.js'

/** What a terminal obeys, tabs and line breaks aside: those belong into cells. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is being looked for
const HARMFUL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/**
 * Comma-separated values with a header line. Text that a spreadsheet would run as a formula gets a leading
 * apostrophe. Characters that a terminal would obey are written out, tabs and line breaks aside.
 *
 * @see RFC 4180
 */
export function csvWriter({view, fields}: Layout): RowWriter {
  const paths = fields ?? view.columns.map(column => column.path)
  const line = (values: readonly string[]) => stringify([[...values]], {record_delimiter: '\r\n'})
  return {
    begin: () => line(paths.map(visible)),
    row: row => line(paths.map(path => formulaSafe(valueAt(row, path)))),
    end: () => '',
  }
}

/** Text that begins like a formula, disarmed; numbers stay numbers. */
export function formulaSafe(value: unknown): string {
  const text = asText(value).replace(HARMFUL, visible)
  return typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}
