import {stringify} from 'csv-stringify/sync'
import {formatPlainCell} from './cell.js'
import {escapeControls} from './escape-controls.js'
import type {Layout, RowWriter} from './layout.js'
import {type Column, listPlainColumns, readValueAt, Several} from './view.js'

/** What a terminal obeys, tabs and line breaks aside: those belong into cells. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is being looked for
const HARMFUL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\p{Cs}]/gu

/**
 * Comma-separated values with a header line. Text that a spreadsheet would run as a formula gets a leading
 * apostrophe, and characters that a terminal would obey are written out, tabs and line breaks aside; `csvRaw` leaves
 * every value as it is.
 *
 * @see RFC 4180
 */
export function createCsvWriter({view, fields, csvRaw, noHeader, bom}: Layout): RowWriter {
  const columns = listPlainColumns({view, fields})
  const cell = csvRaw ? formatPlainCell : escapeFormula
  // By itself the library leaves half of a line's end unquoted, and an empty cell that is alone in its line.
  const quoted_match = columns.length === 1 ? /^$|[\r\n]/ : /[\r\n]/
  const formatLine = (values: readonly string[]) =>
    stringify([[...values]], {record_delimiter: '\r\n', quoted_match})
  return {
    begin: () =>
      (bom ? '\ufeff' : '') + (noHeader ? '' : formatLine(columns.map(({path}) => escapeControls(path)))),
    formatRow: row => formatLine(columns.map(column => cell(readValueAt(row, column.path), column))),
    end: () => '',
  }
}

/** Text that begins like a formula, disarmed; numbers stay numbers. */
export function escapeFormula(value: unknown, column: Column = {path: ''}): string {
  const text = formatPlainCell(value, column).replace(HARMFUL, escapeControls)
  const isText = typeof value === 'string' || value instanceof Several
  return isText && /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text
}
