import {escapeControls} from '../../../output/escape-controls.js'
import {cut, fitWidths, measureWidth, splitByWidth} from '../../../output/table/grid.js'

/** How lines are emphasized; without colour, not at all. */
export interface LineStyle {
  readonly hasColor: boolean
}

/** Text that fits a line of the terminal; the last column stays free, so that nothing wraps. */
export function fitLine(text: string, columns: number): string {
  return cut(escapeControls(text), columns - 1).trimEnd()
}

/** Words on as many lines as they need, none of them cut. @param indent columns before each line but the first */
export function wrapWords(text: string, columns: number, indent = 0): string[] {
  const lines: string[] = []
  const margin = ' '.repeat(Math.min(indent, Math.trunc(columns / 2)))
  let line = ''
  for (const word of escapeControls(text).split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line.trim() !== '' && measureWidth(longer) >= columns) {
      lines.push(line)
      line = `${margin}${word}`
    } else line = longer
  }
  return [...lines, line].flatMap(each => splitByWidth(each, columns - 1))
}

/** Text on as many lines as it needs: text to copy is never cut. */
export function wrapLine(text: string, columns: number): string[] {
  return splitByWidth(escapeControls(text), columns - 1)
}

/** `11-21 12:00`, UTC. @param iso UTC, ISO 8601 */
export function formatMoment(iso: string): string {
  return `${iso.slice(5, 10)} ${iso.slice(11, 16)}`
}

/** A line with text at its right end, if both fit. */
export function joinEnds(left: string, right: string, columns: number): string {
  const gap = columns - 1 - measureWidth(left) - measureWidth(right)
  return gap < 2 ? fitLine(left, columns) : `${left}${' '.repeat(gap)}${right}`
}

/** The prefix of a row: the cursor and the mark. */
export const MARGIN = ' '.repeat(6)

/** A column of a list on the screen. */
export interface ListColumn<Row> {
  readonly heading: string
  readonly isRight?: boolean
  /** Whether it stays if all rows have the same value in it. */
  readonly isFixed?: boolean
  read(row: Row): string
}

/**
 * Rows below each other, without columns in which all rows read so far have the same value.
 *
 * @param read all rows read so far, so that columns stay while a person pages through them
 * @param shown the visible rows
 * @param width of the terminal; the widest column shrinks
 * @returns `common`: the values of the columns left out, `status failed, type capture completed`
 */
export function layOutRows<Row>(
  columns: readonly ListColumn<Row>[],
  {read, shown}: {readonly read: readonly Row[]; readonly shown: readonly Row[]},
  width: number,
): {readonly heading: string; readonly rows: readonly string[]; readonly common: string} {
  const isCommon = (column: ListColumn<Row>) => {
    const [first, ...others] = read.map(row => column.read(row))
    return !column.isFixed && others.length > 0 && others.every(other => other === first)
  }
  const [first] = read
  const common = columns.filter(isCommon)
  const left = columns.filter(column => !common.includes(column))
  const cells = [left.map(({heading}) => heading), ...shown.map(row => left.map(column => column.read(row)))]
  const [heading = '', ...rows] = alignCells(
    cells.map(row => row.map(escapeControls)),
    new Set(left.flatMap(({isRight}, at) => (isRight ? [at] : []))),
    width,
  )
  const named = common.flatMap(column => {
    const value = first && column.read(first)
    return value ? [`${column.heading.toLowerCase()} ${value}`] : []
  })
  return {heading, rows, common: named.join(', ')}
}

/** As many hints as fit before those always shown. @param hints two blanks apart, the most useful first */
export function fitHints(hints: string, always: string, columns: number): string {
  const fitting: string[] = []
  for (const hint of hints.split('  ')) {
    if ([...fitting, hint, always].join('  ').length >= columns) break
    fitting.push(hint)
  }
  return [...fitting, always].join('  ')
}

/** Cells below each other, each column as wide as its widest cell. @param right right-aligned columns */
export function alignCells(
  rows: readonly (readonly string[])[],
  right: ReadonlySet<number>,
  limit?: number,
): string[] {
  const widths = fitWidths(rows, limit, [])
  return rows.map(row =>
    row
      .map((cell, index) => {
        const text = cut(cell, widths[index] ?? 0)
        const space = ' '.repeat((widths[index] ?? 0) - measureWidth(text))
        return right.has(index) ? space + text : text + space
      })
      .join('  ')
      .trimEnd(),
  )
}

/** Lines beside each other, the left ones padded to their width. @param style of each left line, once padded */
export function joinSides(
  left: readonly string[],
  right: readonly string[],
  {width, paint}: {readonly width: number; readonly paint: (text: string, index: number) => string},
): string[] {
  return Array.from({length: Math.max(left.length, right.length)}, (_, index) => {
    const text = left[index] ?? ''
    const filled = text + ' '.repeat(Math.max(0, width - measureWidth(text)))
    return `${paint(filled, index)} \u2502 ${right[index] ?? ''}`.trimEnd()
  })
}

/** Bold, dim or inverse, if the terminal can show it. */
export function highlight(text: string, how: 'bold' | 'dim' | 'inverse', {hasColor}: LineStyle): string {
  if (!hasColor || text === '') return text
  const [on, off] = {bold: [1, 22], dim: [2, 22], inverse: [7, 27]}[how]
  return `\u001b[${on}m${text}\u001b[${off}m`
}
