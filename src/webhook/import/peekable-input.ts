import {isGzip, unpackGzip} from '../../language/gunzip.js'
import {type Peeked, peekInput} from '../../language/peek-input.js'

/** Enough to tell a list, lines and a document apart. */
const PEEK_BYTES = 64 * 1024

/**
 * Reads the beginning of an input. What is compressed by gzip is unpacked, and UTF-16 becomes UTF-8.
 *
 * @throws StorectlError `usage.broken_gzip` and `usage.gzip_bomb`, while it is read
 */
export async function openPeekable(input: AsyncIterable<Uint8Array>): Promise<Peeked> {
  const raw = await peekInput(input, 2)
  const plain = isGzip(raw.beginning) ? await peekInput(unpackGzip(raw.readChunks(), 'The input'), 2) : raw
  const encoding = detectWideEncoding(plain.beginning)
  return peekInput(encoding ? convertToUtf8(plain.readChunks(), encoding) : plain.readChunks(), PEEK_BYTES)
}

/** What shells of Windows write, by its byte order mark. */
function detectWideEncoding(beginning: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (beginning[0] === 0xff && beginning[1] === 0xfe) return 'utf-16le'
  return beginning[0] === 0xfe && beginning[1] === 0xff ? 'utf-16be' : undefined
}

async function* convertToUtf8(
  chunks: AsyncIterable<Uint8Array>,
  encoding: string,
): AsyncGenerator<Uint8Array, void, void> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, {stream: true}))
  yield Buffer.from(decoder.decode())
}
