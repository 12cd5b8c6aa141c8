const BEYOND_ASCII = /[\u0080-\uffff]/

/** Accents, points and voicing marks; vowel signs of Indic and Thai scripts are letters and stay. */
const MARK_RANGES = [
  '\\u0300-\\u036f',
  '\\u0483-\\u0489',
  '\\u0591-\\u05c7',
  '\\u0610-\\u061a',
  '\\u064b-\\u065f',
  '\\u0670',
  '\\u1ab0-\\u1aff',
  '\\u1dc0-\\u1dff',
  '\\u20d0-\\u20ff',
  '\\u3099\\u309a',
  '\\ufe20-\\ufe2f',
]
const MARKS = new RegExp(`[${MARK_RANGES.join('')}]+`, 'g')

/** Letters equal to others, but that Unicode does not decompose; those with a stroke are letters of their own. */
const WRITTEN_OUT: Readonly<Record<string, string>> = {ß: 'ss', œ: 'oe', ς: 'σ'}
const WRITTEN_OUT_LETTERS = new RegExp(`[${Object.keys(WRITTEN_OUT).join('')}]`, 'g')

/** Cyrillic letters that are not variants of another letter. */
const OWN_LETTERS = 'ѓїќўйѷӑӓӗӛӝӟӥӧӫӭӱӳӵӹ'
const BETWEEN_OWN_LETTERS = new RegExp(`[^${OWN_LETTERS}]+`, 'g')
const HAS_OWN_LETTER = new RegExp(`[${OWN_LETTERS}]`)

/**
 * Text as the shop compares it: without case, accents and trailing spaces. It is stored beside the text, so that both
 * engines compare in the same way and by index.
 *
 * @see protocol.md §6.3, case and accents
 */
export function fold(text: string): string {
  const folded = foldInside(text)
  return folded.endsWith(' ') ? folded.replace(/(?<! ) +$/, '') : folded
}

/** The same for a part of a text, whose trailing spaces do matter. */
export function foldInside(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase()
  const lower = text.toLowerCase()
  if (!/[\u0400-\u052f]/.test(lower)) return removeMarks(lower)
  const composed = lower.normalize('NFC')
  return HAS_OWN_LETTER.test(composed)
    ? composed.replace(BETWEEN_OWN_LETTERS, part => removeMarks(part))
    : removeMarks(composed)
}

function removeMarks(lower: string): string {
  return lower
    .normalize('NFKD')
    .replace(MARKS, '')
    .toLowerCase()
    .replace(WRITTEN_OUT_LETTERS, letter => WRITTEN_OUT[letter] as string)
    .normalize('NFC')
}
