import type {TextDecoder as Decoder} from 'node:util'
import {createUsageError, type StorectlError} from '../../errors.js'
import {isGzip, unpackGzip} from '../../language/gunzip.js'
import {peekInput} from '../../language/peek-input.js'

/**
 * The text of an input as UTF-8 bytes without a byte order mark, whatever it was: gzip is unpacked, UTF-16 turned
 * into UTF-8.
 *
 * @param name of the input, for messages
 * @param readAgain the same bytes once more, so that a message can say where a wrong one stands
 * @throws StorectlError `usage.encoding` for bytes that are neither, `usage.broken_gzip`, `usage.gzip_bomb`,
 * `usage.spreadsheet` and `usage.zip` for what is no text at all
 */
export async function* decodeInput(
  pieces: AsyncIterable<Buffer>,
  name: string,
  readAgain?: () => AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void, undefined> {
  const [packed, bytes] = await peekBytes(pieces)
  if (isGzip(packed))
    yield* decodeText(unpackGzip(bytes, name), name, readAgain && (() => unpackGzip(readAgain(), name)))
  else yield* decodeText(bytes, name, readAgain)
}

async function* decodeText(
  pieces: AsyncIterable<Buffer>,
  name: string,
  readAgain?: () => AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void, undefined> {
  const [start, all] = await peekBytes(pieces)
  refuseBinary(start, name)
  const encoding = guessEncoding(start)
  const decoder = new TextDecoder(encoding, {fatal: true, ignoreBOM: true})
  let isFirst = true
  for await (const piece of all) {
    const text = decodePiece(decoder, piece) ?? (await refuse(encoding, name, readAgain))
    let bytes = encoding === 'utf-8' ? piece : Buffer.from(text)
    if (isFirst && bytes.subarray(0, 3).equals(MARK)) bytes = bytes.subarray(3)
    isFirst = isFirst && piece.length === 0
    if (bytes.length > 0) yield bytes
  }
  if (decodePiece(decoder, undefined) === undefined) await refuse(encoding, name, readAgain)
}

/** How a text is written: in which encoding, and whether a byte order mark stands before it. */
export interface DetectedEncoding {
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be'
  readonly isMarked: boolean
}

/** How the text of an input is written, packed or not. @param name of the input, for messages */
export async function detectEncoding(pieces: AsyncIterable<Buffer>, name: string): Promise<DetectedEncoding> {
  const [packed, bytes] = await peekBytes(pieces)
  const [start, all] = isGzip(packed) ? await peekBytes(unpackGzip(bytes, name)) : [packed, bytes]
  // Begun and left at once, so that what it reads from is let go.
  for await (const _ of all) break
  const encoding = guessEncoding(start)
  const isMarked = /^(efbbbf|fffe|feff)/.test(start.toString('hex', 0, 3))
  return {encoding, isMarked}
}

const MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** Enough to tell what an input is, its header included. */
const START_BYTES = 64 * 1024

/** The beginning, and all of it with the beginning in one piece. */
async function peekBytes(pieces: AsyncIterable<Buffer>): Promise<[Buffer, AsyncIterable<Buffer>]> {
  const {beginning, readChunks} = await peekInput(pieces, START_BYTES)
  return [beginning, readChunks() as AsyncGenerator<Buffer, void, void>]
}

/** By its mark, or by the zero half of its first character, which is ASCII in every file of ours. */
function guessEncoding(start: Buffer): DetectedEncoding['encoding'] {
  const [first, second] = start
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first !== 0 && second === 0) return 'utf-16le'
  return first === 0 && second !== undefined && second !== 0 ? 'utf-16be' : 'utf-8'
}

function decodePiece(decoder: Decoder, piece: Buffer | undefined): string | undefined {
  try {
    return decoder.decode(piece, {stream: piece !== undefined})
  } catch {
    return undefined
  }
}

async function refuse(
  encoding: string,
  name: string,
  readAgain: (() => AsyncIterable<Buffer>) | undefined,
): Promise<never> {
  throw await describeNotText(encoding, name, readAgain)
}

const ZIP = '504b0304'
const OLD_OFFICE = 'd0cf11e0a1b11ae1'

/** Of what spreadsheet programs pack into a zip archive, as the first file of it. */
const SPREADSHEET =
  /^(?:\[Content_Types\]\.xml|_rels\/|docProps\/|xl\/|mimetypeapplication\/vnd\.oasis|Index\/)/

function refuseBinary(start: Buffer, name: string): void {
  const magic = start.toString('hex', 0, 8)
  const isZip = magic.startsWith(ZIP)
  const isSheet =
    SPREADSHEET.test(start.toString('latin1', 30, 90)) || /\.(?:xls[xmb]|ods|numbers)$/i.test(name)
  if (magic === OLD_OFFICE || (isZip && isSheet)) {
    throw createUsageError(
      'spreadsheet',
      `${name} is a spreadsheet, not text. Save it as "CSV UTF-8" and use that file. Nothing was sent.`,
    )
  }
  if (isZip)
    throw createUsageError(
      'zip',
      `${name} is a zip archive. Unpack it and use the file inside. Nothing was sent.`,
    )
}

/** The line and column of a byte that is not UTF-8; both count from 1. */
interface WrongByte {
  readonly line: number
  readonly column: number
  readonly byte: number
}

/** What there is to say of bytes that are no text in the encoding they seem to be in. */
async function describeNotText(
  encoding: string,
  name: string,
  readAgain: (() => AsyncIterable<Buffer>) | undefined,
): Promise<StorectlError> {
  const wrong = readAgain && encoding === 'utf-8' ? await findWrongByte(readAgain()) : undefined
  const where = wrong ? `${name}:${wrong.line}:${wrong.column}: this` : name
  const byte = wrong ? ` (got the byte 0x${wrong.byte.toString(16)})` : ''
  return createUsageError(
    'encoding',
    `${where} is not ${encoding.toUpperCase()} text${byte}. Nothing was sent.`,
    [suggestConversion(name)],
  )
}

function suggestConversion(name: string): string {
  const convert = 'iconv -f WINDOWS-1252 -t UTF-8'
  if (name === 'stdin') return `… | ${convert} | storectl order validate -`
  const bare = name.replace(/^.*\//, '').replace(/\.gz$/, '')
  const target = quoteWord(`utf8-${bare}`)
  return name.endsWith('.gz')
    ? `gzip -dc ${quoteWord(name)} | ${convert} > ${target}`
    : `${convert} ${quoteWord(name)} > ${target}`
}

function quoteWord(word: string): string {
  return /^[\w./:@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** Bytes; in a file without lines there are no places to name. */
const LONGEST_LINE = 4 * 1024 * 1024

/** Reads as far as the first byte that cannot stand where it stands. */
async function findWrongByte(pieces: AsyncIterable<Buffer>): Promise<WrongByte | undefined> {
  let line = 1
  let before: Buffer = Buffer.alloc(0)
  for await (const piece of pieces) {
    const bytes = Buffer.concat([before, piece])
    const from = bytes.lastIndexOf(0x0a) + 1
    const whole = bytes.subarray(0, from)
    const at = findFirstWrong(from === 0 || isText(whole) ? bytes : whole)
    const byte = at === undefined ? undefined : bytes[at]
    if (at !== undefined && byte !== undefined) {
      const head = bytes.toString('utf8', 0, at).split('\n')
      return {line: line + head.length - 1, column: [...(head.at(-1) ?? '')].length + 1, byte}
    }
    if (bytes.length > LONGEST_LINE) return undefined
    line += whole.toString('latin1').split('\n').length - 1
    before = bytes.subarray(from)
  }
  return undefined
}

/** A character that the end of the bytes cuts through is not wrong. */
function isText(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', {fatal: true}).decode(bytes, {stream: true})
    return true
  } catch {
    return false
  }
}

function findFirstWrong(bytes: Buffer): number | undefined {
  if (isText(bytes)) return undefined
  let good = 0
  let bad = bytes.length
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (isText(bytes.subarray(0, middle))) good = middle
    else bad = middle
  }
  return findCharacterStart(bytes, good)
}

/** A character is found wrong at the byte that does not go on with it, and is wrong where it begins. */
function findCharacterStart(bytes: Buffer, at: number): number {
  for (let start = at - 1; start >= Math.max(0, at - 3); start--) {
    const byte = bytes[start] as number
    if (byte < 0x80) return at
    if (byte < 0xc0) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
    return start + length > at ? start : at
  }
  return at
}
