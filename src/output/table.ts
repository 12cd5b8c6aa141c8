import Table from 'cli-table3'
import {tableCell} from './cell.js'
import {type Column, type Row, valueAt} from './view.js'
import {visible} from './visible.js'
import type {Layout, RowWriter} from './writer.js'

/** Rows that are held back so that columns can be as wide as they need; longer lists are printed in such blocks. */
const BLOCK_ROWS = 500

const NO_BORDERS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
}

/** A table without borders, headed in capitals, no wider than the terminal. */
export function tableWriter({view, fields, columns: width}: Layout): RowWriter {
  const columns: readonly Column[] = fields ? fields.map(path => known(view.columns, path)) : view.columns
  let waiting: string[][] = []
  let headed = false
  let widths: readonly number[] = []
  const flush = () => {
    if (waiting.length === 0) return ''
    if (width !== undefined) widths = fitted(headings(columns), waiting, width, widths)
    const text = block(columns, waiting, widths, !headed)
    headed = true
    waiting = []
    return text
  }
  return {
    begin: () => '',
    row: (row: Row) => {
      waiting.push(columns.map(column => tableCell(valueAt(row, column.path), column)))
      return waiting.length >= BLOCK_ROWS ? flush() : ''
    },
    pause: flush,
    end: flush,
  }
}

function known(columns: readonly Column[], path: string): Column {
  return columns.find(column => column.path === path) ?? {path}
}

function block(
  columns: readonly Column[],
  rows: string[][],
  widths: readonly number[],
  headed: boolean,
): string {
  const table = new Table({
    ...(headed ? {head: headings(columns)} : {}),
    ...(widths.length > 0 ? {colWidths: [...widths]} : {}),
    chars: NO_BORDERS,
    style: {'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true},
    colAligns: columns.map(column => (column.kind === 'number' ? 'right' : 'left')),
  })
  table.push(...rows)
  return `${table
    .toString()
    .split('\n')
    .map(line => line.trimEnd())
    .join('\n')}\n`
}

/**
 * Column widths that fit the terminal: the widest gives way first, none goes below 4.
 *
 * @param before those of the rows above, so that columns stay where they are as long as they can
 */
function fitted(head: string[], rows: string[][], width: number, before: readonly number[]): number[] {
  const widths = head.map((title, at) =>
    Math.max(title.length, before[at] ?? 0, ...rows.map(row => row[at]?.length ?? 0)),
  )
  let over = widths.reduce((sum, each) => sum + each + 2, -2) - width
  while (over > 0) {
    const widest = widths.indexOf(Math.max(...widths))
    if ((widths[widest] ?? 0) <= 4) break
    widths[widest] = (widths[widest] ?? 0) - 1
    over--
  }
  return widths
}

function headings(columns: readonly Column[]): string[] {
  return columns.map(column => column.header ?? heading(column.path))
}

function heading(path: string): string {
  const [name = path] = path.split('.').slice(-1)
  return visible(name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toUpperCase())
}
