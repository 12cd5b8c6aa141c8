import {escapeControls} from '../../../output/escape-controls.js'
import {cut, measureWidth, splitByWidth} from '../../../output/table/grid.js'

/** How lines are emphasized; without colour nothing is. */
export interface LineStyle {
  readonly hasColor: boolean
}

/** Text that fits a line of the terminal; the last column stays free, so that nothing wraps. */
export function fitLine(text: string, columns: number): string {
  return cut(escapeControls(text), columns - 1).trimEnd()
}

/** Words on as many lines as they need. */
export function wrapWords(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of escapeControls(text).split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && measureWidth(longer) >= columns) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line].map(each => cut(each, columns - 1))
}

/** Text on as many lines as it needs: what is copied is never cut. */
export function wrapLine(text: string, columns: number): string[] {
  return splitByWidth(escapeControls(text), columns - 1)
}

/** `11-21 12:00`, UTC. @param iso UTC, ISO 8601 */
export function formatMoment(iso: string): string {
  return `${iso.slice(5, 10)} ${iso.slice(11, 16)}`
}

/** A line with something at its right end, where both fit. */
export function joinEnds(left: string, right: string, columns: number): string {
  const gap = columns - 1 - measureWidth(left) - measureWidth(right)
  return gap < 2 ? fitLine(left, columns) : `${left}${' '.repeat(gap)}${right}`
}

/** Cells below each other, each column as wide as its widest cell. @param right columns that are aligned to the right */
export function alignCells(rows: readonly (readonly string[])[], right: ReadonlySet<number>): string[] {
  const widths: number[] = []
  for (const row of rows)
    for (const [index, cell] of row.entries())
      widths[index] = Math.max(widths[index] ?? 0, measureWidth(cell))
  return rows.map(row =>
    row
      .map((cell, index) => {
        const space = ' '.repeat((widths[index] ?? 0) - measureWidth(cell))
        return right.has(index) ? space + cell : cell + space
      })
      .join('  ')
      .trimEnd(),
  )
}

/** Bold, dim or inverse, where the terminal may show it. */
export function highlight(text: string, how: 'bold' | 'dim' | 'inverse', {hasColor}: LineStyle): string {
  if (!hasColor || text === '') return text
  const [on, off] = {bold: [1, 22], dim: [2, 22], inverse: [7, 27]}[how]
  return `\u001b[${on}m${text}\u001b[${off}m`
}
