import {formatTableCell} from '../cell.js'
import {escapeControls} from '../escape-controls.js'
import type {Layout} from '../layout.js'
import {type Column, findColumn, type Row, readValueAt, type View} from '../view.js'
import {computeLeastWidth, GAP, measureWidth} from './grid.js'

/** A column with more than this shows at least so much of each value. */
const READABLE_WIDTH = 20

/** The columns that were asked for, or those of the view. */
export function selectLayoutColumns({view, fields}: Pick<Layout, 'view' | 'fields'>): readonly Column[] {
  return fields?.map(path => findColumn(view, path)) ?? view.columns
}

/** The cells of a row. */
export function formatCells(row: Row, columns: readonly Column[], now: Date | undefined): string[] {
  return columns.map(column => formatTableCell(readValueAt(row, column.path), column, now))
}

/** Whether people copy what a column holds, so that a table shows it whole or not at all. */
export const isCopied = ({path, kind}: Column, {id}: Pick<View, 'id'>): boolean =>
  path === id || kind === 'command'

/**
 * The columns of a view that a table shows: none that is empty in all of the rows, and as many as have room, those of
 * the lowest priority first; the id always, unless it has a priority of its own. All that are not empty where a table has no room, so that each row is a block
 * of lines.
 *
 * @param rows their cells, with the heading of each column first
 * @returns positions in the view, ascending
 */
export function chooseColumns(
  columns: readonly Column[],
  view: Pick<View, 'id'>,
  [head = [], ...rows]: readonly (readonly string[])[],
  limit = Number.POSITIVE_INFINITY,
): number[] {
  const rank = (at: number) => columns[at]?.priority ?? (columns[at]?.path === view.id ? -1 : at)
  const filled = columns.map((_, at) => at).filter(at => rows.some(cells => cells[at] !== ''))
  const measure = (at: number) =>
    [head, ...rows].reduce((widest, cells) => Math.max(widest, measureWidth(cells[at] ?? '')), 0)
  const chosen: number[] = []
  let width = -GAP.length
  for (const at of filled.sort((a, b) => rank(a) - rank(b))) {
    const whole = measure(at)
    const least =
      GAP.length + (isCopied(columns[at] as Column, view) ? whole : Math.min(whole, READABLE_WIDTH))
    if (chosen.length > 0 && width + least > limit) continue
    chosen.push(at)
    width += least
  }
  const isTooNarrow = limit < computeLeastWidth(filled.length) || chosen.length === 1
  return (isTooNarrow ? filled : chosen).sort((a, b) => a - b)
}

/** Whether a table of these columns fits beside those that are never cut. @param whole the widths of these */
export function hasRoom(count: number, whole: readonly number[], limit: number | undefined): boolean {
  if (limit === undefined) return true
  const others = count - whole.length
  const least = whole.reduce((sum, width) => sum + GAP.length + width, -GAP.length)
  return limit >= least + (others > 0 ? GAP.length + computeLeastWidth(others) : 0)
}

/**
 * The heading of each column: its own, or the last part of its path. Where that is another column's as well, as many
 * parts before it as tell them apart.
 *
 * @param showsAges whether times are shown by their age
 */
export function buildHeadings(columns: readonly Column[], showsAges: boolean): string[] {
  const titles = columns.map(() => '')
  const format = (at: number, parts: number) => formatHeading(columns[at] as Column, parts, showsAges)
  let parts = 0
  for (let open = columns.map((_, at) => at); open.length > 0; parts++) {
    for (const at of open) titles[at] = format(at, parts + 1)
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

function formatHeading({header, ageHeader, path}: Column, parts: number, showsAges: boolean): string {
  if (showsAges && ageHeader !== undefined) return ageHeader
  if (header !== undefined) return header
  const words = path.split('.').slice(-parts).join(' ')
  return escapeControls((words || path).replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toUpperCase())
}
