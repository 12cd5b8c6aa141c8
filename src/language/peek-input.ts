/** Input whose beginning was read ahead. */
export interface Peeked {
  /** At least as many bytes as requested, or all there are. */
  readonly beginning: Buffer
  /** All of it, once; without the first `skip` bytes, which lie in the beginning. */
  readChunks(skip?: number): AsyncGenerator<Uint8Array, void, void>
}

/** Reads the beginning of an input, whose pieces come as they are behind it. @param bytes how much of it, at least */
export async function peekInput(input: AsyncIterable<Uint8Array>, bytes: number): Promise<Peeked> {
  const iterator = input[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  for (let size = 0; size < bytes; ) {
    const next = await iterator.next()
    if (next.done) break
    first.push(next.value)
    size += next.value.length
  }
  const [only] = first
  const beginning = first.length === 1 && Buffer.isBuffer(only) ? only : Buffer.concat(first)
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
