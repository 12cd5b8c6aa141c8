import {formatPlainCell} from './cell.js'
import type {Layout, RowWriter} from './layout.js'
import {renderMarkdownHeadings, renderMarkdownLine} from './markdown-table.js'
import {findColumn, readValueAt} from './view.js'

/** A Markdown table for a ticket: amounts with their currency, times in UTC. */
export function createMarkdownWriter({view, fields}: Layout): RowWriter {
  const columns = fields?.map(path => findColumn(view, path)) ?? view.columns
  const format = (row: object) =>
    columns.map(column => formatPlainCell(readValueAt(row, column.path), column).replace(/[\r\n]/g, ' '))
  return {
    begin: () => renderMarkdownHeadings(columns.map(({path}) => path)),
    formatRow: row => renderMarkdownLine(format(row)),
    end: () => '',
  }
}
