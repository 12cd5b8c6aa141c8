/** A value at the top of the input, or an element of the list that the input is. */
export interface Slice {
  /** UTF-8; empty when it was too long to keep. */
  readonly bytes: Buffer
  /** In the whole input. */
  readonly start: number
  readonly end: number
  /** Colons outside texts: as many as there are members, if it is JSON. */
  readonly members: number
  /** Whether the input ends inside it, so that nothing behind it could be told apart. */
  readonly isCutOff: boolean
  /** What keeps it, or the list around it, from being JSON; the value itself is still to be parsed. */
  readonly problem?: string
}

const LINE_FEED = 0x0a
const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN = 0x7b
const CLOSE = 0x7d

/** Longer than any order may be; the shop takes 1 MiB. */
export const LONGEST_SLICE_BYTES = 1024 * 1024
const TOO_LONG = 'is longer than 1 MiB, which is the most the shop takes; a bracket may not be closed'

/**
 * Cuts JSON into the orders it holds without parsing them: one object, a list of them, or one after the other, each
 * on its line or over several.
 *
 * Where each order has a line of its own (`byLine`, or the first one has), a line that is broken does not take the
 * next one with it.
 */
export class JsonSlicer {
  #position = 0
  #state: 'start' | 'list' | 'sequence' | 'done' = 'start'
  #byLine: boolean
  #inItem: 'no' | 'nested' | 'text' | 'scalar' = 'no'
  #depth = 0
  #inString = false
  #escaped = false
  #start = 0
  #kept: Buffer[] = []
  #keptBytes = 0
  #members = 0
  #expectComma = false
  #afterComma = false
  #lines = 0
  #startLine = 0

  constructor(byLine: boolean) {
    this.#byLine = byLine
  }

  /** The slices that end in the next piece of the input. */
  *push(piece: Buffer): Generator<Slice> {
    let from = 0
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at] as number
      if (this.#inItem === 'no') {
        if (byte === LINE_FEED) this.#lines++
        if (byte === LINE_FEED || byte === SPACE || byte === 0x0d || byte === 0x09) continue
        const problem = this.#outside(byte, at)
        if (problem !== undefined) yield this.#empty(at, problem)
        from = at
        continue
      }
      const end = this.#inside(byte)
      if (end === 'goes-on') continue
      const behind = end === 'with-this' ? at + 1 : at
      yield this.#cut(piece.subarray(from, behind), this.#position + behind)
      if (end === 'before-this') at--
    }
    if (this.#inItem !== 'no') this.#keep(piece.subarray(from))
    this.#position += piece.length
  }

  /** What is left when the input ends. */
  *finish(): Generator<Slice> {
    const isCutOff = this.#inItem === 'nested' && !(this.#byLine && this.#state === 'sequence')
    if (this.#inItem !== 'no') yield {...this.#cut(Buffer.alloc(0), this.#position), isCutOff}
    if (this.#state === 'list') yield this.#empty(0, 'the list is not closed: "]" is missing at the end')
  }

  /** @returns what is wrong with a byte between items */
  #outside(byte: number, at: number): string | undefined {
    if (this.#state === 'start') {
      this.#state = byte === OPEN_LIST ? 'list' : 'sequence'
      if (byte === OPEN_LIST) return undefined
    }
    if (this.#state === 'done') return this.#begin(byte, at, 'something follows the end of the list')
    if (this.#state === 'sequence') {
      return this.#begin(byte, at, byte === COMMA ? 'a list of orders begins with "["' : undefined)
    }
    if (byte === CLOSE_LIST) {
      this.#state = 'done'
      return this.#afterComma ? 'a comma stands before the end of the list' : undefined
    }
    if (byte === COMMA) {
      const problem = this.#expectComma ? undefined : 'a comma stands where an order is expected'
      this.#expectComma = false
      this.#afterComma = true
      return problem
    }
    return this.#begin(byte, at, this.#expectComma ? 'a comma is missing before this' : undefined)
  }

  #begin(byte: number, at: number, problem: string | undefined): string | undefined {
    if (byte === COMMA) return problem
    this.#start = this.#position + at
    this.#startLine = this.#lines
    this.#afterComma = false
    this.#depth = 1
    this.#inString = byte === QUOTE
    this.#escaped = false
    const opens = byte === OPEN || byte === OPEN_LIST
    this.#inItem = opens ? 'nested' : byte === QUOTE ? 'text' : 'scalar'
    return problem
  }

  /** How a byte inside an item ends it, if it does. */
  #inside(byte: number): 'goes-on' | 'with-this' | 'before-this' {
    if (byte === LINE_FEED) {
      if (this.#byLine && this.#state === 'sequence') return 'before-this'
      this.#lines++
    }
    if (this.#inString) {
      // No text reaches over a line: one that is not closed would take all that follows with it.
      if (byte === LINE_FEED) {
        this.#inString = false
        this.#escaped = false
      } else if (this.#escaped) this.#escaped = false
      else if (byte === BACKSLASH) this.#escaped = true
      else if (byte === QUOTE) {
        this.#inString = false
        if (this.#inItem === 'text') return 'with-this'
      }
      return 'goes-on'
    }
    if (this.#inItem === 'scalar') {
      const ends = byte <= SPACE || byte === COMMA || byte === CLOSE_LIST
      return ends ? 'before-this' : 'goes-on'
    }
    if (byte === QUOTE) this.#inString = true
    else if (byte === OPEN || byte === OPEN_LIST) this.#depth++
    else if (byte === CLOSE || byte === CLOSE_LIST) {
      if (--this.#depth === 0) return 'with-this'
    } else if (byte === COLON) this.#members++
    return 'goes-on'
  }

  #cut(last: Buffer, end: number): Slice {
    this.#keep(last)
    const isTooLong = this.#keptBytes > LONGEST_SLICE_BYTES
    const [only] = this.#kept
    const bytes = this.#kept.length === 1 && only ? only : Buffer.concat(this.#kept)
    this.#kept = []
    this.#keptBytes = 0
    const members = this.#members
    this.#members = 0
    this.#inItem = 'no'
    this.#expectComma = true
    if (this.#state === 'sequence' && this.#lines === this.#startLine) this.#byLine = true
    const slice = {bytes, start: this.#start, end, members, isCutOff: false}
    return isTooLong ? {...slice, problem: TOO_LONG} : slice
  }

  #keep(bytes: Buffer): void {
    this.#keptBytes += bytes.length
    if (this.#keptBytes <= LONGEST_SLICE_BYTES) this.#kept.push(bytes)
    else this.#kept = []
  }

  #empty(at: number, problem: string): Slice {
    const start = this.#position + at
    return {bytes: Buffer.alloc(0), start, end: start, members: 0, isCutOff: false, problem}
  }
}
