import {tableCell} from './cell.js'
import {headings} from './headings.js'
import {upright} from './labelled.js'
import {fittedWidths, LEAST_WIDTH} from './table-widths.js'
import {type Column, columnFor, type Row, valueAt} from './view.js'
import {cut, padded} from './width.js'
import type {Layout, RowWriter} from './writer.js'

/** Rows that are held back so that columns can be as wide as they need; longer lists are printed in such blocks. */
const BLOCK_ROWS = 500

const GAP = '  '

/**
 * A table without borders, headed in capitals, no wider than the terminal. Where not even the beginnings of all columns
 * fit, each row is a block of lines instead, a line a column.
 */
export function tableWriter({view, fields, columns: width}: Layout): RowWriter {
  const columns: readonly Column[] = fields?.map(path => columnFor(view, path)) ?? view.columns
  const head = headings(columns)
  let waiting: string[][] = []
  let printed = 0
  let widths: readonly number[] = []
  const flush = () => {
    if (waiting.length === 0) return ''
    const rows = waiting
    waiting = []
    const isFirst = printed === 0
    printed += rows.length
    if (width !== undefined && width < leastOf(head)) return (isFirst ? '' : '\n') + blocks(head, rows, width)
    widths = fittedWidths(head, rows, width, widths)
    return [...(isFirst ? [head] : []), ...rows].map(row => lineOf(row, columns, widths)).join('')
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

function leastOf(head: readonly string[]): number {
  return head.length * (LEAST_WIDTH + GAP.length) - GAP.length
}

function blocks(head: readonly string[], rows: readonly string[][], width: number): string {
  return rows
    .map(cells =>
      upright(
        cells.map((cell, at) => [head[at] ?? '', cell] as const),
        width,
      ),
    )
    .join('\n')
}

function lineOf(cells: readonly string[], columns: readonly Column[], widths: readonly number[]): string {
  const line = cells.map((cell, at) => {
    const width = widths[at] ?? 0
    return padded(cut(cell, width), width, columns[at]?.kind === 'number')
  })
  return `${line.join(GAP).trimEnd()}\n`
}
