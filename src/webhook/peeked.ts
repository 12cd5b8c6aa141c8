import {StorectlError} from '../errors.js'

/** Input whose beginning has been looked at, and is still to come. */
export interface Peeked {
  /** At least the first `PEEK_BYTES`, or all there is. */
  readonly beginning: Buffer
  /** All of it, once; without the first `skip` bytes, which lie in the beginning. */
  chunks(skip?: number): AsyncGenerator<Uint8Array, void, void>
}

/** Enough to tell a list, lines and a document apart. */
const PEEK_BYTES = 64 * 1024

/**
 * Reads the beginning of an input. What is compressed by gzip is unpacked.
 *
 * @throws StorectlError `usage.broken_gzip`, while it is read
 */
export async function peeked(input: AsyncIterable<Uint8Array>): Promise<Peeked> {
  const raw = await look(input, 2)
  const isGzip = raw.beginning[0] === 0x1f && raw.beginning[1] === 0x8b
  return look(isGzip ? unpacked(raw.chunks()) : raw.chunks(), PEEK_BYTES)
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
    chunks: async function* (skip = 0) {
      try {
        yield beginning.subarray(skip)
        for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
      } finally {
        await iterator.return?.()
      }
    },
  }
}

async function* unpacked(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
  const {createGunzip} = await import('node:zlib')
  const {Readable, pipeline} = await import('node:stream')
  const unzip = createGunzip()
  pipeline(Readable.from(chunks), unzip, () => undefined)
  try {
    yield* unzip
  } catch (error) {
    throw new StorectlError(
      'usage.broken_gzip',
      `The input is no whole gzip file: ${(error as Error).message}.`,
      {
        cause: error,
      },
    )
  }
}
