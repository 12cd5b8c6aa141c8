import {type Headers, readEvent, type WebhookEvent} from './event.js'
import {LONGEST_SLICE, lines, listElements, type Slice, trimmed} from './json-slices.js'
import {type Peeked, peeked} from './peeked.js'

/** A file or a stream that holds events. */
export interface EventFile {
  /** As a person would name it: `events.ndjson`, `stdin`. */
  readonly name: string
  readonly chunks: AsyncIterable<Uint8Array>
}

/** A piece of a file that is no event. */
export interface Fault {
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly why: string
}

export type Read = {readonly event: WebhookEvent} | {readonly fault: Fault}

const OPEN_LIST = 0x5b
const OPEN_OBJECT = 0x7b

/** A list under `events`, as the provider's own API answers it, at the beginning of a document. */
const EVENT_LIST = /^\s*\{\s*"events"\s*:\s*(?=\[)/

/**
 * The events of a file: one JSON object a line, a JSON list of them, one object over several lines, or the
 * provider's own list `{"events":[…]}`. Each body keeps its bytes. What cannot be used is named and passed over.
 *
 * A line may also be an event with its headers: `{"headers":{…},"body":"…"}`, the body as text.
 * Memory is that of the longest event, except for a document over several lines, which is read whole.
 *
 * @throws StorectlError as the file's own reading does
 */
export async function* readEvents(
  {name, chunks}: EventFile,
  now: () => Date,
): AsyncGenerator<Read, void, void> {
  const source = name === 'stdin' ? 'stdin' : `file ${name}`
  for await (const {bytes, line} of slices(await peeked(chunks))) {
    for await (const read of readSlice(bytes, source, now)) {
      yield 'why' in read ? {fault: {file: name, line, why: read.why}} : read
    }
  }
}

type SliceRead = {readonly event: WebhookEvent} | {readonly why: string}

async function* readSlice(bytes: Uint8Array, source: string, now: () => Date): AsyncGenerator<SliceRead> {
  const list = EVENT_LIST.exec(start(bytes))
  if (list) {
    for await (const each of listElements([bytes.subarray(list[0].length)]))
      yield readOne(each.bytes, source, now())
    return
  }
  yield readOne(bytes, source, now())
}

function readOne(bytes: Uint8Array, source: string, now: Date): SliceRead {
  if (bytes.length > LONGEST_SLICE) return {why: 'it is longer than 64 MiB'}
  const wrapped = unwrapped(bytes)
  const event = readEvent(wrapped?.body ?? bytes, source, now, wrapped?.headers)
  return 'unusable' in event ? {why: event.unusable} : {event}
}

/** An event that was written out with its headers. */
function unwrapped(bytes: Uint8Array): {body: Uint8Array; headers: Headers} | undefined {
  if (!/^\{\s*"(headers|body|bodyBase64)"\s*:/.test(start(bytes))) return undefined
  try {
    const {headers, body, bodyBase64} = JSON.parse(Buffer.from(bytes).toString('utf8'))
    const text = typeof bodyBase64 === 'string' ? Buffer.from(bodyBase64, 'base64') : body
    if (typeof text !== 'string' && !Buffer.isBuffer(text)) return undefined
    return {body: Buffer.from(text), headers: headerList(headers)}
  } catch {
    return undefined
  }
}

function headerList(headers: unknown): Headers {
  const pairs = Array.isArray(headers) ? headers : Object.entries((headers ?? {}) as object)
  return pairs
    .filter(pair => Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'string')
    .map(([name, value]) => [name, value] as const)
}

/** The pieces of a file, by what its beginning looks like. */
async function* slices({beginning, chunks}: Peeked): AsyncGenerator<Slice, void, void> {
  const text = trimmed(beginning)
  const line = 1 + newlines(beginning.subarray(0, beginning.indexOf(text)))
  const list = EVENT_LIST.exec(start(text))
  if (text[0] === OPEN_LIST) yield* listElements(chunks(), 1)
  else if (text[0] !== OPEN_OBJECT || hasOneALine(text)) yield* lines(chunks())
  else if (list)
    yield* listElements(
      chunks(beginning.indexOf(text) + list[0].length),
      line + newlines(Buffer.from(list[0])),
    )
  else yield {bytes: await whole(chunks()), line}
}

/** Whether a text that begins with an object goes on with another one on its second line, or has no second line. */
function hasOneALine(text: Buffer): boolean {
  const end = text.indexOf(0x0a)
  const next = end < 0 ? undefined : trimmed(text.subarray(end))[0]
  return next === undefined || next === OPEN_OBJECT
}

async function whole(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    all.push(chunk)
    size += chunk.length
    if (size > LONGEST_SLICE) break
  }
  return trimmed(Buffer.concat(all))
}

function start(bytes: Uint8Array): string {
  return Buffer.from(bytes.subarray(0, 256)).toString('latin1')
}

function newlines(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum + (byte === 0x0a ? 1 : 0), 0)
}
