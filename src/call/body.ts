import {StorectlError} from '../errors.js'

/** A larger body is no call to be typed. */
const LARGEST_BYTES = 64 * 1024 * 1024

/**
 * All bytes of an input.
 *
 * @param input its pieces; its name is for messages
 * @throws StorectlError `usage.input_too_large` above 64 MiB
 */
export async function wholeBody(input: {
  readonly name: string
  read(): AsyncIterable<Uint8Array>
}): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of input.read()) {
    size += piece.length
    if (size > LARGEST_BYTES) {
      throw new StorectlError(
        'usage.input_too_large',
        `${input.name} is larger than 64 MiB. Nothing was sent.`,
      )
    }
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
