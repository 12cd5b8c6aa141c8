import {repairMojibake} from '../../language/encodings.js'
import type {OrderColumn} from '../draft/columns.js'
import {FORMULA_QUOTE} from './csv-rows.js'
import type {CsvRow} from './plain-rows.js'

/** A row with its intended cells; nearly all rows are unchanged. */
export function cleanRow(row: CsvRow): CsvRow {
  const {cells, start, end} = row
  if (!cells.some(isUnusual)) return row
  // There are many rows: copies of clean cells would cost time in the garbage collector.
  const isClean = cells.every(cell => cleanCell(cell) === cell)
  return {cells: isClean ? cells : cells.map(cleanCell), start, end, isUnusual: true}
}

/** Whether a cell may differ from what it shows. Called for every cell of every row. */
function isUnusual(cell: string): boolean {
  if (cell === '') return false
  const first = cell.charAt(0)
  if (" ='#[".includes(first) || cell.endsWith(' ') || NOT_PLAIN.test(cell)) return true
  return SHORTENED.test(cell) || ('ENu'.includes(first) && ERROR_VALUE.test(cell))
}

/** Everything except visible ASCII, and question marks. */
const NOT_PLAIN = /[^ ->@-~]/

/**
 * Without blanks around it, `="01069"` as its text, and without the apostrophe that keeps a spreadsheet program from
 * reading a number or a formula.
 */
function cleanCell(cell: string): string {
  const trimmed = trimCell(cell)
  if (trimmed.startsWith("'")) return PROTECTED.test(trimmed) ? trimCell(trimmed.slice(1)) : trimmed
  const [, , text] = FORMULA.exec(trimmed) ?? []
  return text === undefined ? trimmed : trimCell(text.replaceAll('""', '"'))
}

const FORMULA = new RegExp(`^=(["${FORMULA_QUOTE}])((?:[^"]|"")*)\\1$`)
const PROTECTED = /^'[\d=+\-@\t\r\n＝＋－＠]/

/** Without blanks around it, if none of them is half of a letter. */
function trimCell(text: string): string {
  const trimmed = text.trim()
  const isHalf = trimmed !== text && !isLetterWithBlank(text) && repairMojibake(text) !== undefined
  return isHalf ? text : trimmed
}

/**
 * Whether the one letter beyond ASCII stands before a no-break space at the end: it could be half of a letter, as in
 * `CittÃ `, but only `à` is one that words end in.
 */
function isLetterWithBlank(cell: string): boolean {
  return /^[ -~]*[^ -~Ã]\u00a0\s*$/.test(cell)
}

/** What is wrong with a cell, as the rest of a sentence that begins with its field; `undefined` for nothing. */
export function findDamage(cell: string, column: OrderColumn): string | undefined {
  if (column.isText && SHORTENED.test(cell)) return SHORTENED_NUMBER
  if (!isUnusual(cell)) return undefined
  const repaired = repairMojibake(cell)?.trim()
  if (repaired !== undefined) return suggest('was read with the wrong encoding', repaired)
  if (cell.includes(LOST)) return `holds U+FFFD, the sign of a character that was lost${WAY_OUT}`
  if (ERROR_VALUE.test(cell)) return `is an error value of a spreadsheet or program${WAY_OUT}`
  const [hidden] = (MAY_HIDE.test(cell) && HIDDEN.exec(cell.replace(buildPatterns().joined, ''))) || []
  if (hidden === undefined) return undefined
  const code = (hidden.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0')
  return suggest(
    `holds U+${code}, which cannot be seen`,
    cell.replace(buildPatterns().joinedOrHidden, '$1').trim(),
  )
}

function suggest(message: string, meant: string): string {
  return meant === ''
    ? message + WAY_OUT
    : `${message}; did you mean ${JSON.stringify(meant)}? If not, send the order as JSON`
}

const LOST = '\ufffd'
/** The advice after a refusal that may be wrong. */
export const WAY_OUT = '; if it is right, send the order as JSON'

/** Error values of formulas in several languages, and what programs write for no value. */
const ERROR_VALUE = new RegExp(
  '^(?:#(?:N/A|NV|N/D|N/B|NULL!|NUL!|NULO!|DIV/0!|DEEL/0!|VALUE!|WERT!|VALEUR!|VALORE!|¡VALOR!|WAARDE!|REF!|BEZUG!|' +
    '¡REF!|RIF!|VERW!|NAME\\?|NOM\\?|NOME\\?|NAAM\\?|¿NOMBRE\\?|NUM!|ZAHL!|NOMBRE!|¡NUM!|GETAL!|SPILL!|CALC!|' +
    'FIELD!|BLOCKED!|CONNECT!|UNKNOWN!|BUSY!|PYTHON!|EXTERNAL!|ERROR!|GETTING_DATA|#{3,})|Err:\\d{3}|' +
    'NULL|NaN|undefined|\\[object Object\\])$',
)

/** Letters and marks of scripts with characters that join or separate letters. */
const JOINING =
  '(?=[\\p{L}\\p{M}])[\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mand}\\p{scx=Nkoo}\\p{scx=Mong}\\p{scx=Phag}\\p{scx=Deva}' +
  '\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}' +
  '\\p{scx=Sinh}\\p{scx=Mymr}\\p{scx=Khmr}\\p{scx=Tibt}\\p{scx=Adlm}\\p{scx=Rohg}]'

/**
 * Invisible characters that are correct: between such letters, after a virama (also at the end of words), in emoji, and
 * in the flags of regions.
 *
 * @see https://www.unicode.org/reports/tr31/#Layout_and_Format_Control_Characters
 */
const JOINED =
  `(?<=${JOINING})[\\u200c\\u200d\\u180e](?=${JOINING})|` +
  '(?<=[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca])[\\u200c\\u200d]|' +
  '(?<=[\\p{ExtPict}\\p{EMod}\\ufe0f])\\u200d(?=\\p{ExtPict})|' +
  '(?<=\\u{1f3f4})[\\u{e0020}-\\u{e007e}]+\\u{e007f}'

/**
 * Control characters except tabs and line breaks, and invisible ones. Signs that Arabic and other scripts put below
 * numbers are of the same class, but visible.
 */
const HIDDEN =
  /(?![\t\n\r\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u3164\uffa0]/u

/** Everything except Latin letters and signs, of which only the soft hyphen is invisible. */
const MAY_HIDE = /[^ -~\u00a1-\u00ac\u00ae-\u024f]/

let patterns: {readonly joined: RegExp; readonly joinedOrHidden: RegExp} | undefined

/** Built for the first cell that needs them: that takes 10 ms, and most files have no such cell. */
function buildPatterns() {
  patterns ??= {
    joined: new RegExp(JOINED, 'gu'),
    joinedOrHidden: new RegExp(`(${JOINED})|${HIDDEN.source}`, 'gu'),
  }
  return patterns
}

/**
 * How spreadsheet programs change a long number, or a code that looks like one (`12E5`): `1E+05`, `1.23457E+12`,
 * `1,5E+15`; with a minus only as programs write it, as `7E-12` may be an article. The original is lost.
 */
const SHORTENED = /^-?\d(?:[.,]\d+)?E\+\d{2,3}$|^-?\d[.,]\d+E-\d{2,3}$/i
const SHORTENED_NUMBER = 'was shortened by a spreadsheet; format the column as text and enter it again'
