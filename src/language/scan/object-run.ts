import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  DEEPEST,
  LINE_FEED,
  OPEN_LIST,
  OPEN_OBJECT,
  SPACE,
  TEXT,
} from '../json-bytes.js'
import {BACKSLASH, findRunEnd, isBlankLetter, readQuote, type Spelling} from './spelling.js'

/** The state of a run after the bytes so far. */
export type RunState = 'open' | 'closed' | 'failed'

/** Bytes of an object that ended inside the run. */
export interface FoundRange {
  readonly from: number
  readonly end: number
}

const SLASH = 0x2f
const STAR = 0x2a

/** What may come next inside brackets. */
const KEY = 0
const KEY_OR_END = 1
const AFTER_KEY = 2
const VALUE = 3
const VALUE_OR_END = 4
const AFTER_VALUE = 5

const WORD_STARTS = new Set(Buffer.from('-0123456789tfn'))
const WORD_BYTES = new Set(Buffer.from('-+.0123456789Eabcdefghijklmnopqrstuvwxyz'))

/**
 * Reads one object from its opening brace, as strictly as JSON, except for comments and trailing commas: anything else
 * ends the run at once, so that braces in a text cost little. Bytes may come in parts; none is read twice.
 *
 * @see RFC 8259
 */
export class ObjectRun {
  /** Where it stands in the bytes. */
  at: number
  state: RunState = 'open'
  /** Objects that ended inside it, those inside each other left out. */
  readonly inner: FoundRange[] = []
  /** The first opening brace in the string that was read last; -1 for none. */
  stray = -1
  /** Whether it has comments, or commas behind the last of its members. */
  isLoose = false
  /** Whether the object itself has the requested member. */
  hasMember = false
  /** Whether it ended because of more than 512 nested brackets. */
  isTooDeep = false
  /** Whether a string ended as one does whose backslashes are doubled. */
  looksDoubled = false
  /** Whether the bytes so far end inside a string. */
  isInString = false

  /** The opening brackets, and where each stands. */
  readonly #kinds: number[] = []
  readonly #starts: number[] = []
  #lists = 0
  #expected = KEY_OR_END
  #isKey = false
  #stringStart = 0
  #isInComment = false
  readonly #quoteRun: number

  /**
   * @param start of the opening brace
   * @param member name of a member to look for in the object itself
   */
  constructor(
    public start: number,
    readonly spelling: Spelling,
    private readonly member: Buffer,
  ) {
    this.at = start + 1
    this.#kinds.push(OPEN_OBJECT)
    this.#starts.push(start)
    this.#quoteRun = spelling.isDoubled ? 0 : 2 ** spelling.level - 1
  }

  /** Whether it stopped behind an element of the outermost list, which alone is open, with what holds it. */
  isBetweenElements = false

  get depth(): number {
    return this.#kinds.length
  }

  /** Goes on, up to the end of the bytes, of the run, or of an element of the outermost list. */
  read(bytes: Buffer): RunState {
    this.isBetweenElements = false
    while (this.state === 'open' && this.at < bytes.length) {
      const from = this.at
      if (this.#isInComment) this.#passComment(bytes)
      else if (this.isInString) this.#passString(bytes)
      else this.#step(bytes, bytes[from] as number)
      // What a run of backslashes means shows behind it only.
      if (this.at === from) break
      if (this.isBetweenElements) break
    }
    return this.state
  }

  /** Places are counted from a later byte from now on. */
  rebase(by: number): void {
    this.start -= by
    this.at = Math.max(0, this.at - by)
    this.#stringStart -= by
    this.stray -= by
    for (const [index, at] of this.#starts.entries()) this.#starts[index] = at - by
    const inner = this.inner.splice(0)
    for (const {from, end} of inner) if (from >= by) this.inner.push({from: from - by, end: end - by})
  }

  #fail(): undefined {
    this.state = 'failed'
  }

  #step(bytes: Buffer, byte: number): undefined {
    switch (byte) {
      case SPACE:
      case LINE_FEED:
      case 0x0d:
      case 0x09:
        this.at++
        return
      case BACKSLASH:
        this.#passEscaped(bytes)
        return
      case TEXT:
        if (this.#quoteRun === 0) this.#openString(1)
        else this.#fail()
        return
      case OPEN_OBJECT:
      case OPEN_LIST:
        this.#open(byte)
        return
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        this.#close(byte)
        return
      case COLON:
        this.#expect(AFTER_KEY, VALUE)
        return
      case COMMA:
        this.#expect(AFTER_VALUE, this.#kinds.at(-1) === OPEN_OBJECT ? KEY : VALUE)
        return
      case SLASH:
        this.#openComment(bytes)
        return
      default:
        this.#passWord(bytes, byte)
    }
  }

  #expect(now: number, next: number): undefined {
    if (this.#expected !== now) return this.#fail()
    this.#expected = next
    this.at++
  }

  get #takesValue(): boolean {
    return this.#expected === VALUE || this.#expected === VALUE_OR_END
  }

  #open(byte: number): undefined {
    if (!this.#takesValue) return this.#fail()
    if (this.#kinds.length === DEEPEST) {
      this.isTooDeep = true
      return this.#fail()
    }
    this.#kinds.push(byte)
    this.#starts.push(this.at)
    if (byte === OPEN_LIST) this.#lists++
    this.#expected = byte === OPEN_OBJECT ? KEY_OR_END : VALUE_OR_END
    this.at++
  }

  #close(byte: number): undefined {
    const isObject = byte === CLOSE_OBJECT
    const isEmpty = this.#expected === (isObject ? KEY_OR_END : VALUE_OR_END)
    const isBehindComma = this.#expected === (isObject ? KEY : VALUE)
    const mayEnd = isEmpty || isBehindComma || this.#expected === AFTER_VALUE
    this.isLoose ||= isBehindComma
    if (!mayEnd || this.#kinds.at(-1) !== (isObject ? OPEN_OBJECT : OPEN_LIST)) return this.#fail()
    this.#kinds.pop()
    const from = this.#starts.pop() as number
    this.at++
    this.#expected = AFTER_VALUE
    if (!isObject) this.#lists--
    else if (this.#kinds.length === 0) this.state = 'closed'
    else {
      while ((this.inner.at(-1)?.from ?? -1) > from) this.inner.pop()
      this.inner.push({from, end: this.at})
      this.isBetweenElements = this.#lists === 1 && this.#kinds.at(-1) === OPEN_LIST
    }
  }

  #openString(length: number): undefined {
    this.#isKey = this.#expected === KEY || this.#expected === KEY_OR_END
    if (!this.#isKey && !this.#takesValue) return this.#fail()
    this.isInString = true
    this.at += length
    this.#stringStart = this.at
    this.stray = -1
  }

  #passString(bytes: Buffer): undefined {
    for (let at = this.at; at >= 0 && at < bytes.length; ) {
      at = this.#findSpecial(bytes, at)
      this.at = at
      const byte = bytes[at]
      if (byte === TEXT && this.#quoteRun === 0) return this.#endString(bytes, at, 1)
      if (byte !== undefined && byte !== BACKSLASH) return this.#fail()
      at = byte === undefined ? at : this.#passBackslashes(bytes, at)
    }
  }

  /** @returns behind them and what they escape; -1 where the string ends, or goes on in bytes to come */
  #passBackslashes(bytes: Buffer, at: number): number {
    const end = findRunEnd(bytes, at)
    if (end === bytes.length) return -1
    const run = end - at
    // An odd one escapes what is behind it.
    if (bytes[end] !== TEXT) return run % 2 === 1 ? end + 1 : end
    const meaning = readQuote(this.spelling, run)
    if (meaning === 'ends' && this.#quoteRun === 0 && run % 4 === 2) this.looksDoubled = true
    if (meaning === 'belongs') return end + 1
    if (meaning === 'ends') this.#endString(bytes, at, run + 1)
    else this.#fail()
    return -1
  }

  /** The next quote, backslash or control character. */
  #findSpecial(bytes: Buffer, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at] as number
      if (byte === TEXT || byte === BACKSLASH || byte < SPACE) return at
      if (byte === OPEN_OBJECT && this.stray < 0) this.stray = at
    }
    return bytes.length
  }

  #endString(bytes: Buffer, at: number, length: number): undefined {
    if (this.#isKey && this.#kinds.length === 1 && !this.hasMember)
      this.hasMember = bytes.subarray(this.#stringStart, at).equals(this.member)
    this.isInString = false
    this.at = at + length
    this.#expected = this.#isKey ? AFTER_KEY : AFTER_VALUE
  }

  /** Outside strings a backslash is part of a quote, or of a line end that was escaped with the rest. */
  #passEscaped(bytes: Buffer): undefined {
    const end = findRunEnd(bytes, this.at)
    if (end === bytes.length) return
    const run = end - this.at
    const {level, isDoubled} = this.spelling
    const isEscaped = level > 0 || isDoubled
    if (isEscaped && isBlankLetter(bytes[end])) this.at = end + 1
    else if (bytes[end] === TEXT && run === this.#quoteRun) this.#openString(run + 1)
    else this.#fail()
  }

  #passWord(bytes: Buffer, first: number): undefined {
    if (!this.#takesValue || !WORD_STARTS.has(first)) return this.#fail()
    let end = this.at + 1
    while (end < bytes.length && WORD_BYTES.has(bytes[end] as number)) end++
    if (end === bytes.length) return // it may go on in bytes to come
    this.at = end
    this.#expected = AFTER_VALUE
  }

  #openComment(bytes: Buffer): undefined {
    const next = bytes[this.at + 1]
    if (next === undefined && this.at + 1 === bytes.length) return
    const isComment = (next === SLASH || next === STAR) && this.#expected !== AFTER_KEY
    if (!isComment || this.#quoteRun > 0) return this.#fail()
    this.isLoose = true
    if (next === STAR) {
      this.#isInComment = true
      this.at += 2
      return
    }
    const end = bytes.indexOf(LINE_FEED, this.at)
    this.at = end < 0 ? bytes.length : end
  }

  #passComment(bytes: Buffer): undefined {
    const end = bytes.indexOf('*/', this.at)
    this.#isInComment = end < 0
    // The star of its end may be the last byte.
    this.at = end < 0 ? Math.max(this.at, bytes.length - 1) : end + 2
  }
}
