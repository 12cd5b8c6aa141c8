import {trimmed} from './json-slices.js'
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
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const NEWLINE = 0x0a
const OPEN_LIST = 0x5b
const OPEN_OBJECT = 0x7b
const BYTE_ORDER_MARK = new Set([0xef, 0xbb, 0xbf])

/** Deepest place at which a key can lead to a list of events: `log.entries`. */
const DEEPEST_KEY = 2
const LONGEST_KEY = 16

/**
 * Cuts JSON documents that follow each other into the bytes of their values, without reading them: numbers and spaces
 * stay as they were written. Lists are taken apart, and so are objects that hold a list of events. Memory is that of the
 * longest value.
 *
 * @param line the line that the text begins on, from 1
 * @returns of what ends too early, its last piece as far as it came
 */
export async function* jsonValues(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  line = 1,
): AsyncGenerator<JsonPiece, void, void> {
  const cutter = new Cutter(line)
  for await (const chunk of chunks) yield* cutter.take(chunk)
  yield* cutter.end()
}

class Cutter {
  #depth = 0
  #inText = false
  #escaped = false
  /** The opening brackets of the outermost places, and the last key in each. */
  readonly #opened: number[] = []
  readonly #keys: string[] = []
  #key: number[] | undefined
  #expectsKey = false
  /** How deep the elements of the list stand that is taken apart; 0 for none. */
  #listDepth = 0
  #role: Role = 'value'
  /** In an object whose list has been taken apart. */
  #isSpent = false
  /** In something that is no JSON, up to the end of its line. */
  #isStray = false
  #startLine: number | undefined
  #kept: Uint8Array[] = []
  #keptBytes = 0

  constructor(private line: number) {}

  *take(chunk: Uint8Array): Generator<JsonPiece> {
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number
      if (byte === NEWLINE) this.line++
      if (this.#inText) {
        this.#passText(byte)
        continue
      }
      if (this.#isStray) {
        if (byte !== NEWLINE) continue
        this.#isStray = false
        yield this.#cut(chunk.subarray(from, at))
        continue
      }
      if (this.#startLine === undefined && !this.#isSpent && this.#begins(byte)) {
        this.#startLine = this.line
        from = at
        if (this.#depth === 0 && byte !== OPEN_LIST && byte !== OPEN_OBJECT) {
          this.#isStray = true
          continue
        }
      }
      if (byte === QUOTE) this.#openText()
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.#open(byte)
      else if (byte === COMMA) {
        if (this.#depth !== this.#listDepth) this.#expectsKey = this.#opened[this.#depth] === OPEN_OBJECT
        else if (this.#startLine !== undefined) yield this.#cut(chunk.subarray(from, at))
      } else if (byte === 0x5d || byte === 0x7d) {
        const piece = this.#close(chunk, from, at)
        if (piece) yield piece
      }
    }
    if (this.#startLine !== undefined) this.#keep(chunk.subarray(from))
  }

  *end(): Generator<JsonPiece> {
    if (this.#startLine !== undefined) yield this.#cut(new Uint8Array())
    else if (this.#depth > 0)
      yield {bytes: new Uint8Array(), line: this.line, role: 'value', isTooLong: false}
  }

  /** Whether a value begins with this byte, where one may begin. */
  #begins(byte: number): boolean {
    if (byte <= 0x20 || byte === COMMA) return false
    if (this.#depth === 0) return !BYTE_ORDER_MARK.has(byte)
    return this.#depth === this.#listDepth && byte !== 0x5d && byte !== 0x7d
  }

  #openText(): void {
    this.#inText = true
    if (this.#expectsKey && this.#depth <= DEEPEST_KEY && this.#listDepth === 0) this.#key = []
  }

  #passText(byte: number): void {
    if (this.#escaped) this.#escaped = false
    else if (byte === BACKSLASH) this.#escaped = true
    else if (byte === QUOTE) this.#inText = false
    if (!this.#key) return
    if (this.#inText) {
      if (this.#key.length < LONGEST_KEY) this.#key.push(byte)
      return
    }
    this.#keys[this.#depth] = String.fromCharCode(...this.#key)
    this.#key = undefined
    this.#expectsKey = false
  }

  #open(byte: number): void {
    this.#depth++
    if (this.#depth <= DEEPEST_KEY + 1) this.#opened[this.#depth] = byte
    this.#expectsKey = byte === OPEN_OBJECT
    if (byte !== OPEN_LIST || this.#listDepth > 0 || this.#isSpent) return
    const role = this.#roleHere()
    if (role === undefined) return
    this.#role = role
    this.#listDepth = this.#depth
    this.#forget()
  }

  /** What the elements of the list that has just been opened are. */
  #roleHere(): Role | undefined {
    const [, first, second] = this.#keys
    if (this.#depth === 1) return 'value'
    if (this.#opened[1] !== OPEN_OBJECT) return undefined
    if (this.#depth === 2 && first === 'events') return 'told'
    return this.#depth === 3 && this.#opened[2] === OPEN_OBJECT && first === 'log' && second === 'entries'
      ? 'entry'
      : undefined
  }

  #close(chunk: Uint8Array, from: number, at: number): JsonPiece | undefined {
    if (this.#depth === 0) return undefined
    const endsList = this.#depth === this.#listDepth
    const last = endsList && this.#startLine !== undefined ? this.#cut(chunk.subarray(from, at)) : undefined
    this.#depth--
    this.#expectsKey = false
    if (endsList) {
      this.#listDepth = 0
      this.#role = 'value'
      this.#isSpent = this.#depth > 0
      return last
    }
    if (this.#depth > 0) return undefined
    if (!this.#isSpent) return this.#cut(chunk.subarray(from, at + 1))
    this.#isSpent = false
    return undefined
  }

  #keep(bytes: Uint8Array): void {
    if (this.#keptBytes <= LONGEST_PIECE) this.#kept.push(bytes)
    this.#keptBytes += bytes.length
  }

  #cut(last: Uint8Array): JsonPiece {
    this.#keep(last)
    const whole = this.#kept.length === 1 ? (this.#kept[0] as Uint8Array) : Buffer.concat(this.#kept)
    const isTooLong = this.#keptBytes > LONGEST_PIECE
    const piece = {bytes: trimmed(whole), line: this.#startLine ?? this.line, role: this.#role, isTooLong}
    this.#forget()
    return piece
  }

  #forget(): void {
    this.#kept = []
    this.#keptBytes = 0
    this.#startLine = undefined
  }
}
