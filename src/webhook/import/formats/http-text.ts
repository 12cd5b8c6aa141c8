import {type Lines, LONGEST_PIECE, type RawLine} from '../../../language/lines/line-reader.js'
import {trimBytes} from '../../../language/lines/split-lines.js'
import type {Headers} from '../../event/headers.js'
import type {CapturedAnswer, CapturedRequest} from './captured-request.js'
import {type LineFormat, toPiece} from './import-format.js'

/** A request as it goes over the wire, with its answer. @see RFC 9112 §3 */
export const REQUEST_TEXT = {
  takes: 'line',
  name: 'http',
  starts: startsRequest,
  read: async function* (_, line, reader) {
    yield toPiece(line.line, await parseRequestText({...line, bytes: trimBytes(line.bytes)}, reader))
  },
} as const satisfies LineFormat

/** What `curl -v` prints about one call. */
export const CURL_OUTPUT = {
  takes: 'line',
  name: 'curl',
  also: ['http'],
  starts: text => CALL.test(text),
  read: async function* (_, line, reader) {
    const captured = await parseVerboseText(line, reader)
    if (captured) yield {line: line.line, captured}
  },
} as const satisfies LineFormat

const REQUEST_LINE = /^([A-Z]{3,10}) (\S+) HTTP\/\d(?:\.\d)?\s*$/
const STATUS_LINE = /^HTTP\/\d(?:\.\d)? (\d{3})\b/

/** What curl sends. */
const CALL = /^> [A-Z]{3,10} \S+ HTTP\/\d/

function startsRequest(line: string): boolean {
  return REQUEST_LINE.test(line)
}

/** Whether a line belongs to the output of `curl -v`: request, answer or connection. */
function isVerbose(line: string): boolean {
  return /^([<>](\s|$)|\* |[{}] \[\d+ bytes data\])/.test(line)
}

/**
 * Reads a request as it goes over the wire: line, headers, blank line, body. The body ends where its length says, or
 * else before the next request, or at the end. An answer behind it is read along.
 */
async function parseRequestText(first: RawLine, reader: Lines): Promise<CapturedRequest> {
  const [, method, target] = REQUEST_LINE.exec(decodeLine(first)) ?? []
  const headers = await readHeaderLines(reader)
  const body = await readBodyText(reader, readContentLength(headers))
  return {method, target, headers, body, answer: await answerText(reader)}
}

/** Reads the output of `curl -v` for one call, the body as it is between request and answer. */
async function parseVerboseText(first: RawLine, reader: Lines): Promise<CapturedRequest | undefined> {
  const call = new VerboseCall()
  for (let next: RawLine | undefined = first; next; next = await reader.readLine()) {
    if (call.take(next)) continue
    reader.pushBack(next)
    break
  }
  return call.toRequest()
}

/** The output of `curl -v` for one call, line by line. */
class VerboseCall {
  readonly #headers: [string, string][] = []
  readonly #body: Buffer[] = []
  #bodyBytes = 0
  #head: RegExpExecArray | null = null
  #status: number | undefined
  #isAnswered = false

  /** @returns `false` for a line that belongs to the next call */
  take(line: RawLine): boolean {
    const text = decodeLine(line)
    const [, side, said = ''] = /^([<>]) ?(.*)$/.exec(text) ?? []
    if (side === '>') return this.#takeSent(said)
    if (side === '<') this.#takeAnswer(said)
    else if (this.#isAnswered) return !endsAnswer(text)
    else if (this.#head && !isVerbose(text)) this.#takeBody(line)
    return true
  }

  #takeBody({bytes}: RawLine): void {
    if (this.#bodyBytes <= LONGEST_PIECE) this.#body.push(bytes)
    this.#bodyBytes += bytes.length + 1
  }

  /** A request line that comes again begins the next call. */
  #takeSent(said: string): boolean {
    const request = REQUEST_LINE.exec(said)
    if (request && this.#head) return false
    if (request) this.#head = request
    else this.#headers.push(...parseHeaderLine(said))
    return true
  }

  #takeAnswer(said: string): void {
    this.#isAnswered = true
    this.#status = Number(STATUS_LINE.exec(said)?.[1] ?? this.#status)
  }

  toRequest(): CapturedRequest | undefined {
    if (!this.#head) return undefined
    const [, method, target] = this.#head
    const bytes = trimBytes(joinLines(this.#body))
    return {
      ...{method, target, headers: this.#headers},
      body: bytes.length === 0 ? undefined : bytes,
      answer: this.#status ? {status: this.#status} : undefined,
    }
  }
}

/** Whether the text after an answer does not belong to it. */
function endsAnswer(text: string): boolean {
  return startsRequest(text) || /^\s*([$#%]\s+)?curl\s/.test(text) || text.startsWith('* ')
}

async function readHeaderLines(reader: Lines): Promise<Headers> {
  const headers: [string, string][] = []
  for (let next = await reader.readLine(); next; next = await reader.readLine()) {
    const text = decodeLine(next)
    if (text === '') break
    const found = parseHeaderLine(text)
    if (found.length === 0) {
      reader.pushBack(next)
      break
    }
    headers.push(...found)
  }
  return headers
}

const OUTER_BLANKS = /^[ \t]+|(?<![ \t])[ \t]+$/g

function parseHeaderLine(text: string): [string, string][] {
  const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):(.*)$/.exec(text) ?? []
  return name === undefined || value === undefined ? [] : [[name, value.replace(OUTER_BLANKS, '')]]
}

function readContentLength(headers: Headers): number | undefined {
  const [, value] = headers.find(([name]) => name.toLowerCase() === 'content-length') ?? []
  return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : undefined
}

/** Lines are put together again with the line feeds that stood between them. */
async function readBodyText(reader: Lines, length: number | undefined): Promise<Buffer | undefined> {
  const kept: Buffer[] = []
  let bytes = 0
  for (let next = await reader.readLine(); next; next = await reader.readLine()) {
    const text = decodeLine(next)
    // Without a length, an object that begins at the margin is another one.
    const isNext = length === undefined && kept.length > 0 && text.startsWith('{')
    if (isNext || startsRequest(text) || STATUS_LINE.test(text)) {
      reader.pushBack(next)
      break
    }
    if (bytes <= LONGEST_PIECE) kept.push(next.bytes)
    bytes += next.bytes.length + 1
    if (length !== undefined && bytes > length) break
  }
  const whole = joinLines(kept)
  const body = length === undefined ? trimBytes(whole) : whole.subarray(0, length)
  return body.length === 0 ? undefined : body
}

async function answerText(reader: Lines): Promise<CapturedAnswer | undefined> {
  for (let next = await reader.readLine(); next; next = await reader.readLine()) {
    const text = decodeLine(next)
    if (text.trim() === '') continue
    const status = STATUS_LINE.exec(text)?.[1]
    if (status === undefined) {
      reader.pushBack(next)
      return undefined
    }
    const headers = await readHeaderLines(reader)
    return {status: Number(status), body: await readBodyText(reader, readContentLength(headers))}
  }
  return undefined
}

function decodeLine({bytes}: RawLine): string {
  const end = bytes.at(-1) === 0x0d ? bytes.length - 1 : bytes.length
  return bytes.toString('latin1', 0, Math.min(end, LONGEST_LINE))
}

/** Characters of a line that are checked to recognize it. */
const LONGEST_LINE = 16 * 1024

function joinLines(lines: readonly Buffer[]): Buffer {
  return Buffer.concat(lines.flatMap((line, index) => (index === 0 ? [line] : [NEWLINE, line])))
}

const NEWLINE = Buffer.from('\n')
