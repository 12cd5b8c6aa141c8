import {createUsageError, type StorectlError} from '../../errors.js'
import {
  createDecoder,
  cutWord,
  detectUnicode,
  findFirstWrong,
  isUtf8,
  showsUtf8,
  suggestEncodings,
} from '../../language/encodings.js'
import {isGzip, unpackGzip} from '../../language/gunzip.js'
import {createContentError, nameContent} from '../../language/name-content.js'
import {peekInput} from '../../language/peek-input.js'
import type {OrderInput} from './draft.js'

/**
 * The text of an input as UTF-8 bytes without a byte order mark: gzip is unpacked, and UTF-16 or the input's encoding is
 * converted. What a file itself shows takes precedence over the named encoding.
 *
 * @throws StorectlError `usage.encoding` for bytes invalid in the encoding, `usage.broken_gzip`, `usage.gzip_bomb`,
 *   `usage.not_text` for a web page, a spreadsheet or an archive
 */
export async function* decodeInput(input: OrderInput): AsyncGenerator<Buffer, void, undefined> {
  const [start, all] = await peekBytes(await unpack(input))
  const other = nameContent(start, input.name)
  if (other) throw createContentError(input.name, other)
  const encoding = selectEncoding(start, input)
  const decoder = createDecoder(encoding)
  const decode = async (piece?: Buffer) => {
    try {
      return decoder.decode(piece, {stream: piece !== undefined})
    } catch {
      throw await describeNotText(encoding, input)
    }
  }
  let isFirst = true
  for await (const piece of all) {
    const text = await decode(piece)
    let bytes = encoding === 'utf-8' ? piece : Buffer.from(text)
    if (isFirst && bytes.subarray(0, 3).equals(MARK)) bytes = bytes.subarray(3)
    isFirst = isFirst && piece.length === 0
    if (bytes.length > 0) yield bytes
  }
  await decode()
}

/** The bytes of an input, unpacked where it is a gzip archive. */
async function unpack(input: OrderInput): Promise<AsyncIterable<Buffer>> {
  const [packed, bytes] = await peekBytes(input.read())
  return isGzip(packed) ? unpackGzip(bytes, input.name) : bytes
}

/** The encoding of a text, and whether it has a byte order mark. */
export interface DetectedEncoding {
  readonly encoding: ReturnType<typeof detectUnicode>
  readonly isMarked: boolean
}

/** How to write a copy of parts of an input: like the input, or as UTF-8 if it has another encoding. */
export async function detectEncoding(input: OrderInput): Promise<DetectedEncoding> {
  const [start, all] = await peekBytes(await unpack(input))
  // Started and left at once, so that its source is released.
  for await (const _ of all) break
  const encoding = detectUnicode(start)
  const isSame = encoding === selectEncoding(start, input)
  return isSame ? {encoding, isMarked: isMarked(start)} : {encoding: 'utf-8', isMarked: true}
}

function isMarked(start: Buffer): boolean {
  return /^(efbbbf|fffe|feff)/.test(start.toString('hex', 0, 3))
}

const MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** Enough to recognize an input, including its header. */
const START_BYTES = 64 * 1024

/** The beginning, and all of it with the beginning in one piece. */
async function peekBytes(pieces: AsyncIterable<Buffer>): Promise<[Buffer, AsyncIterable<Buffer>]> {
  const {beginning, readChunks} = await peekInput(pieces, START_BYTES)
  return [beginning, readChunks() as AsyncGenerator<Buffer, void, void>]
}

function selectEncoding(start: Buffer, {encoding}: OrderInput): string {
  const shown = detectUnicode(start)
  return encoding === undefined || shown !== 'utf-8' || showsUtf8(start) ? shown : encoding
}

/** The error for bytes invalid in their apparent encoding. */
async function describeNotText(encoding: string, input: OrderInput): Promise<StorectlError> {
  const {name} = input
  const wrong = encoding === 'utf-8' ? await findWrongByte(await unpack(input)) : undefined
  const where = wrong ? `${name}:${wrong.position}: this` : name
  const byte = wrong ? ` (got the byte 0x${wrong.byte})` : ''
  const message = `${where} is not ${encoding.toUpperCase()} text${byte}. Nothing was sent.`
  return createUsageError('encoding', message, wrong ? suggestEncodings(wrong.word) : [])
}

/** Bytes; a file without lines has no positions to name. */
const LONGEST_LINE = 4 * 1024 * 1024

/** Reads up to the first byte that is not UTF-8. @returns its line and column, the byte in hex, and the word around it */
async function findWrongByte(pieces: AsyncIterable<Buffer>) {
  let line = 1
  let before: Buffer = Buffer.alloc(0)
  for await (const piece of pieces) {
    const bytes = Buffer.concat([before, piece])
    const from = bytes.lastIndexOf(0x0a) + 1
    const whole = bytes.subarray(0, from)
    const at = findFirstWrong(from === 0 || isUtf8(whole) ? bytes : whole)
    const byte = at === undefined ? undefined : bytes[at]
    if (at !== undefined && byte !== undefined) {
      const head = bytes.toString('utf8', 0, at).split('\n')
      const position = `${line + head.length - 1}:${[...(head.at(-1) ?? '')].length + 1}`
      return {position, byte: byte.toString(16), word: cutWord(bytes, at)}
    }
    if (bytes.length > LONGEST_LINE) return undefined
    line += whole.toString('latin1').split('\n').length - 1
    before = bytes.subarray(from)
  }
  return undefined
}
