import {formatTableCell} from './cell.js'
import {escapeControls} from './escape-controls.js'
import {
  computeLeastWidth,
  fitWidths,
  GAP,
  isolateDirection,
  measureWidth,
  renderGrid,
  splitByWidth,
} from './grid.js'
import type {Layout, RowWriter} from './layout.js'
import {type Column, findColumn, type Row, readValueAt} from './view.js'

/** Rows that are held back so that columns can be as wide as they need; longer lists are printed in such blocks. */
const BLOCK_ROWS = 500

/** Values stay beside their labels while at least so many columns of the terminal are left for them. */
const LEAST_BESIDE = 20

/** A name and a value, free of what a terminal would obey. */
type Labelled = readonly [label: string, value: string]

/**
 * A table without borders, headed in capitals, no wider than the terminal. Where not even the beginnings of all columns
 * fit, each row is a block of lines instead, a line a column.
 */
export function createTableWriter(layout: Layout): RowWriter {
  const {columns: limit} = layout
  const columns = selectColumns(layout)
  const head = buildHeadings(columns)
  let waiting: string[][] = []
  let printed = 0
  let widths: readonly number[] = []
  const render = (rows: readonly string[][]): string => {
    if (limit !== undefined && limit < computeLeastWidth(head.length)) {
      return (printed === 0 ? '' : '\n') + renderBlocks(head, rows, limit)
    }
    widths = fitWidths([head, ...rows], limit, widths)
    const placed = columns.map(
      ({kind}, at) => ({width: widths[at] ?? 0, align: kind === 'number' ? 'right' : 'left'}) as const,
    )
    return renderGrid(printed === 0 ? [head, ...rows] : rows, placed)
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
      waiting.push(columns.map(column => formatTableCell(readValueAt(row, column.path), column)))
      return waiting.length >= BLOCK_ROWS ? flush() : ''
    },
    pause: flush,
    end: flush,
  }
}

/** One record as `path  value` lines, the values aligned where the terminal is wide enough. */
export function renderRecord(record: Row, layout: Layout): string {
  const values = selectColumns(layout).map(
    column =>
      [escapeControls(column.path), formatTableCell(readValueAt(record, column.path), column)] as const,
  )
  return renderAligned(values, layout.columns)
}

function selectColumns({view, fields}: Layout): readonly Column[] {
  return fields?.map(path => findColumn(view, path)) ?? view.columns
}

/**
 * The heading of each column: its own, or the last part of its path. Where that is another column's as well, as many
 * parts before it as tell them apart.
 */
function buildHeadings(columns: readonly Column[]): string[] {
  const titles = columns.map(() => '')
  let parts = 0
  for (let open = columns.map((_, at) => at); open.length > 0; parts++) {
    for (const at of open) titles[at] = formatHeading(columns[at] as Column, parts + 1)
    open = open.filter(at => canSayMore(columns[at] as Column, parts + 1) && isShared(titles, at))
  }
  return titles
}

function isShared(titles: readonly string[], at: number): boolean {
  return titles.some((title, other) => other !== at && title === titles[at])
}

function canSayMore({header, path}: Column, parts: number): boolean {
  return header === undefined && path.split('.').length > parts
}

function formatHeading({header, path}: Column, parts: number): string {
  if (header !== undefined) return header
  const words = path.split('.').slice(-parts).join(' ')
  return escapeControls((words || path).replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toUpperCase())
}

function renderBlocks(head: readonly string[], rows: readonly string[][], limit: number): string {
  return rows
    .map(cells => {
      const values = cells.map((cell, at) => [head[at] ?? '', cell] as const)
      return renderUpright(values, limit)
    })
    .join('\n')
}

/**
 * Values in full beside their labels, no wider than the terminal. What is too long for its line continues below.
 *
 * @param limit columns of the terminal, `undefined` for unlimited
 */
function renderAligned(values: readonly Labelled[], limit = Number.POSITIVE_INFINITY): string {
  const beside = Math.max(0, ...values.map(([label]) => measureWidth(label)))
  const left = limit - beside - GAP.length
  if (left < LEAST_BESIDE) return renderUpright(values, limit)
  const rows = values.flatMap(([label, value]) =>
    wrapLines(value, left).map((line, at) => [at === 0 ? label : '', line]),
  )
  const widths = fitWidths(rows, undefined, [])
  return renderGrid(
    rows,
    widths.map(width => ({width, align: 'left'})),
  )
}

/** The same without columns, for the narrowest of terminals: a value that does not fit stands below its label. */
function renderUpright(values: readonly Labelled[], limit: number): string {
  return values
    .map(([label, value]) => {
      if (measureWidth(label) + GAP.length + measureWidth(value) <= limit) {
        return `${isolateDirection(label)}${GAP}${isolateDirection(value)}`.trimEnd().concat('\n')
      }
      const below = value === '' ? [] : wrapLines(value, limit - GAP.length)
      return [
        ...wrapLines(label, limit).map(line => `${isolateDirection(line)}\n`),
        ...below.map(line => `${GAP}${isolateDirection(line)}\n`),
      ].join('')
    })
    .join('')
}

/** At least one line. */
function wrapLines(text: string, width: number): string[] {
  const all = Number.isFinite(width) ? splitByWidth(text, Math.max(1, width)) : [text]
  return all.length === 0 ? [''] : all
}
