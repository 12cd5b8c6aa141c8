import {StorectlError} from '../../errors.js'
import {createContentError, nameContent} from '../../language/name-content.js'
import type {EventFormat} from './formats/formats.js'
import {splitPieces} from './formats/formats.js'
import type {InputPiece} from './formats/import-format.js'
import {openPeekable} from './peekable-input.js'
import {type OwnShop, type PieceOrigin, type Read, readCaptured, toFault} from './read-captured.js'

/** A file or a stream with events. */
export interface EventFile {
  /** As a person would name it: `events.ndjson`, `stdin`. */
  readonly name: string
  readonly chunks: AsyncIterable<Uint8Array>
  /** Its format; default: detected from the content. */
  readonly format?: EventFormat | undefined
  /** The encoding of its text, as `parseEncoding` names it; absent for UTF-8 and UTF-16. */
  readonly encoding?: string | undefined
}

/**
 * The events of a file, each with the bytes of its body as far as the file has them. Unusable entries are reported and
 * skipped; requests that have nothing to do with webhooks are ignored.
 *
 * Events are found in any text, as objects or as text in them, eight levels down; some formats also have the time,
 * address and answer of a call (see `formats`). A file is UTF-8, UTF-16 or in its named encoding, compressed by gzip or
 * not. Memory is that of the longest event.
 *
 * @throws StorectlError as the file's own reading does
 */
export async function* readEvents(
  file: EventFile,
  now: () => Date,
  shop: OwnShop = NO_SHOP,
): AsyncGenerator<Read, void, void> {
  const {name, chunks, format} = file
  const source = name === 'stdin' ? 'stdin' : `file ${name}`
  let line = 1
  try {
    const opened = await openPeekable(chunks, file)
    let hasEvents = false
    for await (const piece of splitPieces(opened, format)) {
      line = piece.line
      const read = readPiece(piece, {source, name, now, shop})
      hasEvents ||= 'event' in read
      yield read
    }
    const page = hasEvents ? undefined : nameContent(opened.beginning, name)
    if (page) yield {fault: {file: name, line: 1, why: createContentError('this', page).message}}
  } catch (error) {
    // Entries before the damage are good, and so are other files.
    if (!(error instanceof StorectlError) || !DAMAGED.has(error.code)) throw error
    yield {fault: {file: name, line, why: error.message}}
  }
}

const DAMAGED = new Set(['usage.broken_gzip', 'usage.gzip_bomb', 'usage.encoding', 'usage.not_text'])

const NO_SHOP: OwnShop = {isOwnWebhook: () => false, tokenPrefix: 'sw'}

function readPiece(piece: InputPiece, from: PieceOrigin): Read {
  if ('why' in piece) return toFault(from, piece.line, piece.why)
  return 'captured' in piece ? readCaptured(piece.captured, piece.line, from) : {passedOver: true}
}
