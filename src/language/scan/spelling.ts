import {CLOSE_OBJECT, TEXT} from '../json-bytes.js'
import {findStringEnd} from '../list-members.js'

export const BACKSLASH = 0x5c

/** How quotes are escaped: by `2^level - 1` backslashes, as in a text that was put into a string `level` times. */
export interface Spelling {
  readonly level: number
  /** Whether backslashes are doubled and quotes are not, as dumps of databases write columns. */
  readonly isDoubled: boolean
}

/** Whether a letter behind a backslash stands for a blank. */
export function isBlankLetter(byte: number | undefined): boolean {
  return byte === 0x6e || byte === 0x72 || byte === 0x74
}

/** Behind the backslashes that begin at a place. */
export function findRunEnd(bytes: Buffer, at: number): number {
  let end = at
  while (bytes[end] === BACKSLASH) end++
  return end
}

/** The meaning of a quote after some backslashes in a string: its end, a character of it, or the end of a text around it. */
export function readQuote({level, isDoubled}: Spelling, run: number): 'ends' | 'belongs' | 'leaves' {
  if (isDoubled) return run % 4 === 2 ? 'belongs' : run % 4 === 0 ? 'ends' : 'leaves'
  let left = run
  for (let each = 0; each < level; each++) {
    if (left % 2 === 0) return 'leaves'
    left = (left - 1) / 2
  }
  return left % 2 === 1 ? 'belongs' : 'ends'
}

/** Bytes that are looked at to tell how an object's quotes are written. */
const LOOKED_AT = 1024

/**
 * How the quotes of an object are written that a brace may begin.
 *
 * @returns `undefined` where it begins none, `unknown` where that shows in bytes to come
 */
export function findSpelling(bytes: Buffer, brace: number): Spelling | 'unknown' | undefined {
  for (let at = brace + 1; at < brace + LOOKED_AT; at++) {
    if (at === bytes.length) return 'unknown'
    const byte = bytes[at] as number
    if (BLANKS.has(byte)) continue
    if (byte !== BACKSLASH) return BEGINS.has(byte) ? PLAIN : undefined
    const end = findRunEnd(bytes, at)
    if (!isBlankLetter(bytes[end])) return readLevel(bytes[end], end - at)
    at = end
  }
  return PLAIN
}

export const PLAIN: Spelling = {level: 0, isDoubled: false}
const BLANKS = new Set(Buffer.from(' \n\r\t'))
/** What an object begins with: a name, its end, a comment. */
const BEGINS = new Set([TEXT, CLOSE_OBJECT, 0x2f])

/** @param behind the byte behind so many backslashes */
function readLevel(behind: number | undefined, backslashes: number): Spelling | 'unknown' | undefined {
  if (behind !== TEXT) return behind === undefined ? 'unknown' : undefined
  const level = Math.log2(backslashes + 1)
  return Number.isInteger(level) ? {level, isDoubled: false} : undefined
}

const SHORT: Readonly<Record<string, string>> = {n: '\n', r: '\r', t: '\t', b: '\b', f: '\f'}

/** One level of backslashes taken away, as strings of JSON, of shells and of databases have them. */
function takeLevel(text: string): string {
  return parseString(text) ?? takeAnyLevel(text)
}

/** Most texts are spelled as JSON spells a string, which its parser reads fastest. */
function parseString(text: string): string | undefined {
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return undefined
  }
}

function takeAnyLevel(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g, (_, code?: string, letter = '') =>
    code === undefined ? (SHORT[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/** An object's text as JSON, from its escaped form in a text. */
export function readSpelled(
  text: string,
  {spelling: {level, isDoubled}, isLoose}: {readonly spelling: Spelling; readonly isLoose: boolean},
): string {
  let plain = text
  for (let each = isDoubled ? 1 : level; each > 0; each--) plain = takeLevel(plain)
  return isLoose ? cutBetweenStrings(cutBetweenStrings(plain, COMMENT), LAST_COMMA) : plain
}

/** With the quote that begins a string, which is passed over whole. */
const COMMENT = /"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g
const LAST_COMMA = /"|,(?=\s*[}\]])/g

/** Strings are passed over by hand: a pattern needs room on the stack for each of their characters. */
function cutBetweenStrings(text: string, pattern: RegExp): string {
  let left = ''
  let from = 0
  pattern.lastIndex = 0
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const isString = text[found.index] === '"'
    const end = isString ? findStringEnd(text, found.index + 1) + 1 : pattern.lastIndex
    left += text.slice(from, isString ? end : found.index)
    from = end
    pattern.lastIndex = end
  }
  return left + text.slice(from)
}
