/** `1E+05`, `1.23457E+12`, `1,5E+15`; with a minus only as programs write it, as `7E-12` may be an article. */
const SHORTENED = /^-?\d(?:[.,]\d+)?E\+\d{2,3}$|^-?\d[.,]\d+E-\d{2,3}$/i
const PLUS = 0x2b
const MINUS = 0x2d
const DIGIT_0 = 0x30
const DIGIT_9 = 0x39

/** What is said of a cell that was text once, and a number on its way. */
export const SHORTENED_NUMBER =
  'is a number that a spreadsheet program has shortened; make the column text there, and enter it again'

/**
 * Whether a text is what spreadsheet programs make of a long number, or of a code that looks like one (`12E5`): what
 * stood there is lost.
 */
export function isShortenedNumber(cell: string): boolean {
  // Asked for every cell of every row: it ends in a digit, and the sign of the exponent stands in one of two places.
  const {length} = cell
  const last = cell.charCodeAt(length - 1)
  if (length < 5 || last < DIGIT_0 || last > DIGIT_9) return false
  return (isSign(cell.charCodeAt(length - 3)) || isSign(cell.charCodeAt(length - 4))) && SHORTENED.test(cell)
}

function isSign(code: number): boolean {
  return code === PLUS || code === MINUS
}
