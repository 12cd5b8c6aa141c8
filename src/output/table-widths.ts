import {widthOf} from './width.js'

/** A column is never made narrower, so that something of each value is seen. */
export const LEAST_WIDTH = 4

/** Columns that a gap takes. */
const GAP = 2

/**
 * Column widths that fit the terminal: the widest gives way first, none goes below 4.
 *
 * @param width `undefined` for unlimited
 * @param before those of the rows above, so that columns stay where they are as long as they can
 */
export function fittedWidths(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  width: number | undefined,
  before: readonly number[],
): number[] {
  const widths = head.map((title, at) => {
    let widest = Math.max(widthOf(title), before[at] ?? 0)
    for (const row of rows) widest = Math.max(widest, widthOf(row[at] ?? ''))
    return widest
  })
  if (width === undefined) return widths
  let over = widths.reduce((sum, each) => sum + each + GAP, -GAP) - width
  while (over > 0) {
    const widest = Math.max(...widths)
    if (widest <= LEAST_WIDTH) break
    const [second = LEAST_WIDTH] = widths.filter(each => each < widest).sort((a, b) => b - a)
    const at = widths.indexOf(widest)
    const isAlone = widths.lastIndexOf(widest) === at
    // Alone it can go down to the next one at once; a name of ten thousand letters would take as many steps.
    const step = isAlone ? Math.max(1, Math.min(over, widest - Math.max(second, LEAST_WIDTH))) : 1
    widths[at] = widest - step
    over -= step
  }
  return widths
}
