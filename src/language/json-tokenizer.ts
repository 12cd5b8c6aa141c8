import {
  type ByteRules,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  DEEPEST,
  endOfText,
  JSON_RULES,
  LINE_FEED,
  NONE,
  OPEN_LIST,
  OPEN_OBJECT,
  SPACE,
  TEXT,
  WORD,
} from './json-bytes.js'

export * from './json-bytes.js'

const LONGEST_EXCERPT = 32

export interface TokenizerOptions {
  /** How bytes outside all brackets are read; as inside them unless given. */
  readonly outside?: ByteRules
  /** Whether a text that is not closed ends with its line. No JSON text reaches over one. */
  readonly endsTextsAtLines?: boolean
}

/**
 * Cuts JSON that comes in pieces into tokens, in linear time and without keeping bytes. It checks nothing: words, escapes
 * and the order of tokens are for whoever parses them, and brackets are counted, whatever their kind.
 *
 * @see RFC 8259 §2
 */
export class JsonTokenizer {
  /** Of the token found last: its first byte in the whole input. */
  start = 0
  /** Behind its last byte. */
  end = 0
  /** The line that it begins on, from 1. */
  startLine = 1
  /** Open brackets; 0 at a bracket that closes none. */
  depth = 0
  /** Tokens inside more brackets than these are passed over. */
  shown = Number.POSITIVE_INFINITY
  /** Whether line feeds inside brackets are tokens. */
  showsLines = false
  /** Line feeds so far, and 1. */
  line = 1
  /** Colons so far: as many as there were members, if it is JSON. */
  members = 0
  /** Whether there were more than `DEEPEST` brackets at once since this was set to `false`. */
  isTooDeep = false

  /** Whether a text held a control character, which JSON has escaped, since this was set to `false`. */
  hasControls = false

  readonly #outside: ByteRules
  readonly #endsTextsAtLines: boolean
  #bytes: Uint8Array = new Uint8Array()
  /** Of the first of `#bytes` in the whole input. */
  #offset = 0
  #at = 0
  /** `TEXT` or `WORD` where one goes on in the next bytes. */
  #unfinished: number = NONE
  #isEscaped = false
  /** The beginning of an unfinished token. */
  #beginning = ''

  constructor({outside = JSON_RULES, endsTextsAtLines = false}: TokenizerOptions = {}) {
    this.#outside = outside
    this.#endsTextsAtLines = endsTextsAtLines
  }

  /** Goes on with the next bytes, once `next` has found `NONE` in those before. */
  push(bytes: Uint8Array): void {
    this.#offset += this.#bytes.length
    this.#bytes = bytes
    this.#at = 0
  }

  /** Goes on in bytes that are the whole input, inside so many brackets. */
  seek(bytes: Uint8Array, at: number, depth: number): void {
    this.#offset = 0
    this.#bytes = bytes
    this.#at = at
    this.#unfinished = NONE
    this.depth = depth
  }

  /** The first byte that was pushed last, in the whole input. */
  get offset(): number {
    return this.#offset
  }

  /** Whether the token at `start` goes on in bytes to come. */
  get isUnfinished(): boolean {
    return this.#unfinished !== NONE && this.depth <= this.shown
  }

  /** The first 32 bytes of the token found last, as Latin-1. */
  get excerpt(): string {
    return this.#takeExcerpt(this.end)
  }

  /** The next token; `NONE` at the end of the bytes. */
  readToken(): number {
    if (this.#unfinished !== NONE) {
      const kind = this.#unfinished
      const isWhole = kind === TEXT ? this.#passText() : this.#passWord()
      if (!isWhole) return NONE
      if (this.depth <= this.shown) return this.#endToken(kind)
    }
    while (this.#at < this.#bytes.length) {
      const kind = this.depth > this.shown ? this.#passHidden() : this.#step()
      if (kind !== NONE) return kind
    }
    return NONE
  }

  /** The token that the input ends in, `NONE` where it ends in none. */
  finish(): number {
    this.push(new Uint8Array())
    const kind = this.isUnfinished ? this.#unfinished : NONE
    this.#unfinished = NONE
    return kind === NONE ? NONE : this.#endToken(kind)
  }

  /** Leaves all brackets. */
  leave(): void {
    this.depth = 0
  }

  #endToken(kind: number): number {
    this.end = this.#offset + this.#at
    return kind
  }

  /** Passes over blanks and finds the token behind them. */
  #step(): number {
    const bytes = this.#bytes
    const {kinds} = this.depth === 0 ? this.#outside : JSON_RULES
    for (let at = this.#at; at < bytes.length; at++) {
      const byte = bytes[at] as number
      const kind = kinds[byte] as number
      if (kind === NONE && byte !== LINE_FEED) continue
      this.#at = at + 1
      if (kind !== NONE) return this.#begin(kind, this.#offset + at)
      this.line++
      if (this.showsLines && this.depth > 0) return this.#endLineFeed()
    }
    this.#at = bytes.length
    return NONE
  }

  #endLineFeed(): number {
    this.start = this.#offset + this.#at - 1
    return this.#endToken(LINE_FEED)
  }

  #begin(kind: number, start: number): number {
    this.start = start
    this.startLine = this.line
    switch (kind) {
      case TEXT:
        if (!this.#passText()) return NONE
        break
      case WORD:
        if (!this.#passWord()) return NONE
        break
      case OPEN_LIST:
      case OPEN_OBJECT:
        this.#open()
        break
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        if (this.depth > 0) this.depth--
        break
      case COLON:
        this.members++
    }
    return this.#endToken(kind)
  }

  #open(): void {
    this.depth++
    if (this.depth > DEEPEST) this.isTooDeep = true
  }

  /** To the bracket that leads back to what is shown. */
  #passHidden(): number {
    const bytes = this.#bytes
    const {length} = bytes
    for (let at = this.#at; at < length; at++) {
      switch (bytes[at]) {
        case TEXT: {
          const end = endOfText(bytes, at + 1)
          if (bytes[end] === TEXT) {
            at = end
            break
          }
          this.#at = at + 1
          if (!this.#passText()) return NONE
          at = this.#at - 1
          break
        }
        case OPEN_LIST:
        case OPEN_OBJECT:
          this.#open()
          break
        case CLOSE_LIST:
        case CLOSE_OBJECT:
          this.depth--
          if (this.depth > this.shown) break
          this.start = this.#offset + at
          this.startLine = this.line
          this.#at = at + 1
          return this.#endToken(bytes[at] as number)
        case COLON:
          this.members++
          break
        case LINE_FEED:
          this.line++
          if (!this.showsLines) break
          this.#at = at + 1
          return this.#endLineFeed()
      }
    }
    this.#at = length
    return NONE
  }

  /** @returns whether the text ended in these bytes */
  #passText(): boolean {
    const bytes = this.#bytes
    if (bytes.length === 0) return false
    const isEscaped = this.#isEscaped && (bytes[0] as number) >= SPACE
    this.#isEscaped = false
    let at = isEscaped ? 1 : this.#at
    for (at = endOfText(bytes, at); at < bytes.length; at = endOfText(bytes, at + 1)) {
      const byte = bytes[at]
      if (byte === TEXT || (byte === LINE_FEED && this.#endsTextsAtLines)) {
        this.#at = byte === TEXT ? at + 1 : at
        this.#unfinished = NONE
        return true
      }
      this.hasControls = true
      if (byte === LINE_FEED) this.line++
    }
    this.#isEscaped = at > bytes.length
    return this.#carry(TEXT)
  }

  #passWord(): boolean {
    const bytes = this.#bytes
    const {endsWord} = this.depth === 0 ? this.#outside : JSON_RULES
    for (let at = this.#at; at < bytes.length; at++) {
      if (endsWord[bytes[at] as number] === 0) continue
      this.#at = at
      this.#unfinished = NONE
      return true
    }
    return this.#carry(WORD)
  }

  #carry(kind: number): false {
    this.#beginning = this.depth <= this.shown ? this.#takeExcerpt(this.#offset + this.#bytes.length) : ''
    this.#at = this.#bytes.length
    this.#unfinished = kind
    return false
  }

  #takeExcerpt(end: number): string {
    const before = this.start < this.#offset ? this.#beginning : ''
    const from = Math.max(0, this.start - this.#offset)
    const to = Math.min(end - this.#offset, from + LONGEST_EXCERPT - before.length)
    return before + String.fromCharCode(...this.#bytes.subarray(from, to))
  }
}
