import type {Readable} from 'node:stream'
import type {TextDecoder as Decoder} from 'node:util'
import {usageError} from '../../errors.js'

/**
 * The text of an input as UTF-8 bytes without a byte order mark, whatever it was: gzip is unpacked, UTF-16 turned
 * into UTF-8.
 *
 * @param name of the input, for messages
 * @param readAgain the same bytes once more, so that a message can say where a wrong one stands
 * @throws StorectlError `usage.encoding` for bytes that are neither, `usage.gzip` for a damaged archive,
 * `usage.spreadsheet` and `usage.zip` for what is no text at all
 */
export async function* utf8(
  pieces: AsyncIterable<Buffer>,
  name: string,
  readAgain?: () => AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void, undefined> {
  const [start, all] = await peeked(pieces)
  if (start[0] === 0x1f && start[1] === 0x8b) {
    yield* utf8(unpacked(all, name), name, readAgain && (() => unpacked(readAgain(), name)))
    return
  }
  refuseBinary(start, name)
  const encoding = encodingOf(start)
  const decoder = new TextDecoder(encoding, {fatal: true, ignoreBOM: true})
  let isFirst = true
  for await (const piece of all) {
    const text = decoded(decoder, piece) ?? (await refuse(encoding, name, readAgain))
    let bytes = encoding === 'utf-8' ? piece : Buffer.from(text)
    if (isFirst && bytes.subarray(0, 3).equals(MARK)) bytes = bytes.subarray(3)
    isFirst = isFirst && piece.length === 0
    if (bytes.length > 0) yield bytes
  }
  if (decoded(decoder, undefined) === undefined) await refuse(encoding, name, readAgain)
}

/** How a text is written: in which encoding, and whether a byte order mark stands before it. */
export interface Writing {
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be'
  readonly isMarked: boolean
}

/** How the text of an input is written, packed or not. @param name of the input, for messages */
export async function writingOf(pieces: AsyncIterable<Buffer>, name: string): Promise<Writing> {
  const [start, all] = await peeked(pieces)
  if (start[0] === 0x1f && start[1] === 0x8b) return writingOf(unpacked(all, name), name)
  // Begun and left at once, so that what it reads from is let go.
  for await (const _ of all) break
  const encoding = encodingOf(start)
  const isMarked = /^(efbbbf|fffe|feff)/.test(start.toString('hex', 0, 3))
  return {encoding, isMarked}
}

const MARK = Buffer.from([0xef, 0xbb, 0xbf])

/** Enough to tell what an input is, its header included. */
const START_BYTES = 64 * 1024

/** The beginning, and all of it with the beginning in one piece. */
async function peeked(pieces: AsyncIterable<Buffer>): Promise<[Buffer, AsyncIterable<Buffer>]> {
  const iterator = pieces[Symbol.asyncIterator]()
  const first: Buffer[] = []
  let size = 0
  while (size < START_BYTES) {
    const {done, value} = await iterator.next()
    if (done) break
    first.push(value)
    size += value.length
  }
  const start = first.length === 1 && first[0] ? first[0] : Buffer.concat(first)
  async function* all() {
    try {
      yield start
      yield* {[Symbol.asyncIterator]: () => iterator}
    } finally {
      await iterator.return?.()
    }
  }
  return [start, all()]
}

async function* unpacked(pieces: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  const {createGunzip} = await import('node:zlib')
  const {Readable, pipeline} = await import('node:stream')
  const unpacking = createGunzip({chunkSize: 256 * 1024})
  pipeline(Readable.from(pieces), unpacking, () => undefined)
  try {
    for await (const piece of unpacking as Readable) yield piece as Buffer
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith('Z_')) throw error
    throw usageError('gzip', `${name} is a damaged gzip archive: ${(error as Error).message}.`)
  }
}

/** By its mark, or by the zero half of its first character, which is ASCII in every file of ours. */
function encodingOf(start: Buffer): Writing['encoding'] {
  const [first, second] = start
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first !== 0 && second === 0) return 'utf-16le'
  return first === 0 && second !== undefined && second !== 0 ? 'utf-16be' : 'utf-8'
}

function decoded(decoder: Decoder, piece: Buffer | undefined): string | undefined {
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
  const {notText} = await import('./not-text.js')
  throw await notText(encoding, name, readAgain)
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
    throw usageError(
      'spreadsheet',
      `${name} is a spreadsheet, not text. Save it there as "CSV UTF-8", and give that file. Nothing was sent.`,
    )
  }
  if (isZip)
    throw usageError('zip', `${name} is a zip archive. Unpack it, and give what is in it. Nothing was sent.`)
}
