import {StorectlError} from '../../errors.js'
import type {EventFormat} from './formats/formats.js'
import {splitPieces} from './formats/formats.js'
import type {InputPiece} from './formats/import-format.js'
import {openPeekable} from './peekable-input.js'
import {type OwnShop, type PieceOrigin, type Read, readCaptured, toFault} from './read-captured.js'

/** A file or a stream that holds events. */
export interface EventFile {
  /** As a person would name it: `events.ndjson`, `stdin`. */
  readonly name: string
  readonly chunks: AsyncIterable<Uint8Array>
  /** What it holds; else its content says so. */
  readonly format?: EventFormat | undefined
}

/**
 * The events of a file, each with the bytes of its body as far as the file holds them. What cannot be used is named and
 * passed over; requests that have nothing to do with webhooks are passed over.
 *
 * Read are JSON (one event, several, lists of them, the provider's own `{"events":[…]}`), a JSON object a line, events
 * with their headers `{"headers":{…},"body":"…"}`, HAR, curl commands, what curl says under `-v`, requests as they go
 * over the wire, nginx logs with `$request_body`; as UTF-8 or UTF-16, compressed by gzip or not. Where there are lines,
 * each may be of another kind. Memory is that of the longest event.
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
    for await (const piece of splitPieces(await openPeekable(chunks), format)) {
      line = piece.line
      yield readPiece(piece, {source, name, now, shop})
    }
  } catch (error) {
    // What came before the damage is good, and other files are too.
    if (!(error instanceof StorectlError) || !DAMAGED.has(error.code)) throw error
    yield {fault: {file: name, line, why: error.message}}
  }
}

const DAMAGED = new Set(['usage.broken_gzip', 'usage.gzip_bomb'])

const NO_SHOP: OwnShop = {isOwnWebhook: () => false, tokenPrefix: 'sw'}

function readPiece(piece: InputPiece, from: PieceOrigin): Read {
  if ('why' in piece) return toFault(from, piece.line, piece.why)
  return 'captured' in piece ? readCaptured(piece.captured, piece.line, from) : {passedOver: true}
}
