import {tableCell} from './cell.js'
import {fittedWidths, LEAST_WIDTH} from './table-widths.js'
import {type Column, columnFor, type Row, valueAt} from './view.js'
import {visible} from './visible.js'
import {cut, padded, pieces, widthOf} from './width.js'
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
  const head = columns.map(column => column.header ?? heading(column.path))
  let waiting: string[][] = []
  let printed = 0
  let widths: readonly number[] = []
  const flush = () => {
    if (waiting.length === 0) return ''
    const rows = waiting
    waiting = []
    const isFirst = printed === 0
    printed += rows.length
    if (width !== undefined && width < leastOf(head)) return upright(head, rows, width, isFirst)
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

function lineOf(cells: readonly string[], columns: readonly Column[], widths: readonly number[]): string {
  const line = cells.map((cell, at) => {
    const width = widths[at] ?? 0
    return padded(cut(cell, width), width, columns[at]?.kind === 'number')
  })
  return `${line.join(GAP).trimEnd()}\n`
}

/** Every value in full: on the line of its heading, or below it in as many as it takes. */
function upright(
  head: readonly string[],
  rows: readonly string[][],
  width: number,
  isFirst: boolean,
): string {
  const block = (cells: readonly string[]) =>
    cells.map((cell, at) => {
      const line = `${cut(head[at] ?? '', width)}${GAP}${cell}`.trimEnd()
      if (widthOf(line) <= width) return `${line}\n`
      const below = pieces(cell, Math.max(1, width - GAP.length)).map(piece => `${GAP}${piece}\n`)
      return `${cut(head[at] ?? '', width)}\n${below.join('')}`
    })
  return (isFirst ? '' : '\n') + rows.map(cells => block(cells).join('')).join('\n')
}

function heading(path: string): string {
  const [name = path] = path.split('.').slice(-1)
  return visible(name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toUpperCase())
}
