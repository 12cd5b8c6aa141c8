import {createDecoder, type PieceDecoder, showsUtf8} from '../../language/encodings.js'
import {isGzip, unpackGzip} from '../../language/gunzip.js'
import {createContentError, isWebPage, nameContent} from '../../language/name-content.js'
import {type Peeked, peekInput} from '../../language/peek-input.js'

/** Enough to distinguish a list, lines and a document. */
const PEEK_BYTES = 64 * 1024

/**
 * Reads the beginning of an input. gzip is unpacked, and UTF-16 or the named encoding becomes UTF-8; what the input
 * itself shows takes precedence. A web page may contain events, so it is read.
 *
 * @throws StorectlError `usage.not_text` for archives, spreadsheets and PDF; `usage.broken_gzip`, `usage.gzip_bomb` and
 *   `usage.encoding`, while it is read
 */
export async function openPeekable(
  input: AsyncIterable<Uint8Array>,
  {name, encoding}: {readonly name: string; readonly encoding?: string | undefined},
): Promise<Peeked> {
  const raw = await peekInput(input, 2)
  const plain = isGzip(raw.beginning) ? unpackGzip(raw.readChunks(), 'The input') : raw.readChunks()
  const {beginning, readChunks} = await peekInput(plain, PEEK_BYTES)
  const other = isWebPage(beginning) ? undefined : nameContent(beginning, name)
  if (other) throw createContentError('this', other)
  const decoder = selectDecoder(beginning, encoding)
  return decoder ? peekInput(convertToUtf8(readChunks(), decoder), PEEK_BYTES) : {beginning, readChunks}
}

/** Detects what Windows shells write, by its byte order mark or the zeros beside plain letters; else the named encoding. */
function selectDecoder(beginning: Buffer, encoding: string | undefined): PieceDecoder | undefined {
  const start = beginning.toString('hex', 0, 4)
  if (/^(fffe|(?!00)..00(?!00)..00)/.test(start)) return new TextDecoder('utf-16le')
  if (/^(feff|00(?!00)..00(?!00)..)/.test(start)) return new TextDecoder('utf-16be')
  return encoding === undefined || showsUtf8(beginning) ? undefined : createDecoder(encoding)
}

async function* convertToUtf8(
  chunks: AsyncIterable<Uint8Array>,
  decoder: PieceDecoder,
): AsyncGenerator<Uint8Array, void, void> {
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, {stream: true}))
  yield Buffer.from(decoder.decode())
}
