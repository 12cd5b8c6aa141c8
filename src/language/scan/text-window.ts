import {isUtf8} from 'node:buffer'
import {LINE_FEED, SPACE} from '../json-bytes.js'
import type {FoundRange, ObjectRun} from './object-run.js'
import {readSpelled} from './spelling.js'

/** A JSON object in a text. */
export interface FoundObject {
  /** As it was before it became part of a string around it, and without comments. */
  readonly text: string
  /** That it begins on, from 1. */
  readonly line: number
  /** Whether its lines hold nothing but objects, brackets and commas. */
  readonly isWhole: boolean
  /** What stands before and behind it, where it is the only one of one line. */
  readonly around?: {readonly before: string; readonly after: string} | undefined
}

/** A part of a text that has the word that is looked for, and is no object; or one that is too long. */
export interface BrokenText {
  readonly line: number
  /** Its beginning, 4 KiB at most; where it is no UTF-8, a character a byte. */
  readonly text: string
  /** All of it, bytes. */
  readonly size: number
  /** `cut`: it ends too early. `bare`: the word stands outside of all braces. */
  readonly why: 'cut' | 'no-json' | 'no-text' | 'too-long' | 'too-deep' | 'bare'
}

/** What was found in a line, or with it. */
export interface ScanResult {
  readonly objects: readonly FoundObject[]
  readonly broken: readonly BrokenText[]
  /** Whether the line does not go on with what was open, and is still to be read. */
  readonly isRefused: boolean
}

/** Bytes of a text that are looked at together. */
export interface TextPart {
  readonly bytes: Buffer
  /** Of the first byte, from 1. */
  readonly line: number
  /** Where the line begins that is being read. */
  readonly lineStart: number
  /** What stands in its line before the first byte. */
  readonly before: string
  /** Whether it is a line and no more. */
  readonly isLine: boolean
}

interface Broken extends FoundRange {
  readonly why: BrokenText['why']
}

const LONGEST_EXCERPT = 4096

/** The objects in some bytes, by where they stand, and what is left of the bytes. */
export class TextWindow {
  /** In the order of the bytes, as all that is added. */
  readonly #objects: (FoundRange & {readonly run: ObjectRun})[] = []
  readonly #broken: Broken[] = []
  /** What needs no second look: objects, and long documents as far as their elements were taken. */
  readonly #covered: FoundRange[] = []
  /** Whether the bytes are part of a long document that is whole. */
  isInDocument = false
  /** Of what is told. */
  end: number
  /** Whether there is nothing but objects, brackets and commas in what was told. */
  isWhole = true
  #isRefused = false

  readonly #bytes: Buffer
  readonly #part: TextPart
  readonly #firstFeed: number
  #nextFeed: number
  #countedLine: number
  #countedAt = 0

  constructor(
    part: TextPart,
    private readonly word: Buffer,
  ) {
    this.#part = part
    this.#bytes = part.bytes
    this.end = part.bytes.length
    this.#countedLine = part.line
    this.#firstFeed = part.bytes.indexOf(LINE_FEED)
    this.#nextFeed = this.#firstFeed
  }

  /** @returns where to go on */
  addClosed(run: ObjectRun): number {
    this.#objects.push({from: run.start, end: run.at, run})
    return this.cover(run.start, run.at)
  }

  /** @returns its end */
  cover(from: number, end: number): number {
    this.#covered.push({from, end})
    return end
  }

  /** What is whole inside of an object that is none. @param end of what was read of it. @returns where to go on */
  addFailed(run: ObjectRun, end: number): number {
    this.#addInner(run)
    const why = end >= this.#bytes.length ? 'cut' : 'no-json'
    this.#addBroken(run, end, why)
    const isInside = run.stray >= Math.max(this.#part.lineStart, run.inner.at(-1)?.end ?? 0)
    return isInside ? run.stray : Math.max(end, run.start + 1)
  }

  /** The elements of a long document. @returns where to go on */
  addElements(run: ObjectRun): number {
    for (const span of run.inner) this.#objects.push({...span, run})
    return this.cover(run.start, run.at)
  }

  addTooLong(run: ObjectRun): void {
    this.#addInner(run)
    this.end = this.#bytes.length
    this.#broken.push({from: run.start, end: this.end, why: 'too-long'})
  }

  #addInner(run: ObjectRun): void {
    for (const span of run.inner) {
      this.#objects.push({...span, run})
      this.#covered.push(span)
    }
  }

  /** Whether the line has nothing to do with the object that was open before it. */
  isRefusal(run: ObjectRun): boolean {
    const {lineStart} = this.#part
    return lineStart > 0 && run.start < lineStart && !run.inner.some(({end}) => end > lineStart)
  }

  /** What was open ends with the line before. */
  refuse(run: ObjectRun): void {
    this.end = this.#part.lineStart - 1
    this.#isRefused = true
    this.#addInner(run)
    this.#addBroken(run, this.end, 'cut')
  }

  /** It ends at the first object in it that has the word and is whole: that is no part of it. */
  #addBroken(run: ObjectRun, end: number, why: BrokenText['why']): void {
    const next = run.inner.find(({from, end: to}) => this.#bytes.subarray(from, to).includes(this.word))
    const range = {from: run.start, end: next ? next.from : end}
    this.#broken.push({...range, why: run.isTooDeep ? 'too-deep' : why})
  }

  /** What stands before a place in its line; of what is long, only that it is. */
  readBefore(at: number): string {
    const from = this.#bytes.lastIndexOf(LINE_FEED, at) + 1
    const before = from === 0 ? this.#part.before : ''
    return before.length + at - from > LONGEST_BEFORE
      ? NO_MARK
      : before + this.#bytes.toString('latin1', from, at)
  }

  /** Whether nothing but blanks, brackets and commas stands before a place in its line. */
  isFirst(at: number): boolean {
    const before = this.readBefore(at)
    for (let index = 0; index < before.length; index++)
      if (!FILLER.has(before.charCodeAt(index))) return false
    return true
  }

  /** The line of a place; it takes no time where places come in their order. */
  countLine(at: number): number {
    if (at < this.#countedAt) [this.#countedLine, this.#nextFeed] = [this.#part.line, this.#firstFeed]
    this.#countedAt = at
    while (this.#nextFeed >= 0 && this.#nextFeed < at) {
      this.#countedLine++
      this.#nextFeed = this.#bytes.indexOf(LINE_FEED, this.#nextFeed + 1)
    }
    return this.#countedLine
  }

  /** All that was found up to the end. */
  tell(): ScanResult {
    const {end} = this
    if (end === 0) return {objects: [], broken: [], isRefused: false}
    this.isWhole = this.isInDocument || this.#isClean(end)
    const {isWhole} = this
    const isAlone = this.#part.isLine && this.#objects.length === 1
    const broken = this.#listBroken(end)
    const objects: FoundObject[] = []
    for (const {from, end: to, run} of this.#objects) {
      const bytes = this.#bytes.subarray(from, to)
      const line = this.countLine(from)
      if (isUtf8(bytes) || !bytes.includes(this.word)) {
        const around = isAlone ? this.#readAround(from, to) : undefined
        objects.push({text: this.#readText(from, to, run), line, isWhole, around})
      } else broken.push(this.#excerpt({from, end: to, why: 'no-text'}))
    }
    return {objects, broken, isRefused: this.#isRefused}
  }

  #readText(from: number, end: number, run: ObjectRun): string {
    const text = readSpelled(this.#bytes.toString('utf8', from, end), run)
    const isInQuotes = this.#bytes[from - 1] === APOSTROPHE && this.#bytes[end] === APOSTROPHE
    return isInQuotes ? text.replaceAll("''", "'") : text
  }

  #readAround(from: number, end: number): FoundObject['around'] {
    return {before: this.#bytes.toString('utf8', 0, from), after: this.#bytes.toString('utf8', end)}
  }

  #isClean(end: number): boolean {
    if (!this.isFirst(0)) return false
    let at = 0
    for (const {from, end: to} of this.#covered) {
      if (!this.#isFiller(at, from)) return false
      at = Math.max(at, to)
    }
    return this.#isFiller(at, end)
  }

  #isFiller(from: number, end: number): boolean {
    for (let at = from; at < end; at++) if (!FILLER.has(this.#bytes[at] as number)) return false
    return true
  }

  /** Parts where the word stands in no object: each once, of those inside each other the innermost. */
  #listBroken(end: number): BrokenText[] {
    const found = new Set<Broken>(this.#broken.filter(({why}) => why === 'too-long'))
    const bytes = this.#bytes.subarray(0, end)
    let [covered, opened] = [0, 0]
    let bare: Broken | undefined
    // Beside an object that has it, the word in prose is no loss.
    const isNamed = this.#objects.some(({from, end: to}) =>
      this.#bytes.subarray(from, to).includes(this.word),
    )
    for (let at = bytes.indexOf(this.word); at >= 0; at = bytes.indexOf(this.word, at + 1)) {
      while ((this.#covered[covered]?.end ?? at + 1) <= at) covered++
      if ((this.#covered[covered]?.from ?? end) <= at || isWordByte(bytes[at + this.word.length])) continue
      while ((this.#broken[opened]?.from ?? end) <= at) opened++
      const near = this.#broken.slice(Math.max(0, opened - MOST_NESTED), opened)
      const holder = near.findLast(span => at < span.end)
      bare ??= {from: Math.min(this.#part.lineStart, at), end, why: 'bare'}
      if (holder) found.add(holder)
      else if (!isNamed) found.add(bare)
    }
    return [...found].sort((one, other) => one.from - other.from).map(each => this.#excerpt(each))
  }

  #excerpt({from, end, why}: Broken): BrokenText {
    const coding = why === 'no-text' ? 'latin1' : 'utf8'
    const text = this.#bytes.toString(coding, from, Math.min(end, from + LONGEST_EXCERPT))
    return {line: this.countLine(from), text, size: end - from - this.#countBlanks(from, end), why}
  }

  /** Blanks at the end. */
  #countBlanks(from: number, end: number): number {
    let at = end
    while (at > from && (this.#bytes[at - 1] as number) <= SPACE) at--
    return end - at
  }
}

const APOSTROPHE = 0x27
/** A mark of lines, or the brackets of a list, is not longer. */
const LONGEST_BEFORE = 4096
/** Stands for what is long before an object: no line begins with it, and it is no filler. */
export const NO_MARK = '\0'
/** Broken parts inside each other that are looked at. */
const MOST_NESTED = 8
const FILLER = new Set([...Buffer.from(' \t\r\n[],'), 0xef, 0xbb, 0xbf])

/** Whether a word goes on with a byte. */
function isWordByte(byte: number | undefined): boolean {
  return byte !== undefined && /[\w]/.test(String.fromCharCode(byte))
}
