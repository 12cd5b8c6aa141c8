import stringWidth from 'string-width'

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
