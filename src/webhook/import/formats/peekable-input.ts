import {isGzip, unpackGzip} from '../../../language/gunzip.js'

/** Input whose beginning has been looked at, and is still to come. */
export interface Peeked {
  /** At least the first `PEEK_BYTES`, or all there is. */
  readonly beginning: Buffer
  /** All of it, once; without the first `skip` bytes, which lie in the beginning. */
  readChunks(skip?: number): AsyncGenerator<Uint8Array, void, void>
}

/** Enough to tell a list, lines and a document apart. */
const PEEK_BYTES = 64 * 1024

/**
 * Reads the beginning of an input. What is compressed by gzip is unpacked, and UTF-16 becomes UTF-8.
 *
 * @throws StorectlError `usage.broken_gzip` and `usage.gzip_bomb`, while it is read
 */
export async function openPeekable(input: AsyncIterable<Uint8Array>): Promise<Peeked> {
  const raw = await look(input, 2)
  const plain = isGzip(raw.beginning) ? await look(unpackGzip(raw.readChunks(), 'The input'), 2) : raw
  const encoding = detectWideEncoding(plain.beginning)
  return look(encoding ? convertToUtf8(plain.readChunks(), encoding) : plain.readChunks(), PEEK_BYTES)
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

async function look(input: AsyncIterable<Uint8Array>, bytes: number): Promise<Peeked> {
  const iterator = input[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  for (let size = 0; size < bytes; ) {
    const next = await iterator.next()
    if (next.done) break
    first.push(next.value)
    size += next.value.length
  }
  const beginning = Buffer.concat(first)
  return {
    beginning,
    readChunks: async function* (skip = 0) {
      try {
        yield beginning.subarray(skip)
        for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
      } finally {
        await iterator.return?.()
      }
    },
  }
}
