import {formatPlainCell} from './cell.js'
import {escapeControls} from './escape-controls.js'
import type {Layout, RowWriter} from './layout.js'
import {listPlainColumns, readValueAt} from './view.js'

/**
 * Tab-separated values with a header line, also in a pipe: a result that says what its columns are is worth one
 * `tail -n +2`. Backslash and control characters in values are escaped.
 */
export function createTsvWriter({view, fields, noHeader}: Layout): RowWriter {
  const columns = listPlainColumns({view, fields})
  return {
    begin: () => (noHeader ? '' : `${columns.map(({path}) => escapeText(path)).join('\t')}\n`),
    formatRow: row =>
      `${columns.map(each => escapeText(formatPlainCell(readValueAt(row, each.path), each))).join('\t')}\n`,
    end: () => '',
  }
}

function escapeText(text: string): string {
  return escapeControls(text.replaceAll('\\', '\\\\'))
}
