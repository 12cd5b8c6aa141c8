import {
  buildByteRules,
  CLOSE_LIST,
  COMMA,
  JsonTokenizer,
  LINE_FEED,
  NONE,
  OPEN_LIST,
  OPEN_OBJECT,
} from '../../language/json-tokenizer.js'

/** A value at the top of the input, or an element of the list that the input is. */
export interface OrderSlice {
  /** UTF-8; empty when it was too long to keep. */
  readonly bytes: Buffer
  /** In the whole input. */
  readonly start: number
  readonly end: number
  /** Colons outside strings: the number of members, if it is JSON. */
  readonly members: number
  /** Whether the input ends inside it, so that nothing after it can be distinguished. */
  readonly isCutOff: boolean
  /** Why it, or the list around it, is not JSON; the value itself is still to be parsed. */
  readonly problem?: string
}

/** Longer than any order may be; the shop takes 1 MiB. */
const LONGEST_SLICE_BYTES = 1024 * 1024
const TOO_LONG = 'is longer than 1 MiB, the limit of the shop; it may contain an unclosed bracket'

const BEHIND_LIST = 'unexpected text after the end of the list'
const BEHIND_WRAPPED = 'unexpected text after the list, or more orders'

/** Outside an order, text that is neither a value nor a comma counts as one word up to where a list would continue. */
const OUTSIDE = buildByteRules(Buffer.from('"{[],'), [...Array(0x21).keys(), COMMA, CLOSE_LIST])

/**
 * Splits JSON into its orders without parsing them: one object, a list of them, or one after the other, each on one line
 * or over several.
 *
 * If each order has a line of its own (`byLine`, or the first one has), a broken line does not affect the next one.
 * Strings end at the end of a line: an unclosed one would otherwise take everything after it.
 */
export class JsonSlicer {
  readonly #tokens = new JsonTokenizer({outside: OUTSIDE, endsTextsAtLines: true})
  #state: 'start' | 'list' | 'sequence' | 'done' = 'start'
  #isInOrder = false
  /** Of the order that the tokens are in. */
  #start = 0
  #startLine = 0
  #membersBefore = 0
  #kept: Buffer[] = []
  #keptBytes = 0
  #expectComma = false
  #afterComma = false
  /** The text after the list of an object, up to a bound. */
  #tail: string | undefined

  /** @param isEndedBy for the list of an object: whether the text after it ends the object */
  constructor(
    byLine: boolean,
    private readonly isEndedBy?: (tail: string) => boolean,
  ) {
    this.#tokens.shown = 0
    this.#tokens.showsLines = byLine
  }

  /** The slices that end in the next piece of the input. */
  *push(piece: Buffer): Generator<OrderSlice> {
    if (this.#tail === undefined) yield* this.#readTokens(piece)
    else if (this.#tail.length < LONGEST_SLICE_BYTES) this.#tail += piece.toString('latin1')
  }

  *#readTokens(piece: Buffer): Generator<OrderSlice> {
    const tokens = this.#tokens
    tokens.push(piece)
    for (let token = tokens.readToken(); token !== NONE; token = tokens.readToken()) {
      if (!this.#isInOrder) {
        yield* this.#readSeparator(token, piece)
        if (this.isEndedBy && this.#state === 'done') {
          this.#tail = piece.toString('latin1', tokens.end - tokens.offset)
          return
        }
      } else if (token !== LINE_FEED) yield this.#cut(piece, tokens.end)
      else if (this.#state === 'sequence') {
        yield this.#cut(piece, tokens.start)
        tokens.leave()
      }
    }
    if (this.#isInOrder) this.#keep(piece.subarray(Math.max(0, this.#start - tokens.offset)))
    else if (tokens.isUnfinished) this.#keep(piece.subarray(Math.max(0, tokens.start - tokens.offset)))
  }

  /** The rest at the end of the input. */
  *finish(): Generator<OrderSlice> {
    const tokens = this.#tokens
    if (this.#tail !== undefined) {
      if (!this.isEndedBy?.(this.#tail)) yield emptySlice(tokens.end, BEHIND_WRAPPED)
      return
    }
    const token = tokens.finish()
    const rest = Buffer.alloc(0)
    const isCutOff = !(tokens.showsLines && this.#state === 'sequence')
    if (token !== NONE) yield* this.#readSeparator(token, rest)
    else if (this.#isInOrder) yield {...this.#cut(rest, tokens.offset), isCutOff}
    if (this.#state === 'list')
      yield emptySlice(tokens.offset, 'the list is not closed: "]" is missing at the end')
  }

  /** The slices that a token between orders makes, if it makes any. */
  *#readSeparator(token: number, piece: Buffer): Generator<OrderSlice> {
    if (this.#state === 'start') {
      this.#state = token === OPEN_LIST ? 'list' : 'sequence'
      if (token === OPEN_LIST) {
        this.#tokens.leave()
        return
      }
    }
    const isEnd = token === CLOSE_LIST && this.#state === 'list'
    const problem = isEnd ? this.#endList() : token === COMMA ? this.#passComma() : this.#begin()
    if (problem !== undefined) yield emptySlice(this.#tokens.start, problem)
    if (isEnd || token === COMMA) return
    this.#isInOrder = token === OPEN_OBJECT || token === OPEN_LIST
    if (!this.#isInOrder) yield this.#cut(piece, this.#tokens.end)
  }

  /** @returns what is wrong with it, as the others do */
  #endList(): string | undefined {
    this.#state = 'done'
    return this.#afterComma ? 'a comma before the end of the list' : undefined
  }

  #passComma(): string | undefined {
    if (this.#state === 'done') return BEHIND_LIST
    if (this.#state === 'sequence') return 'a list of orders begins with "["'
    const isExpected = this.#expectComma
    this.#expectComma = false
    this.#afterComma = true
    return isExpected ? undefined : 'expected an order, not a comma'
  }

  #begin(): string | undefined {
    const {start, startLine, members} = this.#tokens
    this.#start = start
    this.#startLine = startLine
    this.#membersBefore = members
    this.#afterComma = false
    if (this.#state === 'done') return BEHIND_LIST
    return this.#state === 'list' && this.#expectComma ? 'a comma is missing before this' : undefined
  }

  #cut(piece: Buffer, end: number): OrderSlice {
    const {offset, line, members} = this.#tokens
    this.#keep(piece.subarray(Math.max(0, this.#start - offset), end - offset))
    const isTooLong = this.#keptBytes > LONGEST_SLICE_BYTES
    const [only] = this.#kept
    const bytes = this.#kept.length === 1 && only ? only : Buffer.concat(this.#kept)
    this.#kept = []
    this.#keptBytes = 0
    this.#isInOrder = false
    this.#expectComma = true
    if (this.#state === 'sequence' && line === this.#startLine) this.#tokens.showsLines = true
    const slice = {bytes, start: this.#start, end, members: members - this.#membersBefore, isCutOff: false}
    return isTooLong ? {...slice, problem: TOO_LONG} : slice
  }

  #keep(bytes: Buffer): void {
    this.#keptBytes += bytes.length
    if (this.#keptBytes <= LONGEST_SLICE_BYTES) this.#kept.push(bytes)
    else this.#kept = []
  }
}

function emptySlice(start: number, problem: string): OrderSlice {
  return {bytes: Buffer.alloc(0), start, end: start, members: 0, isCutOff: false, problem}
}
