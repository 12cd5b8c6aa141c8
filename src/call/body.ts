import {StorectlError} from '../errors.js'

/** A longer answer is not taken apart: its values take many times as much memory as its text. */
const LONGEST_BYTES = 64 * 1024 * 1024

/**
 * All bytes of an answer that is to be taken apart.
 *
 * @throws StorectlError `usage.answer_too_large` above 64 MiB
 */
export async function wholeBody(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  let sizeBytes = 0
  for await (const piece of pieces) {
    sizeBytes += piece.length
    if (sizeBytes > LONGEST_BYTES) {
      throw new StorectlError(
        'usage.answer_too_large',
        'The answer is larger than 64 MiB, which is too much to make rows of. The call was made.',
        {
          nextSteps: [
            'leave -o and --fields out, and send the output to a file: it is then written as it comes',
          ],
        },
      )
    }
    all.push(piece)
  }
  return Buffer.concat(all)
}
