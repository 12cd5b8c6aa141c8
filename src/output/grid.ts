import Table from 'cli-table3'
import {cut, isolateDirection, measureWidth} from './text-width.js'

/** A column is never made narrower, so that something of each value is seen. */
const LEAST_WIDTH = 4

/** What stands between two columns. */
export const GAP = '  '

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
  middle: GAP,
  right: '',
  'right-mid': '',
}

const NO_PADDING = {'padding-left': 0, 'padding-right': 0, head: [], border: []}

/** A column of a grid: its width on the terminal, and the side that its values stand at. */
export interface GridColumn {
  readonly width: number
  readonly align: 'left' | 'right'
}

/**
 * Rows of one-line cells as lines, each ending with a line feed. What is wider than its column is cut; what runs from
 * right to left is kept to its cell.
 *
 * A column is laid out as a single cell of many lines: cli-table3 compares each cell of a table with every other one.
 */
export function renderGrid(rows: readonly (readonly string[])[], columns: readonly GridColumn[]): string {
  const table = new Table({
    chars: NO_BORDERS,
    style: NO_PADDING,
    colWidths: columns.map(({width}) => width),
    colAligns: columns.map(({align}) => align),
  })
  table.push(
    columns.map(({width}, at) => rows.map(cells => isolateDirection(cut(cells[at] ?? '', width))).join('\n')),
  )
  return table
    .toString()
    .split('\n')
    .map(line => `${line.trimEnd()}\n`)
    .join('')
}

/** Columns of the terminal that so many columns of a table need at least. */
export function computeLeastWidth(count: number): number {
  return count * (LEAST_WIDTH + GAP.length) - GAP.length
}

/**
 * Column widths that fit the terminal: the widest gives way first, none goes below 4.
 *
 * @param limit columns of the terminal, `undefined` for unlimited
 * @param before widths of the rows above, so that columns stay where they are as long as they can
 */
export function fitWidths(
  rows: readonly (readonly string[])[],
  limit: number | undefined,
  before: readonly number[],
): number[] {
  const widths = (rows[0] ?? []).map((_, at) =>
    rows.reduce((widest, cells) => Math.max(widest, measureWidth(cells[at] ?? '')), before[at] ?? 0),
  )
  if (limit === undefined) return widths
  let excess = widths.reduce((sum, each) => sum + each + GAP.length, -GAP.length) - limit
  while (excess > 0) {
    const widest = Math.max(...widths)
    if (widest <= LEAST_WIDTH) break
    const [second = LEAST_WIDTH] = widths.filter(each => each < widest).sort((a, b) => b - a)
    const at = widths.indexOf(widest)
    const isAlone = widths.lastIndexOf(widest) === at
    // Alone it can go down to the next one at once; a name of ten thousand letters would take as many steps.
    const step = isAlone ? Math.max(1, Math.min(excess, widest - Math.max(second, LEAST_WIDTH))) : 1
    widths[at] = widest - step
    excess -= step
  }
  return widths
}
