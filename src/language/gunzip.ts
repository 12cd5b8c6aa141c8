import {StorectlError} from '../errors.js'

/** Unpacking this much is harmless, however small the archive. */
const HARMLESS_BYTES = 256 * 1024 * 1024

/** Real files shrink by a factor of 10 to 100; gzip reaches 1,032 with a single repeated letter. */
const MOST_UNPACKED = 500

/** Whether bytes begin as a gzip archive does. @see RFC 1952 §2.3.1 */
export function isGzip([first, second]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b
}

/**
 * Unpacks a gzip archive, which must not contain another one.
 *
 * @param name of the input, for messages
 * @throws StorectlError `usage.broken_gzip`, `usage.gzip_twice`; `usage.gzip_bomb` for more than 256 MiB that unpack to
 *   more than 500 times their size
 */
export async function* unpackGzip(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Buffer, void, void> {
  const {createGunzip} = await import('node:zlib')
  const {Readable, pipeline} = await import('node:stream')
  const unpacking = createGunzip({chunkSize: 256 * 1024})
  pipeline(Readable.from(chunks), unpacking, () => undefined)
  try {
    let bytes = 0
    for await (const chunk of unpacking) {
      if (bytes === 0 && isGzip(chunk)) throw createTwiceError(name)
      bytes += chunk.length
      if (bytes > HARMLESS_BYTES && bytes > unpacking.bytesWritten * MOST_UNPACKED)
        throw createBombError(name)
      yield chunk as Buffer
    }
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith('Z_')) throw error
    throw new StorectlError(
      'usage.broken_gzip',
      `${name} is a damaged gzip archive: ${(error as Error).message}.`,
      {
        cause: error,
      },
    )
  }
}

function createTwiceError(name: string): StorectlError {
  return new StorectlError('usage.gzip_twice', `${name} is compressed more than once. Nothing was sent.`, {
    nextSteps: ['decompress it completely, and use the result'],
  })
}

function createBombError(name: string): StorectlError {
  return new StorectlError(
    'usage.gzip_bomb',
    `${name} expands to more than ${MOST_UNPACKED} times its size; reading stopped.`,
    {nextSteps: ['if this is intended, decompress it first and use the result']},
  )
}
