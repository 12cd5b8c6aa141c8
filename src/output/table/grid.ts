import Table from 'cli-table3'
import stringWidth from 'string-width'

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
  /** Colours a cell that has been cut; adds no width. */
  readonly paint?: ((text: string) => string) | undefined
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
    columns.map(({width, paint = keepText}, at) =>
      rows.map(cells => paint(isolateDirection(cut(cells[at] ?? '', width)))).join('\n'),
    ),
  )
  return table
    .toString()
    .split('\n')
    .map(line => `${line.trimEnd()}\n`)
    .join('')
}

function keepText(text: string): string {
  return text
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
 * @param whole columns that keep their width
 */
export function fitWidths(
  rows: readonly (readonly string[])[],
  limit: number | undefined,
  before: readonly number[],
  whole: ReadonlySet<number> = new Set(),
): number[] {
  const widths = (rows[0] ?? []).map((_, at) =>
    rows.reduce((widest, cells) => Math.max(widest, measureWidth(cells[at] ?? '')), before[at] ?? 0),
  )
  if (limit === undefined) return widths
  let excess = widths.reduce((sum, each) => sum + each + GAP.length, -GAP.length) - limit
  while (excess > 0) {
    const flexible = widths.map((each, at) => (whole.has(at) ? 0 : each))
    const widest = Math.max(...flexible)
    if (widest <= LEAST_WIDTH) break
    const [second = LEAST_WIDTH] = flexible.filter(each => each < widest).sort((a, b) => b - a)
    const at = flexible.indexOf(widest)
    const isAlone = flexible.lastIndexOf(widest) === at
    // Alone it can go down to the next one at once; a name of ten thousand letters would take as many steps.
    const step = isAlone ? Math.max(1, Math.min(excess, widest - Math.max(second, LEAST_WIDTH))) : 1
    widths[at] = widest - step
    excess -= step
  }
  return widths
}

/** What is as wide as it is long; all else has to be measured. */
const PLAIN = /^[\u0020-\u007e]*$/

const ELLIPSIS = '…'

/** Letters that are written from right to left. */
const FROM_RIGHT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}\u200e\u200f]/u

/** First strong isolate and pop directional isolate: what stands between them leaves its neighbours where they are. */
const ISOLATE = ['\u2068', '\u2069'] as const

/** Columns that a text takes on a terminal: two for wide characters, none for combining ones. */
export function measureWidth(text: string): number {
  return PLAIN.test(text) ? text.length : stringWidth(text)
}

/**
 * The text where it fits, else its beginning and `…`; a character is never cut apart. What lies beyond is not looked at,
 * however long it is.
 */
export function cut(text: string, width: number): string {
  if (PLAIN.test(text))
    return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}${ELLIPSIS}`
  let taken = 0
  let kept = 0
  for (const {segment, index} of new Intl.Segmenter().segment(text)) {
    if (taken < width) kept = index
    taken += measureWidth(segment)
    if (taken > width) return `${text.slice(0, kept)}${ELLIPSIS}`
  }
  return text
}

/** The text in pieces of at most so many columns; a character that is wider stands alone. */
export function splitByWidth(text: string, width: number): string[] {
  const found: string[] = []
  let piece = ''
  let taken = 0
  for (const {segment} of new Intl.Segmenter().segment(text)) {
    const wide = measureWidth(segment)
    if (taken + wide > width && piece !== '') {
      found.push(piece)
      piece = ''
      taken = 0
    }
    piece += segment
    taken += wide
  }
  return piece === '' ? found : [...found, piece]
}

/** The text between marks that keep its direction to itself, where it has letters of the other one. */
export function isolateDirection(text: string): string {
  return FROM_RIGHT.test(text) ? ISOLATE.join(text) : text
}
