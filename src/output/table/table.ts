import type {Layout, RowWriter} from '../layout.js'
import type {Column, Row} from '../view.js'
import {fitWidths, measureWidth, renderGrid} from './grid.js'
import {type Labelled, renderUpright, wrapLines} from './labelled-lines.js'
import {dim, findPaint} from './paint.js'
import {
  buildHeadings,
  chooseColumns,
  formatCells,
  hasRoom,
  isCopied,
  selectLayoutColumns,
} from './table-columns.js'

/** Rows that are held back so that columns can be as wide as they need; longer lists are printed in such blocks. */
const BLOCK_ROWS = 500

/**
 * A table without borders, headed in capitals, no wider than the terminal. The first rows decide which columns of the
 * view are shown; columns that `--fields` names all are. Where not even the beginnings of all columns fit, or the id
 * does not, each row is a block of lines instead, a line a column.
 */
export function createTableWriter(layout: Layout): RowWriter {
  const {columns: limit, forEyes, fields, view} = layout
  const all = selectLayoutColumns(layout)
  const titles = buildHeadings(all, forEyes?.now !== undefined)
  let shown: readonly number[] | undefined
  let waiting: string[][] = []
  let printed = 0
  let widths: readonly number[] = []
  const render = (cells: readonly string[][]): string => {
    shown ??= fields ? all.map((_, at) => at) : chooseColumns(all, view, [titles, ...cells], limit)
    const pick = (row: readonly string[]) => (shown ?? []).map(at => row[at] ?? '')
    const columns = shown.map(at => all[at] as Column)
    const [head, rows] = [pick(titles), cells.map(pick)]
    const copied = columns.flatMap((column, at) => (isCopied(column, view) ? [at] : []))
    const whole = copied.map(at => Math.max(0, ...rows.map(row => measureWidth(row[at] ?? ''))))
    if (!hasRoom(columns.length, whole, limit))
      return (printed === 0 ? '' : '\n') + renderBlocks(head, rows, {limit: limit ?? 0, copied})
    widths = fitWidths([head, ...rows], limit, widths, new Set(copied))
    const prose = columns.flatMap(({isProse}, at) => (isProse ? [at] : []))
    const lines = rows.flatMap(row => wrapProse(row, prose, widths))
    const placed = columns.map(({kind, path}, at) => ({
      width: widths[at] ?? 0,
      align: kind === 'number' || kind === 'money' ? ('right' as const) : ('left' as const),
      paint: forEyes?.hasColor ? findPaint(path) : undefined,
    }))
    const heading = printed === 0 ? renderGrid([head], placed) : ''
    return (
      (forEyes?.hasColor && heading ? `${dim(heading.trimEnd())}\n` : heading) + renderGrid(lines, placed)
    )
  }
  const flush = () => {
    if (waiting.length === 0) return ''
    const text = render(waiting)
    printed += waiting.length
    waiting = []
    return text
  }
  return {
    begin: () => '',
    formatRow: (row: Row) => {
      waiting.push(formatCells(row, all, forEyes?.now))
      return waiting.length >= BLOCK_ROWS ? flush() : ''
    },
    pause: flush,
    end: flush,
  }
}

/** A row as several, where prose of it needs more than one line. @param prose positions of its cells */
function wrapProse(row: readonly string[], prose: readonly number[], widths: readonly number[]): string[][] {
  const wrapped = new Map(prose.map(at => [at, wrapLines(row[at] ?? '', widths[at] ?? 0)]))
  const count = Math.max(1, ...[...wrapped.values()].map(lines => lines.length))
  return Array.from({length: count}, (_, line) =>
    row.map((cell, at) => wrapped.get(at)?.[line] ?? (line === 0 && !wrapped.has(at) ? cell : '')),
  )
}

/** What people copy is never broken. */
function renderBlocks(
  head: readonly string[],
  rows: readonly string[][],
  {limit, copied}: {readonly limit: number; readonly copied: readonly number[]},
): string {
  return rows
    .map(cells => {
      const values = cells.map((cell, at): Labelled => [head[at] ?? '', cell, !copied.includes(at)])
      return renderUpright(values, limit)
    })
    .join('\n')
}
