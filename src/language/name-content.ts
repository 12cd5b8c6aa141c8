import {createUsageError} from '../errors.js'

/** The kind of an input that is not text with records. */
export interface OtherContent {
  /** `a PDF document`. */
  readonly words: string
  /** What to do instead, a sentence. */
  readonly advice: string
}

const SAVE = 'Save it as "CSV UTF-8" and use that file.'
const UNPACK = 'Unpack it and use the file inside.'

/** First bytes in hex, and the kind of file. */
const SIGNATURES: readonly (readonly [RegExp, string, string])[] = [
  [/^25504446/, 'a PDF document', 'Export what it shows as CSV or JSON.'],
  [/^d0cf11e0a1b11ae1/, 'a spreadsheet (xls)', SAVE],
  [/^504b030[46]|^504b0506/, 'a zip archive', UNPACK],
  [/^425a683[1-9](?:314159265359|177245385090)/, 'a bzip2 archive', UNPACK],
  [/^28b52ffd/, 'a Zstandard archive', UNPACK],
  [/^fd377a585a00/, 'an xz archive', UNPACK],
  [/^377abcaf271c/, 'a 7-Zip archive', UNPACK],
  [/^526172211a07/, 'a RAR archive', UNPACK],
]

/** The first file of a zip archive, or the name of the archive, by the program that packs it. */
const PACKED: readonly (readonly [RegExp, RegExp, string])[] = [
  [/^mimetypeapplication\/vnd\.oasis/, /\.ods$/i, 'a spreadsheet (ods)'],
  [/^Index\//, /\.numbers$/i, 'a spreadsheet (numbers)'],
  [/^(?:\[Content_Types\]\.xml|_rels\/|docProps\/|xl\/)/, /\.xls[xmb]$/i, 'a spreadsheet (xlsx)'],
]

const PAGE =
  /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*>\s*)*<(?:!doctype\s+html|html|head|body|title|meta|script|style|div|center|br|h1)\b/i

/** Far behind the beginning of a web page. */
const PAGE_BYTES = 2048

/** Whether bytes begin as a web page does, in any encoding. */
export function isWebPage(beginning: Buffer): boolean {
  return PAGE.test(beginning.toString('latin1', 0, PAGE_BYTES).replaceAll('\0', ''))
}

const WEB_PAGE: OtherContent = {
  words: 'a web page (HTML): a sign-in or an error page',
  advice: 'Sign in and download the file again.',
}

/**
 * The kind of an input that storectl does not read.
 *
 * @param beginning of the input, unpacked where it was gzip
 * @param name of the input
 */
export function nameContent(beginning: Buffer, name: string): OtherContent | undefined {
  const magic = beginning.toString('hex', 0, 10)
  const [, words, advice] = SIGNATURES.find(([pattern]) => pattern.test(magic)) ?? []
  if (words === undefined || advice === undefined) return isWebPage(beginning) ? WEB_PAGE : undefined
  const first = beginning.toString('latin1', 30, 90)
  const packed = PACKED.find(([file, archive]) => file.test(first) || archive.test(name))
  return words === 'a zip archive' && packed ? {words: packed[2], advice: SAVE} : {words, advice}
}

/** The error for such an input. @param name of the input, for messages */
export function createContentError(name: string, {words, advice}: OtherContent) {
  return createUsageError('not_text', `${name} is ${words}. ${advice} Nothing was sent.`)
}
