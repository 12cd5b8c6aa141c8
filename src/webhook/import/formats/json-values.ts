import {
  buildByteRules,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  JsonTokenizer,
  LINE_FEED,
  NONE,
  OPEN_LIST,
  OPEN_OBJECT,
  TEXT,
  WORD,
} from '../../../language/json-tokenizer.js'
import {trimBytes} from '../../../language/split-lines.js'
import {LONGEST_PIECE} from './line-reader.js'

/** What a value of a JSON document stands for, by where it stands. */
export type Role =
  /** A document of its own, or an element of a list. */
  | 'value'
  /** An element of the provider's own list, under `events`. */
  | 'told'
  /** An element of a HAR file, under `log.entries`. */
  | 'entry'

/** The bytes of one value. */
export interface JsonPiece {
  readonly bytes: Uint8Array
  /** That it begins on, from 1. */
  readonly line: number
  readonly role: Role
  readonly isTooLong: boolean
  /** Whether it has more than 512 brackets inside each other. */
  readonly isTooDeep: boolean
}

/** A value that stands for itself. @param line that it begins on, from 1 */
export function createValuePiece(bytes: Uint8Array, line: number): JsonPiece {
  return {bytes, line, role: 'value', isTooLong: false, isTooDeep: false}
}

/** Deepest place at which a key can lead to a list of events: `log.entries`. */
const DEEPEST_KEY = 2

const BYTE_ORDER_MARK = new Set([0xef, 0xbb, 0xbf])

/** Between documents, what begins none goes on to the end of its line. */
const OUTSIDE = buildByteRules(
  '{[',
  byte => byte <= 0x20 || byte === COMMA || BYTE_ORDER_MARK.has(byte),
  byte => byte === LINE_FEED,
)

/**
 * Cuts JSON documents that follow each other into the bytes of their values, without reading them: numbers and spaces
 * stay as they were written. Lists are taken apart, and so are objects that hold a list of events. Memory is that of the
 * longest value.
 *
 * @param line the line that the text begins on, from 1
 * @returns of what ends too early, its last piece as far as it came
 */
export async function* cutJsonValues(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  line = 1,
): AsyncGenerator<JsonPiece, void, void> {
  const cutter = new Cutter(line)
  for await (const chunk of chunks) yield* cutter.take(chunk)
  yield* cutter.end()
}

class Cutter {
  readonly #tokens = new JsonTokenizer({outside: OUTSIDE})
  /** The opening brackets of the outermost levels, and the last key in each, in quotes. */
  readonly #opened: number[] = []
  readonly #keys: string[] = []
  #text = ''
  /** How deep the elements of the list stand that is taken apart; 0 for none. */
  #listDepth = 0
  #role: Role = 'value'
  /** In an object whose list has been taken apart. */
  #isSpent = false
  /** Where the value begins that the tokens are in, in the whole input. */
  #start: number | undefined
  #startLine = 1
  #kept: Uint8Array[] = []
  #keptBytes = 0

  constructor(line: number) {
    this.#tokens.line = line
    this.#tokens.shown = DEEPEST_KEY
  }

  *take(chunk: Uint8Array): Generator<JsonPiece> {
    const tokens = this.#tokens
    tokens.push(chunk)
    for (let token = tokens.readToken(); token !== NONE; token = tokens.readToken()) {
      const end = this.#endAt(token)
      if (end !== undefined) yield this.#cut(chunk, end)
    }
    const start = this.#start ?? (this.#beginsUnfinished() ? tokens.start : undefined)
    if (start !== undefined) this.#keep(chunk.subarray(Math.max(0, start - tokens.offset)))
  }

  *end(): Generator<JsonPiece> {
    const tokens = this.#tokens
    const token = tokens.finish()
    if (token !== NONE) this.#endAt(token)
    if (this.#start !== undefined) yield this.#cut(new Uint8Array(), tokens.offset)
    else if (tokens.depth > 0) {
      yield {bytes: new Uint8Array(), line: tokens.line, role: 'value', isTooLong: false, isTooDeep: false}
    }
  }

  /** Where the value ends that a token ends; `undefined` where it ends none. */
  #endAt(token: number): number | undefined {
    const {depth, start, end} = this.#tokens
    switch (token) {
      case OPEN_LIST:
      case OPEN_OBJECT:
        if (depth - 1 === this.#listDepth) this.#begin()
        this.#open(token, depth)
        return undefined
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        return this.#close(depth)
      case COMMA:
        return depth === this.#listDepth && this.#start !== undefined ? start : undefined
      case COLON:
        if (this.#listDepth === 0) this.#keys[depth] = this.#text
        break
      case TEXT:
        this.#text = this.#tokens.excerpt
    }
    if (depth === this.#listDepth) this.#begin()
    return token === WORD && depth === 0 ? end : undefined
  }

  #begin(): void {
    if (this.#start !== undefined) return
    this.#start = this.#tokens.start
    this.#startLine = this.#tokens.startLine
    if (this.#listDepth === 0) this.#role = 'value'
  }

  #beginsUnfinished(): boolean {
    return this.#tokens.isUnfinished && this.#tokens.depth === this.#listDepth
  }

  #open(token: number, depth: number): void {
    this.#opened[depth] = token
    if (token !== OPEN_LIST || this.#listDepth > 0) return
    const role = this.#findRole(depth)
    if (role === undefined) return
    this.#role = role
    this.#listDepth = depth
    this.#tokens.shown = depth
    this.#forget()
  }

  /** What the elements of the list that has just been opened are. */
  #findRole(depth: number): Role | undefined {
    const [, first, second] = this.#keys
    if (depth === 1) return 'value'
    if (this.#opened[1] !== OPEN_OBJECT) return undefined
    if (depth === 2 && first === '"events"') return 'told'
    const isEntries = this.#opened[2] === OPEN_OBJECT && first === '"log"' && second === '"entries"'
    return depth === 3 && isEntries ? 'entry' : undefined
  }

  #close(depth: number): number | undefined {
    if (depth + 1 === this.#listDepth) return this.#closeList(depth)
    if (depth > 0) return undefined
    if (!this.#isSpent) return this.#tokens.end
    this.#isSpent = false
    this.#tokens.shown = DEEPEST_KEY
    return undefined
  }

  /** @returns where its last element ends, if there is one that no comma has ended */
  #closeList(depth: number): number | undefined {
    this.#listDepth = 0
    this.#isSpent = depth > 0
    this.#tokens.shown = this.#isSpent ? 0 : DEEPEST_KEY
    return this.#start === undefined ? undefined : this.#tokens.start
  }

  #keep(bytes: Uint8Array): void {
    if (this.#keptBytes <= LONGEST_PIECE) this.#kept.push(bytes)
    this.#keptBytes += bytes.length
  }

  #cut(chunk: Uint8Array, end: number): JsonPiece {
    const {offset, isTooDeep} = this.#tokens
    this.#keep(chunk.subarray(Math.max(0, (this.#start ?? 0) - offset), end - offset))
    const whole = this.#kept.length === 1 ? (this.#kept[0] as Uint8Array) : Buffer.concat(this.#kept)
    const isTooLong = this.#keptBytes > LONGEST_PIECE
    const piece = {bytes: trimBytes(whole), line: this.#startLine, role: this.#role, isTooLong, isTooDeep}
    this.#forget()
    return piece
  }

  #forget(): void {
    this.#kept = []
    this.#keptBytes = 0
    this.#start = undefined
    this.#tokens.isTooDeep = false
  }
}
