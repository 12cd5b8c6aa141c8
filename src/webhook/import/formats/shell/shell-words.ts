/** A word of a command line, or one of its operators: `|`, `;`, `&&`, `<`, `<<`, `<<<`, … */
export type ShellToken =
  | {readonly kind: 'word'; readonly text: string}
  | {readonly kind: 'operator'; readonly text: string}

/** Why a command continues after the end of a line: an open quote, or a backslash at the end. */
export type OpenEnd = "'" | '"' | '\\' | undefined

const OPERATOR = /^(<<<|<<-|<<|>>|&&|\|\||\||;|&|<|>)/
const ESCAPES: Readonly<Record<string, string>> = {
  ...{n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', a: '\x07', e: '\x1b', E: '\x1b'},
  ...{'\\': '\\', "'": "'", '"': '"', '?': '?'},
}

/** Splits a command line as a shell does, without expanding anything. It may come in parts; each is read once. */
export class ShellSplitter {
  readonly tokens: ShellToken[] = []
  #word: string | undefined
  #quote: Quote | undefined
  /** A trailing backslash, whose meaning depends on the next part. */
  #rest = ''

  /** @param part may hold line feeds; as latin1 where bytes matter. @returns `undefined` if the command ends with it */
  add(part: string): OpenEnd {
    const line = this.#rest + part
    this.#rest = ''
    for (let at = 0; at < line.length; ) {
      const piece = this.#quote ? this.#quote(line, at) : this.#readNext(line, at)
      if (piece.text !== undefined) this.#word = (this.#word ?? '') + piece.text
      this.#quote = piece.quote
      at = piece.end
      if (!piece.isOpen) continue
      this.#rest = line.slice(at)
      return piece.isOpen
    }
    this.#finish()
    return undefined
  }

  /** A piece of a word, or the text between words. */
  #readNext(line: string, at: number): Piece {
    const rest = line.slice(at, at + 3)
    const char = rest[0] as string
    const operator = OPERATOR.exec(rest)?.[1]
    if (operator === undefined && !/\s/.test(char)) {
      if (char === '#' && this.#word === undefined) return {end: findLineEnd(line, at)}
      return readPiece(line, at)
    }
    this.#finish()
    if (operator !== undefined) this.tokens.push({kind: 'operator', text: operator})
    return {end: at + (operator?.length ?? 1)}
  }

  #finish(): void {
    if (this.#word !== undefined) this.tokens.push({kind: 'word', text: this.#word})
    this.#word = undefined
  }
}

function findLineEnd(line: string, from: number): number {
  const end = line.indexOf('\n', from)
  return end < 0 ? line.length : end
}

/** Reads on in a quote, from a place inside it. */
type Quote = (line: string, from: number) => Piece

interface Piece {
  /** What it adds to the word; `undefined` if it belongs to none. */
  readonly text?: string
  readonly end: number
  /** Why it continues in the next part. */
  readonly isOpen?: OpenEnd
  /** The quote that it ends inside. */
  readonly quote?: Quote
}

function readPiece(line: string, at: number): Piece {
  if (line.startsWith("$'", at)) return readAnsiText(line, at + 2)
  const char = line[at]
  if (char === "'") return readSingleQuoted(line, at + 1)
  if (char === '"') return readDoubleQuoted(line, at + 1)
  if (char === '\\') return readBackslashed(line, at)
  const end = line.slice(at + 1).search(/[\s'"\\|;&<>$]/)
  const stop = end < 0 ? line.length : at + 1 + end
  return {text: line.slice(at, stop), end: stop}
}

function readSingleQuoted(line: string, from: number): Piece {
  const end = line.indexOf("'", from)
  if (end >= 0) return {text: line.slice(from, end), end: end + 1}
  return {text: line.slice(from), end: line.length, isOpen: "'", quote: readSingleQuoted}
}

function readBackslashed(line: string, at: number): Piece {
  const next = line[at + 1]
  if (next === undefined || (next === '\r' && line[at + 2] === undefined)) return {end: at, isOpen: '\\'}
  if (next === '\r' && line[at + 2] === '\n') return {end: at + 3}
  return next === '\n' ? {end: at + 2} : {text: next, end: at + 2}
}

function readDoubleQuoted(line: string, from: number): Piece {
  let text = ''
  let at = from
  for (; at < line.length; at++) {
    const char = line[at] as string
    if (char === '"') return {text, end: at + 1}
    const next = line[at + 1]
    if (char === '\\' && next === undefined) break
    if (char === '\\' && '$`"\\\n'.includes(next as string)) {
      if (next !== '\n') text += next
      at++
    } else text += char
  }
  return {text, end: at, isOpen: '"', quote: readDoubleQuoted}
}

const CODE = /^(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3}))/

function readAnsiText(line: string, from: number): Piece {
  let text = ''
  let at = from
  for (; at < line.length; at++) {
    const char = line[at] as string
    if (char === "'") return {text, end: at + 1}
    if (char !== '\\') {
      text += char
      continue
    }
    const [all, hex, short, long, octal] = CODE.exec(line.slice(at + 1, at + 10)) ?? []
    if (all !== undefined) {
      text += decodeEscape(hex, octal, short ?? long)
      at += all.length
    } else {
      const next = line[at + 1]
      if (next === undefined) break
      text += ESCAPES[next] ?? `\\${next}`
      at++
    }
  }
  return {text, end: at, isOpen: "'", quote: readAnsiText}
}

/** Bytes by hex or octal; characters, as their UTF-8 bytes, by `\u`. */
function decodeEscape(
  hex: string | undefined,
  octal: string | undefined,
  unicode: string | undefined,
): string {
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
  const point = Number.parseInt(unicode ?? '0', 16)
  return Buffer.from(String.fromCodePoint(Math.min(point, 0x10ffff))).toString('latin1')
}
