import {StorectlError} from '../../errors.js'
import {cutWord, findFirstWrong, suggestEncodings} from '../../language/encodings.js'
import {isObject} from '../../language/json-object.js'
import {DEEPEST} from '../../language/json-tokenizer.js'
import {createContentError, nameContent} from '../../language/name-content.js'
import type {Headers} from '../event/headers.js'
import {readEvent} from '../event/read-event.js'
import type {CapturedRequest} from './formats/captured-request.js'
import type {EventFormat} from './formats/formats.js'
import {splitPieces} from './formats/formats.js'
import {parseHarEntry} from './formats/har-entry.js'
import type {InputPiece} from './formats/import-format.js'
import {cutJsonValues, type JsonPiece} from './formats/json-values.js'
import {listLoggedEvents} from './formats/log-line.js'
import {parseNginxObject} from './formats/nginx-line.js'
import {unwrapObject} from './formats/wrapper.js'
import {openPeekable} from './peekable-input.js'
import {type OwnShop, type PieceOrigin, type Read, readCaptured, toFault} from './read-captured.js'
import {readListedDelivery} from './transmissions.js'

/** A file or a stream that holds events. */
export interface EventFile {
  /** As a person would name it: `events.ndjson`, `stdin`. */
  readonly name: string
  readonly chunks: AsyncIterable<Uint8Array>
  /** What it holds; else its content says so. */
  readonly format?: EventFormat | undefined
  /** What its text is encoded in, as `parseEncoding` names it; absent for UTF-8 and UTF-16. */
  readonly encoding?: string | undefined
}

/**
 * The events of a file, each with the bytes of its body as far as the file holds them. What cannot be used is named and
 * passed over; requests that have nothing to do with webhooks are passed over.
 *
 * Read are JSON (one event, several, lists of them, the provider's own `{"events":[…]}`), a JSON object a line, events
 * with their headers `{"headers":{…},"body":"…"}`, HAR, curl commands, what curl says under `-v`, requests as they go
 * over the wire, nginx logs with `$request_body`; as UTF-8, UTF-16 or the encoding of the file, compressed by gzip or not. Where there are lines,
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
    const opened = await openPeekable(chunks, file)
    let hasEvents = false
    for await (const piece of splitPieces(opened, format)) {
      line = piece.line
      for await (const read of readPiece(piece, {source, name, now, shop})) {
        hasEvents ||= 'event' in read
        yield read
      }
    }
    const page = hasEvents ? undefined : nameContent(opened.beginning, name)
    if (page) yield {fault: {file: name, line: 1, why: createContentError('this', page).message}}
  } catch (error) {
    // What came before the damage is good, and other files are too.
    if (!(error instanceof StorectlError) || !DAMAGED.has(error.code)) throw error
    yield {fault: {file: name, line, why: error.message}}
  }
}

const DAMAGED = new Set(['usage.broken_gzip', 'usage.gzip_bomb', 'usage.encoding', 'usage.not_text'])

/** Lists and their like inside each other are read again at each level. */
const MOST_LEVELS = 8
const TOO_DEEP = `nested more than ${DEEPEST} levels deep`
const TOO_MANY_LEVELS = `lists nested more than ${MOST_LEVELS} levels deep`

const NO_SHOP: OwnShop = {isOwnWebhook: () => false, tokenPrefix: 'sw'}

async function* readPiece(piece: InputPiece, from: PieceOrigin): AsyncGenerator<Read, void, void> {
  const {line} = piece
  if ('why' in piece) yield toFault(from, line, piece.why)
  else if ('captured' in piece) yield readCaptured(piece.captured, line, from)
  else yield* readJson(piece.json, line, from)
}

async function* readJson(
  {bytes, role, isTooDeep}: JsonPiece,
  line: number,
  from: PieceOrigin,
  level = 0,
): AsyncGenerator<Read, void, void> {
  if (isTooDeep) {
    yield toFault(from, line, TOO_DEEP)
    return
  }
  if (bytes.length === 0) {
    yield toFault(from, line, 'the file ends inside a list')
    return
  }
  if (role === 'entry') {
    yield readEntry(bytes, line, from)
    return
  }
  const event = readEvent(bytes, from.source, from.now())
  if (!('unusable' in event)) yield {event, sighting: readListedDelivery(bytes, from.shop.isOwnWebhook)}
  else yield* readOtherwise(bytes, {...from, unusable: event.unusable, level}, line)
}

function readEntry(bytes: Uint8Array, line: number, from: PieceOrigin): Read {
  const captured = parseHarEntry(parseJson(bytes))
  return captured ? readCaptured(captured, line, from) : toFault(from, line, 'not a HAR entry')
}

/** A list that does not end; its elements are good as far as it came. */
const BROKEN_LIST = /^\[\s*\{/

/** What is JSON but no event may hold some. */
async function* readOtherwise(
  bytes: Uint8Array,
  from: PieceOrigin & {readonly unusable: string; readonly level: number},
  line: number,
): AsyncGenerator<Read, void, void> {
  const value = parseJson(bytes)
  const isBrokenList = value === undefined && BROKEN_LIST.test(Buffer.from(bytes).toString('latin1', 0, 256))
  const captured = isBrokenList ? [] : listCaptured(bytes, value)
  for (const each of captured) yield readCaptured(each, line, from)
  if (captured.length > 0) return
  if (!isBrokenList && !holdsEvents(value)) yield toFault(from, line, suggestEncoding(bytes) ?? from.unusable)
  else if (from.level === MOST_LEVELS) yield toFault(from, line, TOO_MANY_LEVELS)
  else for await (const piece of cutJsonValues([bytes])) yield* readJson(piece, line, from, from.level + 1)
}

/** The requests that a value is or wraps, or those of a line that is no JSON. */
function listCaptured(bytes: Uint8Array, value: unknown): readonly CapturedRequest[] {
  if (isObject(value)) {
    const captured =
      unwrapRequest(value) ?? parseNginxObject(value) ?? ('startedDateTime' in value && parseHarEntry(value))
    return captured ? [captured] : unwrapObject(Buffer.from(bytes).toString('utf8'), value, {isWhole: true})
  }
  return value === undefined ? listLoggedEvents(Buffer.from(bytes).toString('latin1')) : []
}

/** Why a piece cannot be used that is no UTF-8, with the ways to read it. */
function suggestEncoding(bytes: Uint8Array): string | undefined {
  const wrong = findFirstWrong(Buffer.from(bytes))
  if (wrong === undefined) return undefined
  return `not UTF-8 text; webhook import takes ${suggestEncodings(cutWord(Buffer.from(bytes), wrong)).join(', or ')}`
}

function holdsEvents(value: unknown): boolean {
  return Array.isArray(value) || (isObject(value) && (Array.isArray(value.events) || isObject(value.log)))
}

/** An event that was written out with its headers, and perhaps with the address that it was sent to. */
function unwrapRequest({
  headers,
  url,
  body,
  bodyBase64,
}: Record<string, unknown>): CapturedRequest | undefined {
  const bytes =
    typeof bodyBase64 === 'string'
      ? Buffer.from(bodyBase64, 'base64')
      : typeof body === 'string'
        ? Buffer.from(body)
        : undefined
  const target = typeof url === 'string' ? url : undefined
  return bytes && {method: undefined, target, headers: listHeaders(headers), body: bytes}
}

function listHeaders(headers: unknown): Headers {
  const pairs = Array.isArray(headers) ? headers : Object.entries((headers ?? {}) as object)
  return pairs
    .filter(pair => Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'string')
    .map(([name, value]) => [name, value] as const)
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return undefined
  }
}
