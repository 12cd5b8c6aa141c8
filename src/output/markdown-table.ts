import {formatPlainCell} from './cell.js'
import {escapeControls} from './escape-controls.js'
import type {Layout, RowWriter} from './layout.js'
import {findColumn, readValueAt} from './view.js'

export function renderMarkdownTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  return renderMarkdownHeadings(headings) + rows.map(renderMarkdownLine).join('')
}

export function renderMarkdownHeadings(headings: readonly string[]): string {
  return `${renderMarkdownLine(headings)}${renderMarkdownLine(headings.map(() => '---'))}`
}

export function renderMarkdownLine(cells: readonly string[]): string {
  return `| ${cells.map(escapeMarkdown).join(' | ')} |\n`
}

/** What Markdown or the HTML in it would take for its own is written out. */
export function escapeMarkdown(text: string): string {
  return escapeControls(text)
    .replace(/[\\`*_[\]|~#]/g, char => `\\${char}`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
}

/** A Markdown table for a ticket: amounts with their currency, times in UTC. */
export function createMarkdownWriter({view, fields}: Layout): RowWriter {
  const columns = fields?.map(path => findColumn(view, path)) ?? view.columns
  const formatCells = (row: object) =>
    columns.map(column => formatPlainCell(readValueAt(row, column.path), column).replace(/[\r\n]/g, ' '))
  return {
    begin: () => renderMarkdownHeadings(columns.map(({path}) => path)),
    formatRow: row => renderMarkdownLine(formatCells(row)),
    end: () => '',
  }
}
