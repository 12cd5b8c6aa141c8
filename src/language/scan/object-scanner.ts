import {CLOSE_LIST, CLOSE_OBJECT, LINE_FEED, OPEN_OBJECT} from '../json-bytes.js'
import {ObjectRun} from './object-run.js'
import {findSpelling, PLAIN} from './spelling.js'
import {NO_MARK, type ScanResult, type TextPart, TextWindow} from './text-window.js'

export type {BrokenText, FoundObject, ScanResult} from './text-window.js'

/** Of a longer document that has the word, the elements of its lists are taken one by one. */
const LONGEST_DOCUMENT = 1024 * 1024
/** Of one without it, too. */
const LONGEST_WITHOUT = 8 * 1024 * 1024
/** The longest object that is read. */
const LONGEST_OBJECT = 16 * 1024 * 1024

/**
 * Finds the JSON objects of a text, whatever is around them: several in a line, one over many lines, with quotes that
 * are escaped once or several times. A line that begins with `>`, or with the text before the brace, continues after
 * that. Time is linear in the length of the text; memory is that of the longest object, 16 MiB at most.
 */
export class ObjectScanner {
  readonly #word: Buffer
  #run: ObjectRun | undefined
  /** The bytes of the object that is open, from its brace, and room for more. */
  #held = NOTHING
  #heldBytes = 0
  /** Another buffer for them, used in turns. */
  #spare = NOTHING
  #heldLine = 1
  /** What stands before its brace in its line. */
  #before = ''
  /** The same with any numbers. */
  #numbered: RegExp | undefined
  /** How far they were looked through for the word; `undefined` once it was found. */
  #lookedAt: number | undefined
  /** A brace at the end of a part of a line, of which the next part shows whether it begins an object. */
  #tail = NOTHING
  /** Whether the parts of the line so far hold nothing but objects, brackets and commas. */
  #isLineClean = true
  /** Whether the object that is open is too long, and only read to its end. */
  #isSkipping = false
  /** Brackets that are open around the elements of a long document, which are taken one by one. */
  #peeled = 0
  #isDocumentWhole = false

  /** @param word the member that objects are looked for by */
  constructor(word: string) {
    this.#word = Buffer.from(word)
  }

  get isOpen(): boolean {
    return this.#run !== undefined
  }

  /** Whether the elements of a long document are being taken one by one. */
  get isInDocument(): boolean {
    return this.#peeled > 0
  }

  /** Reads a line. @param bytes without its line end @param line from 1 */
  readLine(bytes: Buffer, line: number): ScanResult {
    return this.readPart(bytes, line, {isFirst: true, isLast: true})
  }

  /** Reads a part of a line that is too long to be read at once. */
  readPart(bytes: Buffer, line: number, {isFirst, isLast}: {isFirst: boolean; isLast: boolean}): ScanResult {
    const isHeld = this.#run !== undefined && !this.#isSkipping
    const part = isHeld ? this.#extend(bytes, isFirst) : this.#joinTail(bytes, line, isFirst, isLast)
    const window = new TextWindow(part, this.#word)
    window.isInDocument = this.#peeled > 0 && this.#isDocumentWhole
    return this.#scan(window, {bytes: part.bytes, isHeld, endsLine: isLast})
  }

  /** Ends the text: what is open is cut off. */
  end(): ScanResult {
    const run = this.#run
    const bytes = this.#viewHeld()
    const part = {bytes, line: this.#heldLine, lineStart: 0, before: this.#before, isLine: false}
    const window = new TextWindow(part, this.#word)
    if (run && !this.#isSkipping) window.addFailed(run, bytes.length)
    this.#run = undefined
    this.#heldBytes = 0
    return window.tell()
  }

  #joinTail(bytes: Buffer, line: number, isFirst: boolean, isLast: boolean): TextPart {
    const tail = this.#tail
    this.#tail = NOTHING
    const whole = tail.length === 0 ? bytes : Buffer.concat([tail, bytes])
    const before = isFirst || this.#isLineClean ? '' : NO_MARK
    return {bytes: whole, line, lineStart: 0, before, isLine: isFirst && isLast}
  }

  /** The bytes that are held, with more behind them. */
  #extend(bytes: Buffer, isLine: boolean): TextPart {
    const lineStart = isLine ? this.#heldBytes + 1 : 0
    if (isLine) this.#append(LINE_END)
    this.#append(isLine ? stripPrefix(bytes, this.#before, this.#numbered) : bytes)
    const held = {line: this.#heldLine, before: this.#before, isLine: false}
    return {bytes: this.#viewHeld(), lineStart, ...held}
  }

  #viewHeld(): Buffer {
    return this.#held.subarray(0, this.#heldBytes)
  }

  #append(bytes: Buffer): void {
    const size = this.#heldBytes + bytes.length
    if (size > this.#held.length) {
      const wider = Buffer.allocUnsafe(Math.max(size, 2 * this.#held.length))
      this.#held.copy(wider, 0, 0, this.#heldBytes)
      this.#held = wider
    }
    bytes.copy(this.#held, this.#heldBytes)
    this.#heldBytes = size
  }

  /** From where it stands to the end of the bytes. */
  #scan(window: TextWindow, reading: Reading): ScanResult {
    for (let at = 0; at !== END; ) {
      const run = this.#run ?? this.#begin(reading, at, window)
      this.#run = run
      at = run ? this.#follow(run, at, window, reading) : END
    }
    if (!this.#run) this.#heldBytes = 0
    const result = window.tell()
    this.#isLineClean = reading.endsLine || (this.#isLineClean && window.isWhole)
    return result
  }

  /** @returns where to go on, `END` where there is no more to read */
  #follow(run: ObjectRun, at: number, window: TextWindow, reading: Reading): number {
    const {bytes, endsLine} = reading
    run.read(bytes)
    if (run.isBetweenElements) return this.#mayTakeElements(run, bytes) ? this.#takeElements(run, window) : at
    if (run.state === 'open' && !(endsLine && run.isInString)) {
      window.end = Math.max(0, run.start)
      this.#hold(run, window, reading)
      return END
    }
    this.#run = undefined
    const isRefusal = !this.#isSkipping && run.state !== 'closed' && window.isRefusal(run)
    if (isRefusal) window.refuse(run)
    return isRefusal ? END : this.#end(run, window, bytes)
  }

  /** Takes what has ended. @returns where to go on */
  #end(run: ObjectRun, window: TextWindow, bytes: Buffer): number {
    const wasSkipping = this.#isSkipping
    this.#isSkipping = false
    if (wasSkipping) return window.cover(0, run.at)
    if (run.state === 'closed') return window.addClosed(run)
    const isDoubled = run.looksDoubled && this.#retry(run, bytes)
    return isDoubled ? run.start : window.addFailed(run, run.state === 'open' ? bytes.length : run.at)
  }

  /** @returns `undefined` where no brace begins an object */
  #begin({bytes, endsLine}: Reading, from: number, window: TextWindow): ObjectRun | undefined {
    for (let at = this.#findBrace(bytes, from); at >= 0; at = this.#findBrace(bytes, at + 1)) {
      const found = findSpelling(bytes, at)
      if (found === 'unknown' && !endsLine) {
        this.#tail = Buffer.from(bytes.subarray(at))
        window.end = at
        return undefined
      }
      const spelling = found === 'unknown' ? PLAIN : found
      if (!spelling) continue
      this.#lookedAt = at
      return new ObjectRun(at, spelling, this.#word)
    }
    return undefined
  }

  #findBrace(bytes: Buffer, from: number): number {
    let at = from
    for (; this.#peeled > 0 && at < bytes.length; at++) {
      const byte = bytes[at]
      if (byte === OPEN_OBJECT) return at
      if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#peeled--
    }
    return bytes.indexOf(OPEN_OBJECT, at)
  }

  /** The same brace once more, with backslashes that are doubled. */
  #retry({start}: ObjectRun, bytes: Buffer): boolean {
    const again = new ObjectRun(start, {level: 0, isDoubled: true}, this.#word)
    if (again.read(bytes) !== 'failed') this.#run = again
    return this.#run !== undefined
  }

  /** Whether an object is a long document with a list, of which an element has just ended. */
  #mayTakeElements(run: ObjectRun, bytes: Buffer): boolean {
    const size = run.at - run.start
    if (size <= LONGEST_DOCUMENT || run.hasMember || this.#isSkipping) return false
    if (this.#lookedAt !== undefined) {
      const found = bytes.subarray(0, run.at).indexOf(this.#word, this.#lookedAt)
      this.#lookedAt = found < 0 ? Math.max(run.start, run.at - this.#word.length) : undefined
    }
    return this.#lookedAt === undefined || size > LONGEST_WITHOUT
  }

  #takeElements(run: ObjectRun, window: TextWindow): number {
    if (this.#peeled === 0) this.#isDocumentWhole = window.isFirst(run.start)
    this.#peeled += run.depth
    this.#run = undefined
    window.isInDocument = this.#isDocumentWhole
    return window.addElements(run)
  }

  /** Keeps what is open for the bytes to come. */
  #hold(run: ObjectRun, window: TextWindow, {bytes, isHeld}: Reading): void {
    const {start} = run
    if (this.#isSkipping || bytes.length - start > LONGEST_OBJECT) {
      if (!this.#isSkipping) window.addTooLong(run)
      this.#isSkipping = true
      this.#heldBytes = 0
      run.rebase(bytes.length)
    } else if (!isHeld || start > 0) {
      this.#before = window.readBefore(start)
      this.#numbered = findNumbered(this.#before)
      this.#heldLine = window.countLine(start)
      if (this.#lookedAt !== undefined) this.#lookedAt = Math.max(0, this.#lookedAt - start)
      // Not over what was found, which has still to be read from these bytes.
      if (isHeld) [this.#held, this.#spare] = [this.#spare, this.#held]
      this.#heldBytes = 0
      this.#append(bytes.subarray(start))
      run.rebase(start)
    }
  }
}

/** Bytes that are read at once. */
interface Reading {
  readonly bytes: Buffer
  /** Whether they begin with the object that is open. */
  readonly isHeld: boolean
  readonly endsLine: boolean
}

const END = -1
const NOTHING = Buffer.alloc(0)
const LINE_END = Buffer.from([LINE_FEED])

/** Without what every line of a quotation, a comment or a log begins with. */
function stripPrefix(line: Buffer, before: string, numbered: RegExp | undefined): Buffer {
  const text = line.toString('latin1', 0, before.length + 256)
  // What closes a line of the object is no mark.
  const prefixes = /^[\s[\]{},]*$/.test(before) ? [] : [before, before.trimEnd()]
  const length = prefixes.find(each => text.startsWith(each))?.length ?? numbered?.exec(text)?.[0].length
  return line.subarray(length ?? /^[ \t]*(?:>[ \t]?)+/.exec(text)?.[0].length ?? 0)
}

/** Of a mark with numbers, as times and lines' numbers are, which differ from line to line. */
function findNumbered(before: string): RegExp | undefined {
  if (before.length > LONGEST_MARK || !/\d/.test(before) || !/[:|\]\s]$/.test(before)) return undefined
  const escaped = before.trimStart().replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^[ \\t]*${escaped.replace(/\d+/g, '\\d+')}`)
}

const LONGEST_MARK = 256
